import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { declaringApplication, validatedUser } from './support.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({
    env: {
      ...{ RATE_LIMIT_ADMIN: '10000/1h', RATE_LIMIT_BULK: '10000/1h', RATE_LIMIT_LOGIN: '1000/15m' },
      REAUTH_WINDOW: '30m',
    },
  })
  await declaringApplication(app, 'billing', {
    permissions: ['invoices:read', { key: 'invoices:pay', sensitive: true }],
    roles: { reader: ['invoices:read'], payer: ['invoices:pay'], clerk: [] },
  })
})
after(() => app.stop())

type Validated = Awaited<ReturnType<typeof validatedUser>>
let users: readonly [Validated, Validated]
let ids: string[]
beforeEach(async () => {
  admin = await signedInAs(app, 'admin')
  users = [await validatedUser(app), await validatedUser(app)]
  ids = users.map(({ id }) => id)
})

const bulk = (body: object, who = admin) => app.post('/auth/admin/users/bulk', body, withSession(who.sessionToken))
const rolesOf = async (user: Validated) => (await user.validate()).roles
const reader = { application_role: 'billing:reader' }
const payer = { application_role: 'billing:payer' }
const codesOf = ({ json }: { json: { data: { results: { code?: string }[] } } }) =>
  json.data.results.map(({ code }) => code)

test('a role is granted to many users and revoked, and their other roles stay', async () => {
  await bulk({ action: 'grant_role', ids, application_role: 'billing:clerk' })
  const until = new Date(app.clock.now() + hour).toISOString()
  const granted = await bulk({ action: 'grant_role', ids, ...reader, until })
  assert.deepEqual(
    granted.json.data.results,
    ids.map((id) => ({ id, ok: true })),
    granted.text,
  )
  for (const user of users) assert.deepEqual(await rolesOf(user), ['billing:clerk', 'billing:reader'])
  const events = (await auditOf(app, 'roles_granted')).slice(-2)
  assert.deepEqual(
    events.map(({ actor_id, target_id, details }) => [actor_id, target_id, details]),
    ids.map((id) => [admin.id, id, { roles: ['billing:reader'], until: { 'billing:reader': until } }]),
  )
  assert.deepEqual(codesOf(await bulk({ action: 'revoke_role', ids, ...reader })), [undefined, undefined])
  for (const user of users) assert.deepEqual(await rolesOf(user), ['billing:clerk'])
  assert.deepEqual(
    (await auditOf(app, 'roles_revoked')).slice(-2).map(({ target_id: id }) => id),
    ids,
  )
})

test('a role that does not exist or has ended is rejected before any change', async () => {
  for (const application_role of ['billing:owner', 'billing', 'other:reader', 'billing:reader:x', '', undefined])
    for (const action of ['grant_role', 'revoke_role'])
      assertError(await bulk({ action, ids, application_role }), 400, 'VALIDATION_ERROR')
  const until = new Date(app.clock.now() - hour).toISOString()
  assertError(await bulk({ action: 'grant_role', ids, ...reader, until }), 400, 'VALIDATION_ERROR')
  for (const user of users) assert.equal(await rolesOf(user), undefined)
})

test('many grants ask the same question as one', async () => {
  const superadmin = await signedInAs(app, 'superadmin')
  const targets = [admin.id, superadmin.id, ids[0]]
  const response = await bulk({ action: 'grant_role', ids: targets, ...reader })
  assert.deepEqual(codesOf(response), ['FORBIDDEN', 'FORBIDDEN', undefined])
  const denied = (await auditOf(app, 'authz_denied')).slice(-2)
  assert.deepEqual(
    denied.map(({ target_id, details }) => [target_id, details.deed]).toSorted(),
    [
      [admin.id, 'grant_roles'],
      [superadmin.id, 'grant_roles'],
    ].toSorted(),
  )
  assertError(await bulk({ action: 'grant_role', ids, ...reader }, await signedInAs(app, 'support')), 403, 'FORBIDDEN')
  const body = { key: 'bulk-only', name: 'Bulk', permissions: ['users:read', 'users:bulk'] }
  await app.post('/auth/admin/roles', body, withSession(superadmin.sessionToken))
  const limited = await signedInAs(app, 'bulk-only')
  assert.deepEqual(codesOf(await bulk({ action: 'grant_role', ids, ...reader }, limited)), ['FORBIDDEN', 'FORBIDDEN'])
  assert.deepEqual(await rolesOf(users[0]), ['billing:reader'])
  assert.equal(await rolesOf(users[1]), undefined)
})

test('a sensitive role requires a recent sign-in', async () => {
  assert.deepEqual(codesOf(await bulk({ action: 'grant_role', ids: [ids[0]], ...payer })), [undefined])
  app.clock.advance(hour / 2 + 1_000)
  for (const action of ['grant_role', 'revoke_role'])
    assertError(await bulk({ action, ids, ...payer }), 403, 'REAUTH_REQUIRED')
  assert.deepEqual(await rolesOf(users[0]), ['billing:payer'])
  assert.equal(await rolesOf(users[1]), undefined)
})

test('the console gives selected users a role with an end, and takes it', async () => {
  const staff = await staffOf(app, 'superadmin')
  const picks = { pick0: ids[0] ?? '', pick1: ids[1] ?? '' }
  await staff.open('/admin/people')
  const asks = await staff.send('/admin/bulk/people', { action: 'grant_role', ...picks })
  assert.match(textOf(asks.text), /Give 2 users a role/)
  assert.match(asks.text, /<option value="billing:reader">/)
  const empty = await staff.send('/admin/bulk/people/confirm', { application_role: '' })
  assert.equal(empty.status, 400)
  assert.match(empty.text, /aria-describedby="application_role-problem"/)
  const given = await staff.send('/admin/bulk/people/confirm', { ...reader, days: '30' })
  assert.equal(given.headers.location, '/admin/people?done=grant_role&count=2', given.text)
  const { json } = await app.get(`/auth/admin/users/${ids[0]}/roles`, withSession(admin.sessionToken))
  assert.ok(Date.parse(json.data.roles[0].until) > app.clock.now() + 29 * 24 * hour)
  await staff.open('/admin/people')
  await staff.send('/admin/bulk/people', { action: 'revoke_role', ...picks })
  const taken = await staff.send('/admin/bulk/people/confirm', reader)
  assert.equal(taken.headers.location, '/admin/people?done=revoke_role&count=2', taken.text)
  for (const user of users) assert.equal(await rolesOf(user), undefined)
  assert.match(textOf((await staff.open('/admin/people?done=revoke_role&count=2')).text), /2 users no longer have/)
})
