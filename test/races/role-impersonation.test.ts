import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { needsPostgres } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('a role that loses the permission to act as users', needsPostgres, () => {
  let app: TestApp
  let other: pg.Client
  before(async () => {
    app = await startTestApp()
    other = new pg.Client({ connectionString: app.ctx.config.DATABASE_URL })
    await other.connect()
  })
  after(async () => {
    await other?.end()
    await app?.stop()
  })

  test('leaves no session that was being created', async () => {
    const root = await signedInAs(app, 'superadmin')
    const role = { key: 'actor', name: 'Actor', permissions: ['users:read', 'users:impersonate'] }
    const created = await app.post('/auth/admin/roles', role, withSession(root.sessionToken))
    assert.equal(created.status, 200, created.text)
    const [actor, ada] = [await signedInAs(app, 'actor'), await registered(app)]

    // The session waits here after the permission has been checked.
    await other.query('BEGIN; LOCK TABLE audit_events IN EXCLUSIVE MODE')
    const url = `/auth/admin/users/${ada.id}/impersonate`
    const starting = app.post(url, { reason: 'A race' }, withSession(actor.sessionToken))
    const waiting = async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(app.ctx.db)
      return rows.length
    }
    await eventually(async () => (await waiting()) === 1)
    const third = new pg.Client({ connectionString: app.ctx.config.DATABASE_URL })
    await third.connect()
    const changing = third.query("UPDATE roles SET permissions = '{users:read}' WHERE key = 'actor'")
    await Promise.race([changing, eventually(async () => (await waiting()) === 2)])
    await other.query('COMMIT')
    const started = await starting
    await changing
    await third.end()
    assert.equal(started.status, 200, started.text)
    const { rows } = await other.query('SELECT status FROM sessions WHERE impersonated_by IS NOT NULL')
    assert.deepEqual(rows, [{ status: 'revoked' }])
  })
})
