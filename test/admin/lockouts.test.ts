import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: {
      RATE_LIMIT_ADMIN: '100000/1h',
      RATE_LIMIT_LOGIN: '100000/1h',
      LOCKOUT_MAX_FAILURES: '10',
      LOCKOUT_DURATION: '30m',
      REAUTH_WINDOW: '20m',
    },
  })
})
after(() => app.stop())

async function lock(who: SignedIn) {
  for (let attempt = 0; attempt < 10; attempt++) {
    // By default, an account is locked after five failed attempts in 15 minutes.
    if (attempt === 5) app.clock.advance(16 * minute)
    await app.post('/auth/login', { email: who.email, password: 'not the password' })
  }
  assert.equal((await auditOf(app, 'login_locked')).at(-1)?.target_id, who.id)
}
const listed = async (viewer: SignedIn): Promise<string[]> => {
  const { status, json, text } = await app.get('/auth/admin/lockouts', withSession(viewer.sessionToken))
  assert.equal(status, 200, text)
  return json.data.lockouts.map(({ user_id: id }: { user_id: string }) => id)
}
const unlock = (who: SignedIn, viewer: SignedIn) =>
  app.post(`/auth/admin/users/${who.id}/unlock`, {}, withSession(viewer.sessionToken))

test('a locked account is listed until an admin lifts the lock, and can sign in afterwards', async () => {
  const admin = await signedInAs(app, 'admin')
  const [ada, other] = [await registered(app), await registered(app)]
  await lock(ada)
  assert.equal((await app.post('/auth/login', ada)).json.code, 'ACCOUNT_LOCKED')
  assert.deepEqual(await listed(admin), [ada.id])
  assert.equal((await unlock(ada, admin)).status, 200)
  assert.deepEqual(await listed(admin), [])
  assert.equal((await app.post('/auth/login', ada)).status, 200)
  const [event] = await auditOf(app, 'user_unlocked')
  assert.deepEqual([event?.actor_id, event?.target_id], [admin.id, ada.id])
  assert.ok(event)
  const { locked_until: change } = event.details as { locked_until?: { from: string; to: null } }
  assert.ok(change && Date.parse(change.from) > app.clock.now())
  assert.equal((await unlock(other, admin)).status, 200)
  assert.equal((await auditOf(app, 'user_unlocked')).length, 1, 'nothing is recorded if nothing was locked')
})

test('a lock that has ended is not listed', async () => {
  const ada = await registered(app)
  await lock(ada)
  app.clock.advance(31 * minute)
  assert.deepEqual(await listed(await signedInAs(app, 'support')), [])
})

test('only a superadmin sees and lifts the lock of a superadmin, and nobody lifts their own', async () => {
  const [admin, boss, other] = [
    await signedInAs(app, 'admin'),
    await signedInAs(app, 'superadmin'),
    await signedInAs(app, 'superadmin'),
  ]
  await lock(boss)
  assert.deepEqual(await listed(admin), [])
  assert.equal((await unlock(boss, admin)).json.code, 'FORBIDDEN')
  assert.equal((await unlock(boss, boss)).json.code, 'FORBIDDEN')
  assert.deepEqual(await listed(other), [boss.id])
  assert.equal((await unlock(boss, other)).status, 200)
  assert.deepEqual(await listed(other), [])
})

test('an account that has used up its attempts is listed with the end of the wait, until the lock is lifted', async () => {
  const [admin, ada, grace] = [await signedInAs(app, 'admin'), await registered(app), await registered(app, 'grace')]
  const throttled = async (viewer: SignedIn) =>
    (await app.get('/auth/admin/lockouts', withSession(viewer.sessionToken))).json.data.throttled
  const fail = (who: SignedIn) => app.post('/auth/login', { email: who.email, password: 'not the password' })
  for (let attempt = 0; attempt < 4; attempt++) await fail(grace)
  for (let attempt = 0; attempt < 6; attempt++) await fail(ada)
  assert.equal((await app.post('/auth/login', ada)).json.code, 'RATE_LIMITED')
  const [one, ...others] = await throttled(admin)
  assert.deepEqual([one.user_id, others], [ada.id, []])
  const wait = Date.parse(one.throttled_until) - app.clock.now()
  assert.ok(wait > 14 * minute && wait <= 15 * minute)
  assert.deepEqual(await listed(admin), [])
  assert.equal((await unlock(ada, admin)).status, 200)
  assert.deepEqual(await throttled(admin), [])
  assert.equal((await app.post('/auth/login', ada)).status, 200)
  const event = (await auditOf(app, 'user_unlocked')).at(-1)
  assert.deepEqual(
    [event?.target_id, event?.details],
    [ada.id, { throttled_until: { from: one.throttled_until, to: null } }],
  )

  const boss = await signedInAs(app, 'superadmin', 'ada')
  for (let attempt = 0; attempt < 6; attempt++) await fail(boss)
  assert.deepEqual(await throttled(admin), [])
  assert.equal((await throttled(await signedInAs(app, 'superadmin')))[0].user_id, boss.id)
  app.clock.advance(16 * minute)
  assert.deepEqual(await throttled(await signedInAs(app, 'superadmin')), [])
})

test('lifting a lock requires recent authentication, and support agents cannot lift any', async () => {
  const [late, ada] = [await signedInAs(app, 'admin'), await registered(app)]
  await lock(ada)
  app.clock.advance(21 * minute)
  assert.equal((await unlock(ada, late)).json.code, 'REAUTH_REQUIRED')
  const support = await signedInAs(app, 'support')
  assert.equal((await unlock(ada, support)).json.code, 'FORBIDDEN')
  assert.deepEqual(await listed(support), [ada.id])
})

test('an unknown user is not found', async () => {
  const admin = await signedInAs(app, 'admin')
  for (const id of ['019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90', 'nobody'])
    assert.equal((await app.post(`/auth/admin/users/${id}/unlock`, {}, withSession(admin.sessionToken))).status, 404)
})
