import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, iso, minute, second } from '../../../src/lib/time.ts'
import { mailsWith, mailWith } from '../../email-addresses/change-support.ts'
import { registered, signedInAs, withSession } from '../../support/people.ts'
import { auditOf, rowCounts } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { askForDeletion, cancelDeletion, cleanUpAll, deletionOf, deletionPath, historyOf } from './support.ts'

const env = {
  RATE_LIMIT_ADMIN: '1000/1h',
  SESSION_IDLE_TTL: '90d',
  SESSION_ABSOLUTE_TTL: '365d',
  REAUTH_WINDOW: '10m',
}
let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['privacy'], env })
})
after(() => app.stop())

const me = async (sessionToken: string) => (await app.get('/auth/me', withSession(sessionToken))).status
const none = { status: 'none', requested_at: null, scheduled_for: null }

test('a deletion is announced, waits for its day and then happens', async () => {
  const ada = await registered(app)
  assert.deepEqual(await deletionOf(app, ada), none)
  const asked = app.clock.now()
  const pending = { status: 'pending', requested_at: iso(asked), scheduled_for: iso(asked + 14 * day) }
  const reply = await askForDeletion(app, ada, { reason: 'no longer needed' })
  assert.deepEqual([reply.status, reply.json], [200, { success: true, data: pending }])
  assert.match(
    await mailWith(app, ada.email, 'will be deleted on'),
    /To keep your account, cancel the deletion:\s+http\S+\/account\/privacy\s/,
  )

  app.clock.advance(second)
  assert.deepEqual((await askForDeletion(app, ada)).json.data, pending, 'asked again, the times stay')
  assert.equal(mailsWith(app, ada.email, 'will be deleted on').length, 1)

  app.clock.advance(14 * day - 2 * second)
  await cleanUpAll(app)
  assert.deepEqual([await me(ada.sessionToken), await deletionOf(app, ada)], [200, pending])
  app.clock.advance(second)
  await cleanUpAll(app)
  assert.equal(await me(ada.sessionToken), 401)
  assert.equal((await app.post('/auth/login', ada)).status, 401)
  await mailWith(app, ada.email, 'Your account was deleted')
  assert.deepEqual(await historyOf(app, ada.id), ['deletion_requested self'])
  const [deleted] = (await auditOf(app, 'user_deleted')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual(deleted?.details, { reason: 'no longer needed' })
})

test('until then it can be cancelled, and asked for anew', async () => {
  const ada = await registered(app)
  assert.deepEqual((await cancelDeletion(app, ada)).json.code, 'NOT_FOUND')
  const { scheduled_for } = (await askForDeletion(app, ada)).json.data
  app.clock.advance(5 * minute)
  const cancelled = await cancelDeletion(app, ada)
  assert.deepEqual([cancelled.status, cancelled.json.data.status], [200, 'cancelled'])
  assert.deepEqual(await deletionOf(app, ada), cancelled.json.data)
  assert.equal(cancelled.json.data.scheduled_for, scheduled_for)
  await mailWith(app, ada.email, 'The request to delete your account was cancelled')
  assert.equal((await cancelDeletion(app, ada)).status, 404)
  assert.equal((await askForDeletion(app, ada)).json.data.scheduled_for, iso(app.clock.now() + 14 * day))
  await cancelDeletion(app, ada)
  app.clock.advance(15 * day)
  await cleanUpAll(app)
  assert.equal(await me(ada.sessionToken), 200)
  const requested = ['deletion_requested self', 'deletion_cancelled self']
  assert.deepEqual(await historyOf(app, ada.id), [...requested, ...requested])
})

test('an old sign-in asks for no deletion, unless the password comes along', async () => {
  const ada = await registered(app)
  app.clock.advance(11 * minute)
  const before = await rowCounts(app)
  assert.equal((await askForDeletion(app, ada)).json.code, 'REAUTH_REQUIRED')
  assert.equal((await askForDeletion(app, ada, { current_password: 'wrong' })).json.code, 'INVALID_CURRENT_PASSWORD')
  assert.deepEqual((await askForDeletion(app, ada, { reason: 'x'.repeat(501) })).json.details[0].field, 'reason')
  assert.deepEqual([await rowCounts(app), await deletionOf(app, ada)], [before, none])
  assert.equal((await askForDeletion(app, ada, { current_password: ada.password })).json.data.status, 'pending')
})

test('the last superadmin cannot ask for it, and does not go by an older request either', async () => {
  const [first, last] = [await signedInAs(app, 'superadmin'), await signedInAs(app, 'superadmin')]
  assert.equal((await askForDeletion(app, last)).json.data.status, 'pending')
  await app.call('DELETE', '/auth/user/me', withSession(first.sessionToken))
  app.clock.advance(14 * day)
  await cleanUpAll(app)
  assert.equal(await me(last.sessionToken), 200)
  assert.equal((await deletionOf(app, last)).status, 'cancelled')
  assert.deepEqual(await historyOf(app, last.id), ['deletion_requested self', 'deletion_cancelled service'])
  await mailWith(app, last.email, 'The request to delete your account was cancelled')
  assert.deepEqual((await auditOf(app, 'deletion_cancelled')).at(-1)?.details, { reason: 'LAST_SUPERADMIN' })

  const refused = await askForDeletion(app, last, { current_password: last.password })
  assert.deepEqual([refused.status, refused.json.code], [403, 'LAST_SUPERADMIN'])
  const [denied] = (await auditOf(app, 'authz_denied')).slice(-1)
  assert.deepEqual(denied?.details, { deed: 'delete', code: 'LAST_SUPERADMIN' })
  await sql`UPDATE users SET user_type = 'customer' WHERE id = ${last.id}`.execute(app.ctx.db)
})

test('who leaves at once and is restored is not deleted again by the older request', async () => {
  const [ada, admin] = [await registered(app), await signedInAs(app, 'admin')]
  await askForDeletion(app, ada)
  await app.call('DELETE', '/auth/user/me', withSession(ada.sessionToken))
  app.clock.advance(14 * day)
  await app.post(`/auth/admin/users/${ada.id}/restore`, {}, withSession(admin.sessionToken))
  await cleanUpAll(app)
  const { sessionId } = (await app.post('/auth/login', ada)).json
  assert.equal(await me(sessionId), 200)
  assert.deepEqual((await app.get(deletionPath, withSession(sessionId))).json.data, none)
})

test('one deletion that fails holds up no other', async () => {
  const people = [await registered(app), await registered(app)]
  for (const one of people) await askForDeletion(app, one)
  const [ada, grace] = people
  await sql`ALTER TABLE users ADD CONSTRAINT stays CHECK (deleted_at IS NULL OR id <> ${sql.lit(ada?.id)}) NOT VALID`.execute(
    app.ctx.db,
  )
  app.clock.advance(14 * day)
  await cleanUpAll(app)
  await sql`ALTER TABLE users DROP CONSTRAINT stays`.execute(app.ctx.db)
  assert.deepEqual([await me(ada!.sessionToken), await me(grace!.sessionToken)], [200, 401])
  await cleanUpAll(app)
  assert.equal(await me(ada!.sessionToken), 401)
})

test('an erased person leaves a history that leads to nobody', async () => {
  const ada = await registered(app)
  await app.call('PUT', '/auth/user/me/privacy', { ...withSession(ada.sessionToken), body: { privacy_region: 'eu' } })
  await askForDeletion(app, ada)
  const rows = async () => {
    const found = await sql<{ user_id: string | null; ip_address: string; user_agent: string; subject: string }>`
      SELECT user_id, ip_address, user_agent, encode(subject_hash, 'escape') AS subject FROM user_privacy_events
      WHERE event IN ('region_changed', 'deletion_requested') AND created_at >= ${new Date(start)}`.execute(app.ctx.db)
    return found.rows
  }
  const start = app.clock.now()
  const before = await rows()
  assert.deepEqual(
    before.map(({ user_id }) => user_id),
    [ada.id, ada.id],
  )
  assert.ok(before.every(({ ip_address }) => ip_address !== null))
  app.clock.advance(14 * day)
  await cleanUpAll(app)
  app.clock.advance(30 * day)
  await cleanUpAll(app)
  const left = (await rows()).slice(0, 2)
  assert.deepEqual(
    left.map(({ user_id, ip_address, user_agent }) => [user_id, ip_address, user_agent]),
    [
      [null, null, null],
      [null, null, null],
    ],
  )
  assert.deepEqual(new Set(left.map(({ subject }) => subject)).size, 1)
  assert.ok(!left[0]?.subject.includes(ada.id))
  const { rows: counts } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM user_deletion_requests WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  assert.equal(counts[0]?.count, 0)
})

test('without a time of grace it happens at once', async () => {
  const hasty = await startTestApp({ modules: ['privacy'], env: { PRIVACY_DELETION_GRACE: '0s' } })
  try {
    const ada = await registered(hasty)
    const { requested_at, scheduled_for, status } = (await askForDeletion(hasty, ada)).json.data
    assert.deepEqual([status, scheduled_for], ['pending', requested_at])
    await mailWith(hasty, ada.email, 'Your account was deleted')
    assert.equal((await hasty.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  } finally {
    await hasty.stop()
  }
})
