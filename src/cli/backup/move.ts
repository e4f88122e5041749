import { command } from '../command.ts'

export const moveCommand = command({
  meta: { name: 'wardenry move', description: 'Move all data to an empty database, while the service is stopped' },
  args: {
    to: {
      type: 'string',
      description: 'URL of a PostgreSQL database (PGPASSWORD may contain its password), or a new data directory',
      valueHint: 'target',
    },
    'end-sessions': { type: 'boolean', description: 'end all sessions instead of keeping users signed in' },
    'keep-sessions': { type: 'boolean', description: 'with --undo: keep the sessions and links of this database' },
    'allow-missing-pictures': {
      type: 'boolean',
      description: 'with --to: move the data although pictures are missing',
    },
    undo: { type: 'boolean', description: 'make the original of a move usable again' },
    yes: { type: 'boolean', description: 'do not ask for confirmation' },
  },
  run: async ({
    to,
    'end-sessions': endSessions,
    'keep-sessions': keepSessions,
    'allow-missing-pictures': allowMissing,
    undo,
    yes,
  }) => {
    const { readEnvironment } = await import('../environment.ts')
    if ((undo === true) === (to !== undefined)) throw new Error('Pass either --to or --undo: see --help')
    if (to === undefined ? endSessions || allowMissing : keepSessions)
      throw new Error(
        '--end-sessions and --allow-missing-pictures belong to --to, and --keep-sessions to --undo: see --help',
      )
    const environment = await readEnvironment('command')
    if (to === undefined) {
      const { undoMoveFromHere } = await import('./undo-move.ts')
      const options = { keepSessions: keepSessions === true, isAgreed: yes }
      return void process.stdout.write(await undoMoveFromHere(environment, options))
    }
    const { moveToTarget } = await import('./move-to-target.ts')
    process.stdout.write(
      await moveToTarget(environment, { to, endSessions: endSessions === true, allowMissing: allowMissing === true }),
    )
  },
})
