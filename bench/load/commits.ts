import { Kysely, sql } from 'kysely'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { preloadInWorkers } from '../../test/power-cut/preload.ts'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'

// Prints the embedded database's commits per second as JSON. `single` writes one row. `registration` writes as many
// rows as a registration in a single call. `oneClient` and `eightClients` write the same rows with one call per
// statement. The argument `no-sync` disables fsync, and `slow-sync` slows it down.
const duration = 3_000
const rows = 6

const [, , preload] = process.argv
if (preload) preloadInWorkers(`${import.meta.dirname}/${preload}.ts`)
const database = await openEmbedded({ dataDir: temporaryDirectory('bench-commits'), archive: undefined })
const db = new Kysely({ dialect: database.dialect })
await database.exec('CREATE TABLE notes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text)')
const text = 'moth '.repeat(60)
const insert = `INSERT INTO notes (text) VALUES ('${text}')`
const registration = ['BEGIN', ...Array<string>(rows).fill(insert), 'COMMIT'].join(';')
const transaction = () =>
  db.transaction().execute(async (tx) => {
    for (let row = 0; row < rows; row++) await sql`INSERT INTO notes (text) VALUES (${text})`.execute(tx)
  })
const figures = {
  single: await rate(1, () => database.query(insert)),
  registration: await rate(1, () => database.exec(registration)),
  oneClient: await rate(1, transaction),
  eightClients: await rate(8, transaction),
}
await database.close()
process.stdout.write(JSON.stringify(figures))

async function rate(clients: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let count = 0
  const client = async () => {
    for (; performance.now() - started < duration; count++) await work()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return count / ((performance.now() - started) / 1_000)
}
