import { appendFileSync, statSync } from 'node:fs'
import { Kysely } from 'kysely'
import { openEmbedded } from '../../src/db/embedded/open.ts'

// A workload of concurrent clients whose transactions share fsyncs. After each commit, a client reads all clients'
// steps. Each journal line contains `committed` or `seen`, a client, its step, and the length of the trace when the
// commit of that step was acknowledged or the step was read.
const [dataDir = '', archive, trace = '', journal = '', clients = '0', steps = '0'] = process.argv.slice(2)

interface Tables {
  progress: { client: number; step: number }
  notes: { client: number; step: number; text: string }
}

const database = await openEmbedded({ dataDir, archive })
const db = new Kysely<Tables>({ dialect: database.dialect })
const numbers = Array.from({ length: Number(clients) }, (_, number) => number)
await database.exec(`BEGIN;
  CREATE TABLE progress (client integer PRIMARY KEY, step integer NOT NULL);
  CREATE TABLE notes (client integer NOT NULL, step integer NOT NULL, text text NOT NULL);
  INSERT INTO progress SELECT client, 0 FROM generate_series(0, ${numbers.length - 1}) client;
  COMMIT`)
for (const client of numbers) write('committed', client, 0)
await Promise.all(numbers.map(run))
await database.close()

async function run(client: number): Promise<void> {
  for (let step = 1; step <= Number(steps); step++) {
    await db.transaction().execute(async (tx) => {
      const text = String.fromCharCode(97 + (step % 26)).repeat(200 * (1 + ((client + step) % 5)))
      await tx.insertInto('notes').values({ client, step, text }).execute()
      await tx.updateTable('progress').set({ step }).where('client', '=', client).execute()
    })
    write('committed', client, step)
    for (const row of await db.selectFrom('progress').selectAll().execute()) write('seen', row.client, row.step)
    if (step % 20 === client) await database.exec('CHECKPOINT')
  }
}

function write(kind: 'committed' | 'seen', client: number, step: number): void {
  appendFileSync(journal, `${kind} ${client} ${step} ${statSync(trace).size}\n`)
}
