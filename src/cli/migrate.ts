import { command } from './command.ts'

export const migrateCommand = command({
  meta: { name: 'wardenry migrate', description: 'Apply pending database migrations' },
  run: async () => {
    const { bringUpToDate, openDatabase } = await import('../db/open-database.ts')
    const { prepareJobs } = await import('../jobs/start.ts')
    const { readEnvironment } = await import('./environment.ts')
    const { config, log } = await readEnvironment('command')
    const database = await openDatabase(config, log)
    try {
      const applied = await bringUpToDate({ ...config, AUTO_MIGRATE: true }, log, database)
      // Runs even without pending migrations because an earlier run may have been killed before this step.
      await prepareJobs(database)
      process.stdout.write(report(applied))
    } finally {
      await database.close()
    }
  },
})

const report = (applied: string[]): string =>
  applied.length === 0
    ? 'The database is up to date. The job queue is ready.\n'
    : `Applied:\n${applied.map((name) => `  ${name}`).join('\n')}\nThe job queue is ready.\n`
