import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { sha256Bytes } from '../../src/lib/hash.ts'
import { newId, newSecret } from '../../src/lib/ids.ts'
import { day, hour, minute } from '../../src/lib/time.ts'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('the janitor', () => {
  let app: TestApp
  let userId: string
  let sessionToken: string
  before(async () => {
    app = await startTestApp({ env: { SESSION_IDLE_TTL: '7d', AUDIT_IP_FULL: '30d', AUDIT_RETENTION: '365d' } })
    const ada = await registered(app)
    userId = ada.id
    sessionToken = ada.sessionToken
    await app.mailTo(ada.email)
  })
  after(() => app.stop())
  beforeEach(() => app.database.exec("DELETE FROM sessions WHERE device_id = 'test'; DELETE FROM audit_events"))

  const ago = (duration: number) => new Date(app.clock.now() - duration)
  /** Fills a table with named rows, runs the cleanup, and returns the remaining names. */
  async function left(names: string[], add: (name: string) => Promise<unknown>, present: () => Promise<string[]>) {
    for (const name of names) await add(name)
    await cleanUp(app.ctx)
    const found = await present()
    return names.filter((name) => found.includes(name))
  }
  const column = async (query: ReturnType<typeof sql<{ name: string }>>) =>
    (await query.execute(app.ctx.db)).rows.map(({ name }) => name)

  test('removes sessions thirty days after their end, or after nobody could have used them any more', async () => {
    const rows: Record<string, { status: 'active' | 'revoked'; used: number; ended?: number }> = {
      'in use': { status: 'active', used: minute },
      'idle, but within its time': { status: 'active', used: 6 * day },
      'idle for too long, kept for the list': { status: 'active', used: 36 * day },
      'idle for too long, and long ago': { status: 'active', used: 38 * day },
      'ended lately': { status: 'revoked', used: 29 * day, ended: 29 * day },
      'ended long ago': { status: 'revoked', used: 31 * day, ended: 31 * day },
    }
    const add = (name: string) => {
      const { status, used, ended } = rows[name]!
      const times = {
        created_at: ago(60 * day),
        started_at: ago(60 * day),
        proved_at: ago(60 * day),
        last_used_at: ago(used),
      }
      const row = {
        id: newId(),
        token_hash: sha256Bytes(newSecret()),
        user_id: userId,
        status,
        user_agent: name,
        device_id: 'test',
        ...times,
      }
      return app.ctx.db
        .insertInto('sessions')
        .values({ ...row, ended_at: ended ? ago(ended) : null })
        .execute()
    }
    const present = () => column(sql`SELECT user_agent AS name FROM sessions`)
    assert.deepEqual(await left(Object.keys(rows), add, present), [
      'in use',
      'idle, but within its time',
      'idle for too long, kept for the list',
      'ended lately',
    ])
    assert.equal((await app.get('/auth/me', withSession(sessionToken))).status, 200)
  })

  test('removes links and messages seven days after their time, and nothing that still waits', async () => {
    const secrets: Record<string, number> = { open: -hour, 'expired lately': 6 * day, 'expired long ago': 8 * day }
    const addSecret = (name: string) => {
      const row = {
        id: newId(),
        purpose: 'verify_email',
        secret_hash: sha256Bytes(newSecret()),
        user_id: userId,
        created_at: ago(9 * day),
      }
      return app.ctx.db
        .insertInto('one_time_secrets')
        .values({ ...row, target: name, expires_at: ago(secrets[name]!) })
        .execute()
    }
    const presentSecrets = () => column(sql`SELECT target AS name FROM one_time_secrets`)
    assert.deepEqual(await left(Object.keys(secrets), addSecret, presentSecrets), ['open', 'expired lately'])

    const mails: Record<string, { status: 'queued' | 'sent'; done: number | null }> = {
      'waits since a month': { status: 'queued', done: null },
      'sent lately': { status: 'sent', done: 6 * day },
      'sent long ago': { status: 'sent', done: 8 * day },
    }
    const addMail = (name: string) => {
      const { status, done } = mails[name]!
      const row = { id: newId(), channel: 'mail' as const, message: name, payload: 'sealed', created_at: ago(30 * day) }
      return app.ctx.db
        .insertInto('outbox')
        .values({ ...row, status, done_at: done ? ago(done) : null })
        .execute()
    }
    const presentMails = () => column(sql`SELECT message AS name FROM outbox`)
    assert.deepEqual(await left(Object.keys(mails), addMail, presentMails), ['waits since a month', 'sent lately'])
  })

  test('shortens the addresses of old audit events, and removes the events after their retention', async () => {
    const ages = {
      '198.18.7.9': 29 * day,
      '198.18.8.9': 31 * day,
      '2001:db8:1:2::9': 31 * day,
      unknown: 31 * day,
      '198.18.9.9': 366 * day,
    }
    for (const [ip, age] of Object.entries(ages)) {
      const row = { id: newId(), event: 'test', outcome: 'success' as const, node: 'test', details: {} }
      await app.ctx.db
        .insertInto('audit_events')
        .values({ ...row, time: ago(age), ip })
        .execute()
    }
    for (let round = 0; round < 2; round++) {
      await cleanUp(app.ctx)
      const { rows } = await sql<{
        ip: string | null
      }>`SELECT ip FROM audit_events WHERE event = 'test' ORDER BY time, ip`.execute(app.ctx.db)
      assert.deepEqual(
        rows.map(({ ip }) => ip),
        ['198.18.8.0/24', '2001:db8:1::/48', null, '198.18.7.9'],
      )
    }
  })

  test('removes counters whose window is over, and no lock that still holds', async () => {
    const limits = { running: minute, over: -minute }
    const addLimit = (name: string) =>
      sql`INSERT INTO rate_limits VALUES (${name}, 3, now() + ${limits[name as 'over']} * interval '1 millisecond')`.execute(
        app.ctx.db,
      )
    const presentLimits = () => column(sql`SELECT key AS name FROM rate_limits`)
    assert.deepEqual(await left(Object.keys(limits), addLimit, presentLimits), ['running'])

    const counters: Record<string, { end: number; lock: number | null }> = {
      running: { end: -minute, lock: null },
      'just over': { end: 30 * minute, lock: null },
      'long over': { end: 31 * day, lock: null },
      'over, but locked': { end: 31 * day, lock: -hour },
      'over, and no longer locked': { end: 33 * day, lock: 31 * day },
    }
    const addCounter = (key: string) => {
      const { end, lock } = counters[key]!
      const row = { key, failures: 5, in_a_row: 5, window_ends_at: ago(end), locked_until: lock ? ago(lock) : null }
      return app.ctx.db.insertInto('account_counters').values(row).execute()
    }
    const presentCounters = () => column(sql`SELECT key AS name FROM account_counters`)
    assert.deepEqual(await left(Object.keys(counters), addCounter, presentCounters), [
      'running',
      'just over',
      'over, but locked',
    ])
  })

  test('continues with the others when one job fails', async () => {
    const row = {
      id: newId(),
      event: 'test',
      outcome: 'success' as const,
      node: 'test',
      details: {},
      time: ago(400 * day),
    }
    await app.ctx.db.insertInto('audit_events').values(row).execute()
    await app.database.exec('ALTER TABLE one_time_secrets RENAME TO elsewhere')
    await cleanUp(app.ctx)
    await app.database.exec('ALTER TABLE elsewhere RENAME TO one_time_secrets')
    assert.deepEqual(await column(sql`SELECT event AS name FROM audit_events WHERE event = 'test'`), [])
    assert.match(app.logged(), /"job":"secrets","msg":"a cleanup job failed"/)
  })

  test('works through any number of rows, in batches', async () => {
    await sql`INSERT INTO audit_events (id, time, event, outcome, node)
      SELECT gen_random_uuid(), ${ago(400 * day)}, 'test', 'success', 'test' FROM generate_series(1, 2500)`.execute(
      app.ctx.db,
    )
    await cleanUp(app.ctx)
    assert.deepEqual(await column(sql`SELECT event AS name FROM audit_events WHERE event = 'test'`), [])
    assert.match(app.logged(), /"audit_events":2500/)
    assert.equal((await column(sql`SELECT email AS name FROM users`)).length, 1)
  })
})
