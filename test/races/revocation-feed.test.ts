import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RevocationFeed, startRevocationFeed } from '../../src/sessions/revocation-feed.ts'
import { needsPostgres } from '../nodes/nodes.ts'
import { registered, type SignedIn } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('the feed of revocations', needsPostgres, () => {
  let app: TestApp
  let people: SignedIn[]
  let feed: RevocationFeed
  let seen: string[] = []
  let missed = 0
  before(async () => {
    app = await startTestApp()
    people = [await registered(app), await registered(app)]
    feed = await startRevocationFeed({ connect: app.database.listen, log: app.ctx.log, readIntervalMs: 20 })
    feed.subscribe({
      revoked: (userId, epoch) => seen.push(`${userId} ${epoch}`),
      missed: () => void missed++,
    })
  })
  after(async () => {
    feed?.stop()
    await app?.stop()
  })
  beforeEach(() => {
    seen = []
    missed = 0
  })

  /** Opens a transaction that has incremented this user's epoch. */
  async function raising(user: SignedIn) {
    const client = await app.database.listen!()
    await client.query('BEGIN')
    const raised = await client.query<{ epoch: number }>(
      'UPDATE users SET session_epoch = session_epoch + 1 WHERE id = $1 RETURNING session_epoch AS epoch',
      [user.id],
    )
    return {
      expected: `${user.id} ${raised.rows[0]!.epoch}`,
      async end(how: 'COMMIT' | 'ROLLBACK') {
        await client.query(how)
        await client.end()
      },
    }
  }
  /** Waits for a read that began after this call to finish. */
  async function read(): Promise<void> {
    const asked = performance.now()
    while (feed.age() > performance.now() - asked) await sleep(5)
  }

  test('tells of each one once, in whatever order their transactions commit', async () => {
    const [first, second] = [await raising(people[0]!), await raising(people[1]!)]
    await read()
    assert.deepEqual(seen, [])
    await second.end('COMMIT')
    await read()
    assert.deepEqual(seen, [second.expected])
    await first.end('COMMIT')
    await read()
    await read()
    assert.deepEqual([seen, missed], [[second.expected, first.expected], 0])
  })

  test('tells nothing of a transaction that was rolled back', async () => {
    const change = await raising(people[0]!)
    await change.end('ROLLBACK')
    await read()
    assert.deepEqual([seen, missed], [[], 0])
  })

  test('does not repeat rows of a restored dump, whose transactions are ahead of this server', async () => {
    await app.database.query(
      `INSERT INTO session_revocations (transaction_id, user_id, epoch, revoked_at)
       VALUES ('9000000000000000', $1, 1, now() - interval '2 hours')`,
      [people[0]!.id],
    )
    await read()
    await read()
    assert.deepEqual([seen, missed], [[], 0])
  })

  test('says that it has missed some when there are more than it reads at once', async () => {
    await app.database.query(
      `INSERT INTO session_revocations (user_id, epoch) SELECT $1, number FROM generate_series(1, 1500) AS number`,
      [people[0]!.id],
    )
    await read()
    assert.deepEqual([seen, missed], [[], 1])
  })

  test('says so after its connection was lost, and is up to date again', async () => {
    const change = await raising(people[0]!)
    await app.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '%session_revocations%' AND pid <> pg_backend_pid()`,
      [],
    )
    await read()
    assert.ok(missed > 0)
    await change.end('COMMIT')
    await read()
    assert.deepEqual(seen, [change.expected])
  })
})
