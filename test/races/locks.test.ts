import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { newId } from '../../src/lib/ids.ts'
import { deleteOldMessages, markQueued } from '../../src/outbox/queries.ts'
import { deleteEndedSessions, deleteUnusedSessions } from '../../src/sessions/end-queries.ts'
import { writeLastUse } from '../../src/sessions/queries.ts'
import { needsPostgres, newDatabase, type TestDatabase } from '../nodes/nodes.ts'

const now = new Date('2026-05-04T12:00:00Z')
const past = new Date('2026-05-01T12:00:00Z')

describe('statements that touch many rows', needsPostgres, () => {
  let place: TestDatabase
  let node: Database
  before(async () => {
    place = await newDatabase()
    node = await connectDatabase({
      url: place.url,
      poolMax: 2,
      dataDir: undefined,
      archive: undefined,
      onDown: () => {},
    })
    await migrate(node.db, now)
  })
  after(async () => {
    await node?.close()
    await place?.drop()
  })

  // The rows are inserted in descending id order so that a scan in storage order would lock them in the wrong order.
  let ids: string[]
  beforeEach(async () => {
    await place.query('TRUNCATE users, outbox CASCADE')
    ids = Array.from({ length: 5 }, newId).sort()
    const user = newId()
    await place.query(
      "INSERT INTO users (id, email, user_name, created_at, updated_at) VALUES ($1, 'ada@example.com', 'ada', $2, $2)",
      [user, past],
    )
    for (const id of ids.toReversed()) {
      await place.query(
        `INSERT INTO sessions (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at)
          VALUES ($1::uuid, sha256($1::text::bytea), $2, 'active', $3, $3, $3, $3)`,
        [id, user, past],
      )
      await place.query("INSERT INTO outbox (id, channel, message, created_at) VALUES ($1, 'mail', 'x', $2)", [
        id,
        past,
      ])
    }
  })

  /**
   * Runs a concurrent transaction that locks one row and then another. `work` begins between the two locks. If this
   * causes a deadlock, the transaction or `work` fails.
   */
  async function meet(work: () => Promise<unknown>, table: string, held: string, wanted: string): Promise<void> {
    const other = await place.connect()
    const lock = (id: string) => other.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`, [id])
    await other.query('BEGIN')
    await lock(held)
    let isDone = false
    const working = work().finally(() => {
      isDone = true
    })
    const outcome = working.then(
      () => undefined,
      (error: pg.DatabaseError) => error.code,
    )
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while (!isDone && (await place.query(waiting)).length === 0) await sleep(5)
    const second = await lock(wanted).then(
      () => undefined,
      (error: pg.DatabaseError) => error.code,
    )
    await other.query('COMMIT')
    await other.end()
    assert.deepEqual([await outcome, second], [undefined, undefined])
  }

  const used = async () =>
    (await place.query<{ id: string }>('SELECT id FROM sessions WHERE last_used_at = $1 ORDER BY id', [now])).map(
      ({ id }) => id,
    )

  test('last uses are written while a sign-in ends one session after another: it need not wait, nor do they', async () => {
    for (const [held, wanted] of [
      [ids[0]!, ids[4]!],
      [ids[4]!, ids[0]!],
    ] as const) {
      await place.query('UPDATE sessions SET last_used_at = $1', [past])
      await meet(() => writeLastUse(node.db, ids, now), 'sessions', held, wanted)
      assert.deepEqual(
        await used(),
        ids.filter((id) => id !== held),
        'what is held is being changed anyway',
      )
    }
  })

  test('messages are marked by two nodes in one order', async () => {
    await meet(() => markQueued(node.db, ids), 'outbox', ids[0]!, ids[4]!)
    const marked = await place.query("SELECT 1 FROM outbox WHERE status = 'queued'")
    assert.equal(marked.length, ids.length)
  })

  test('rows that had their time are removed without waiting for one that somebody holds', async () => {
    await place.query("UPDATE sessions SET ended_at = last_used_at, status = 'revoked'")
    await place.query('UPDATE outbox SET done_at = created_at')
    const [held] = ids as [string]
    const removals: [table: string, remove: () => Promise<number>][] = [
      ['sessions', () => deleteEndedSessions(node.db, now, 2)],
      ['sessions', () => deleteUnusedSessions(node.db, now, 10)],
      ['outbox', () => deleteOldMessages(node.db, now, 10)],
    ]
    const counts: number[] = []
    for (const [table, remove] of removals) await meet(async () => counts.push(await remove()), table, held, held)
    assert.deepEqual(counts, [2, 2, 4])
  })
})
