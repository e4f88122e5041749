import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { relayPending } from '../../src/jobs/relay.ts'
import { prepareJobs } from '../../src/jobs/start.ts'
import { newId } from '../../src/lib/ids.ts'
import { insertMessage } from '../../src/outbox/queries.ts'
import { databaseServer, newDatabase, type TestDatabase } from '../nodes/nodes.ts'

let place: TestDatabase | undefined
let database: Database
let boss: PgBoss
// A queue without workers so that the relay's jobs stay in it and can be counted.
before(async () => {
  place = databaseServer ? await newDatabase() : undefined
  const options = { poolMax: 10, dataDir: undefined, archive: undefined, onDown: () => {} }
  database = await connectDatabase({ url: place?.url, ...options })
  await migrate(database.db, new Date())
  await prepareJobs(database)
  const executeSql = async (text: string, values?: unknown[]) => ({
    rows: values?.length ? await database.query<object>(text, values) : (await database.exec(text)).flat(),
  })
  const backend = database.kind === 'embedded' ? 'pglite' : 'postgres'
  boss = new PgBoss({ db: { executeSql }, backend, schema: 'jobs', migrate: false, supervise: false, schedule: false })
  await boss.start()
})
after(async () => {
  await boss?.stop({ graceful: false })
  await database?.close()
  await place?.drop()
})
beforeEach(() => database.exec('DELETE FROM outbox; DELETE FROM jobs.job'))

async function enqueue(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  for (const id of ids) {
    const row = { id, channel: 'mail', message: 'verify_email', payload: 'sealed', expires_at: null } as const
    await insertMessage(database.db, { ...row, created_at: new Date() })
  }
  return ids.sort()
}

const relay = () => relayPending(database.db, boss)
const jobs = async () => {
  const { rows } = await sql<{ id: string; data: { id: string } }>`
    SELECT id, data FROM jobs.job WHERE name = 'deliver' ORDER BY id`.execute(database.db)
  return rows
}
const statuses = async () => {
  const { rows } = await sql<{ status: string; count: number }>`
    SELECT status, count(*)::int AS count FROM outbox GROUP BY status`.execute(database.db)
  return rows
}

test('every message becomes one job that holds nothing but its id, however many there are', async () => {
  const ids = await enqueue(250)
  assert.equal(await relay(), 250)
  assert.deepEqual(
    await jobs(),
    ids.map((id) => ({ id, data: { id } })),
  )
  assert.deepEqual(await statuses(), [{ status: 'queued', count: 250 }])
})

test('handing on again, or by two nodes at the same moment, makes no second job', async () => {
  const ids = await enqueue(50)
  await Promise.all([relay(), relay(), relay()])
  assert.equal(await relay(), 0)
  assert.deepEqual(
    (await jobs()).map(({ id }) => id),
    ids,
  )
})

test('a node that died between the job and the note of it leaves no message behind and none twice', async () => {
  const ids = await enqueue(3)
  await boss.insert('deliver', [{ id: ids[1]!, data: { id: ids[1] } }])
  assert.equal(await relay(), 3)
  assert.deepEqual(
    (await jobs()).map(({ id }) => id),
    ids,
  )
  assert.deepEqual(await statuses(), [{ status: 'queued', count: 3 }])
})

test('a message that is queued, sent or given up is not handed on', async () => {
  const ids = await enqueue(4)
  for (const [index, status] of ['queued', 'sent', 'failed', 'expired'].entries()) {
    await database.db
      .updateTable('outbox')
      .set({ status: status as 'sent' })
      .where('id', '=', ids[index]!)
      .execute()
  }
  assert.equal(await relay(), 0)
  assert.deepEqual(await jobs(), [])
})
