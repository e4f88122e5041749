import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { command } from './command.ts'

/** The archive contains no secrets and no users. Later migrations are applied after the archive is unpacked. */
export const archiveCommand = command({
  meta: { name: 'wardenry archive', description: 'Build the archive that the first start unpacks', hidden: true },
  run: async () => {
    const { connectDatabase } = await import('../db/connect.ts')
    const { migrate } = await import('../db/migrate.ts')
    const { archiveFile } = await import('../db/open-database.ts')
    const { prepareJobs } = await import('../jobs/start.ts')
    const started = performance.now()
    const nothing = { url: undefined, poolMax: 1, dataDir: undefined, archive: undefined, onDown: () => {} }
    const database = await connectDatabase(nothing)
    await migrate(database.db, new Date())
    await prepareJobs(database)
    const bytes = await database.dump()
    await mkdir(dirname(archiveFile), { recursive: true })
    await writeFile(archiveFile, bytes)
    await database.close()
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(`build/embedded.tar.gz: ${(bytes.length / 1e6).toFixed(1)} MB in ${seconds} s\n`)
  },
})
