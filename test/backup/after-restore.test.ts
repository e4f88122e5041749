import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { restoreTables } from '../../src/backup/restore.ts'
import { verifyBackup } from '../../src/backup/restore-backup.ts'
import type { Database } from '../../src/db/connect.ts'
import { day } from '../../src/lib/time.ts'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { backUp, loaded, newDirectory, openEmpty, restore } from './support.ts'

let app: TestApp
const people: Record<string, string> = {}
before(async () => {
  app = await startTestApp({ modules: ['privacy', 'two-factor'] })
  for (const name of ['ada', 'grace', 'alan'] as const) people[name] = (await registered(app, name)).id
  await insertMessage('old mail', "'mail', now() - interval '1 hour'")
  await insertMessage('new mail', "'mail', now() - interval '1 minute'")
  await insertMessage('old task', "'task', now() - interval '1 hour'")
  await sql`INSERT INTO social_flows (state_hash, flow_hash, provider, format, expires_at)
    VALUES ('x', 'x', 'google', 'web', now() + interval '1 day')`.execute(app.ctx.db)
})
after(() => app?.stop())

const insertMessage = (message: string, values: string) =>
  sql`INSERT INTO outbox (id, message, payload, status, channel, created_at)
    SELECT gen_random_uuid(), ${message}, 'sealed', 'queued', ${sql.raw(values)}`.execute(app.ctx.db)

const newBackup = async (t: TestContext): Promise<string> => {
  const path = join(await newDirectory(t), 'backup')
  await backUp(app, path)
  return path
}

const rowsOf = async ({ db }: Database, text: string) => (await sql.raw(text).execute(db)).rows

const waiting = async (target: Database) =>
  (await rowsOf(target, "SELECT message FROM outbox WHERE status IN ('pending', 'queued') ORDER BY 1")).map(
    (row) => (row as { message: string }).message,
  )

test('a restore forgets remembered browsers, even if the settings do not allow any', async (t) => {
  const target = await openEmpty(t)
  await restore(app, target, await newBackup(t))
  const changed = "SELECT FROM users WHERE two_factor_changed_at > now() - interval '1 minute'"
  assert.equal((await rowsOf(target, changed)).length, 3)
})

test('with --keep-sessions, a restore sends no mail that was old when the backup was made', async (t) => {
  const target = await openEmpty(t)
  await restore(app, target, await newBackup(t), { keepSessions: true })
  const left = await waiting(target)
  assert.deepEqual(
    ['old mail', 'new mail', 'old task'].filter((name) => left.includes(name)),
    ['new mail', 'old task'],
  )
})

test('a restore with --keep-sessions that is completed without it sends no message', async (t) => {
  const target = await openEmpty(t)
  const file = { path: await newBackup(t), passphrase: undefined }
  const verified = await verifyBackup(file)
  await restoreTables(target, { modules: loaded(), now: new Date(), onProgress, file, verified })
  await restore(app, target, file.path)
  assert.deepEqual(await waiting(target), [])
  assert.deepEqual(await rowsOf(target, 'SELECT FROM social_flows'), [])
})

test('deletions that became due since the backup wait for a week', async (t) => {
  await sql`INSERT INTO user_deletion_requests (id, user_id, status, requested_at, scheduled_for) VALUES
    (gen_random_uuid(), ${people.ada}, 'pending', now() - interval '20 days', now() - interval '6 days'),
    (gen_random_uuid(), ${people.grace}, 'pending', now(), now() + interval '30 days')`.execute(app.ctx.db)
  const retention = app.ctx.config.DELETED_RETENTION
  const longAgo = new Date(Date.now() - retention - day)
  await sql`UPDATE users SET deleted_at = ${longAgo} WHERE id = ${people.alan}`.execute(app.ctx.db)
  const target = await openEmpty(t)
  const report = await restore(app, target, await newBackup(t))
  assert.deepEqual(report.postponed, { deletions: 1, erasures: 1 })
  const soon = "SELECT user_id FROM user_deletion_requests WHERE scheduled_for < now() + interval '6 days'"
  assert.deepEqual(await rowsOf(target, soon), [])
  assert.equal((await rowsOf(target, soon.replace('6 days', '8 days'))).length, 1)
  const { rows } = await sql`SELECT id FROM users
    WHERE deleted_at < now() - ${retention - 6 * day} * interval '1 millisecond'`.execute(target.db)
  assert.deepEqual(rows, [])
})

test('a restore revokes the secrets of applications, which may have been revoked since the backup', async (t) => {
  const application = '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90'
  await sql`INSERT INTO applications (id, created_at, updated_at, is_enabled, is_development, key, name, kind)
    VALUES (${application}, now(), now(), true, false, 'shop', 'Shop', 'website')`.execute(app.ctx.db)
  await sql`INSERT INTO application_secrets (id, application_id, created_at, secret_hash, hint, rights, ip_ranges)
    VALUES (gen_random_uuid(), ${application}, now(), '\\x00', 'wbs_…', '{sessions}', '{}')`.execute(app.ctx.db)
  const backup = await newBackup(t)
  for (const [keepSessions, expected] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const target = await openEmpty(t)
    const { revoked } = await restore(app, target, backup, { keepSessions })
    assert.deepEqual(
      [revoked, (await rowsOf(target, 'SELECT FROM application_secrets')).length],
      [1 - expected, expected],
    )
    assert.equal((await rowsOf(target, 'SELECT FROM applications')).length, 1)
  }
})

test('a restore does not connect to Redis, which may belong to the original', async (t) => {
  let connections = 0
  const redis = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  t.after(() => redis.close())
  await once(redis, 'listening')
  const REDIS_URL = `redis://127.0.0.1:${(redis.address() as AddressInfo).port}`
  const source = { ...app, ctx: { ...app.ctx, config: { ...app.ctx.config, REDIS_URL } } }
  await restore(source, await openEmpty(t), await newBackup(t))
  assert.equal(connections, 0)
})

const onProgress = () => {}
