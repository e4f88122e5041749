import { openEmbedded } from '../../src/db/embedded/open.ts'
import { preloadInWorkers } from '../../test/power-cut/preload.ts'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'

// Prints, as JSON, how many commits per second one client reaches on the embedded database: with one row, and with as
// many rows as a registration writes. The `no-sync` argument disables fsync.
const duration = 3_000

if (process.argv[2] === 'no-sync') preloadInWorkers(`${import.meta.dirname}/no-sync.ts`)
const database = await openEmbedded({ dataDir: temporaryDirectory('bench-commits'), archive: undefined })
await database.exec('CREATE TABLE notes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text)')
const insert = `INSERT INTO notes (text) VALUES ('${'moth '.repeat(60)}')`
const registration = ['BEGIN', ...Array<string>(6).fill(insert), 'COMMIT'].join(';')
const single = await rate(() => database.query(insert))
const figures = { single, registration: await rate(() => database.exec(registration)) }
await database.close()
process.stdout.write(JSON.stringify(figures))

async function rate(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let count = 0
  for (; performance.now() - started < duration; count++) await work()
  return count / ((performance.now() - started) / 1_000)
}
