// Setup: embedded database
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/open.ts'
import { preloadInWorkers } from '../power-cut/preload.ts'
import { readTrace } from '../power-cut/trace.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const archive = join(import.meta.dirname, '../../build/embedded.tar.gz')
const directory = temporaryDirectory('group-commit')
const [trace, flag] = [join(directory, 'trace'), join(directory, 'broken')]
const helper = (name: string): string => join(import.meta.dirname, '../power-cut', name)
preloadInWorkers(`${helper('recorder.ts')}?root=${directory}&trace=${trace}`)
preloadInWorkers(`${helper('fail-sync.ts')}?flag=${flag}`)

interface Tables {
  notes: { text: string }
}

let database: EmbeddedDatabase
let db: Kysely<Tables>
before(async () => {
  database = await openEmbedded({ dataDir: join(directory, 'data'), archive })
  db = new Kysely({ dialect: database.dialect })
  await database.exec('CREATE TABLE notes (text text UNIQUE)')
})
after(() => database.close())

const patience = 30_000

const insert = (text: string): Promise<void> =>
  db.transaction().execute(async (tx) => void (await tx.insertInto('notes').values({ text }).execute()))
const read = () => db.selectFrom('notes').select('text').orderBy('text')
const texts = async () => (await read().execute()).map(({ text }) => text)
const syncs = (): number => [...readTrace(readFileSync(trace))].filter(({ change }) => change.kind === 'sync').length

test('transactions that wait for each other share an fsync', async () => {
  const all = Array.from({ length: 12 }, (_, number) => `shared ${String(number).padStart(2, '0')}`)
  // On a busy machine, a group may end before all transactions have joined it.
  await eventually(async () => {
    await db.deleteFrom('notes').execute()
    const before = syncs()
    await Promise.all(all.map(insert))
    return syncs() - before <= 4
  }, patience)
  assert.deepEqual(await texts(), all)
  await db.deleteFrom('notes').execute()
})

test('a failed transaction among them is refused, and the others are kept', async () => {
  const outcomes = await Promise.allSettled(['one', 'one', 'two'].map(insert))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await texts(), ['one', 'two'])
})

test('if the shared fsync fails, no transaction is acknowledged, and no read shows what is lost', async () => {
  writeFileSync(flag, 'EIO')
  const letters = ['a', 'b', 'c', 'd']
  const reads: Promise<Tables['notes'][]>[] = []
  const commits = letters.map((text) => {
    const committed = insert(text)
    // The group's time limit passes during a slow read.
    reads.push(
      read().where(sql<boolean>`pg_sleep(0.03) IS NOT NULL`).execute(),
      database.query('SELECT text FROM notes ORDER BY text'),
    )
    return committed
  })
  const [committed, seen] = await Promise.all([Promise.allSettled(commits), Promise.allSettled(reads)])
  rmSync(flag)
  assert.deepEqual(new Set(committed.map(({ status }) => status)), new Set(['rejected']))
  // Reads that ran before the first commit may succeed.
  for (const outcome of seen)
    if (outcome.status === 'fulfilled') assert.deepEqual(outcome.value, [{ text: 'one' }, { text: 'two' }])
  await eventually(() => succeeds(insert('e')), patience)
  const found = await texts()
  assert.ok(
    ['e', 'one', 'two'].every((text) => found.includes(text)),
    found.join(),
  )
})

test('a commit that waits for the shared fsync fails if the engine ends before', async (t) => {
  const slow = await openEmbedded({ dataDir: join(directory, 'slow'), archive, statementLimit: 300 })
  t.after(() => slow.close())
  await slow.exec('CREATE TABLE notes (text text)')
  let endless: Promise<unknown> = Promise.resolve()
  const committed = new Kysely<Tables>({ dialect: slow.dialect }).transaction().execute(async (tx) => {
    endless = slow.query('SELECT count(*) FROM generate_series(1, 1000000000000)').catch(() => 'ended')
    await tx.insertInto('notes').values({ text: 'first' }).execute()
  })
  const isAcknowledged = await succeeds(committed)
  assert.equal(await endless, 'ended')
  const kept = async () => slow.query('SELECT text FROM notes')
  await eventually(() => succeeds(kept()), patience)
  assert.deepEqual(await kept(), isAcknowledged ? [{ text: 'first' }] : [])
})

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
