import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { declaringApplication, validatedUser } from './support.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '10000/1h', REAUTH_WINDOW: '30m' } })
  admin = await signedInAs(app, 'admin')
  await declaringApplication(app, 'billing', {
    permissions: ['invoices:read', { key: 'invoices:pay', sensitive: true }],
    roles: { reader: ['invoices:read'], payer: ['invoices:pay'] },
  })
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`role${at}`, []]))
  await declaringApplication(app, 'shop', { roles: many })
})
after(() => app.stop())

let user: Awaited<ReturnType<typeof validatedUser>>
beforeEach(async () => {
  user = await validatedUser(app)
})

const setRoles = (body: object, { as = admin, of = user.id } = {}) =>
  app.call('PUT', `/auth/admin/users/${of}/roles`, { body, ...withSession(as.sessionToken) })
const billing = (role: string, more: object = {}) => ({ application: 'billing', role, ...more })
const shop = (at: number) => ({ application: 'shop', role: `role${at}` })

describe('application roles', () => {
  test('are granted and revoked as a list, which takes effect at once', async () => {
    const granted = await setRoles({ roles: [billing('reader'), shop(1)] })
    assert.equal(granted.status, 200, granted.text)
    assert.deepEqual((await user.validate()).roles, ['billing:reader', 'shop:role1'])
    const [first] = granted.json.data.roles
    assert.deepEqual(
      [first.application, first.role, first.granted_by, first.until],
      ['billing', 'reader', admin.id, null],
    )
    const { json } = await setRoles({ application: 'billing', roles: [] })
    assert.deepEqual(
      json.data.roles.map(({ role }: { role: string }) => role),
      ['role1'],
    )
    assert.deepEqual((await user.validate()).roles, ['shop:role1'])
    const events = [(await auditOf(app, 'roles_granted')).at(-1), (await auditOf(app, 'roles_revoked')).at(-1)]
    assert.deepEqual(
      events.map((event) => [event?.actor_id, event?.target_id, event?.details.roles]),
      [
        [admin.id, user.id, ['billing:reader', 'shop:role1']],
        [admin.id, user.id, ['billing:reader']],
      ],
    )
    await setRoles({ roles: [shop(1)] })
    assert.equal((await auditOf(app, 'roles_granted')).length, 1)
  })

  test('can have an end, which must be in the future', async () => {
    const until = new Date(app.clock.now() + hour).toISOString()
    assert.equal((await setRoles({ roles: [billing('reader', { until })] })).status, 200)
    assert.deepEqual((await user.validate()).roles, ['billing:reader'])
    const past = new Date(app.clock.now() - hour).toISOString()
    assertError(await setRoles({ roles: [billing('reader', { until: past })] }), 400, 'VALIDATION_ERROR')
    assertError(await setRoles({ roles: [billing('reader', { until: 'soon' })] }), 400, 'VALIDATION_ERROR')
    assertError(await setRoles({ roles: [billing('payer', { untill: until })] }), 400, 'VALIDATION_ERROR')
  })

  test('are at most ten, exist and are named once', async () => {
    const ten = Array.from({ length: 10 }, (_, at) => shop(at))
    assert.equal((await setRoles({ roles: ten })).status, 200)
    assertError(await setRoles({ roles: [...ten, shop(10)] }), 400, 'VALIDATION_ERROR')
    assertError(await setRoles({ application: 'billing', roles: [billing('reader')] }), 400, 'VALIDATION_ERROR')
    for (const roles of [[billing('owner')], [shop(1), shop(1)], [{ application: 'unknown', role: 'reader' }]])
      assertError(await setRoles({ roles }), 400, 'VALIDATION_ERROR')
    assertError(await setRoles({ application: 'billing', roles: [shop(1)] }), 400, 'VALIDATION_ERROR')
    assert.equal((await user.validate()).roles.length, 10)
  })

  test('with a sensitive permission are granted and revoked only after a recent sign-in', async () => {
    assert.equal((await setRoles({ roles: [billing('payer')] })).status, 200)
    const other = await signedInAs(app, 'admin')
    app.clock.advance(hour / 2 + 1_000)
    const target = await validatedUser(app)
    for (const [of, roles] of [
      [target.id, [billing('payer')]],
      [user.id, []],
    ] as const)
      assertError(await setRoles({ roles }, { as: other, of }), 403, 'REAUTH_REQUIRED')
    assert.equal((await setRoles({ roles: [billing('reader')] }, { as: other, of: target.id })).status, 200)
    assert.deepEqual((await target.validate()).roles, ['billing:reader'])
    admin = await signedInAs(app, 'admin')
  })

  test('are not changed by users without the permission, for oneself or for a superadmin', async () => {
    const support = await signedInAs(app, 'support')
    const superadmin = await signedInAs(app, 'superadmin')
    const roles = [billing('reader')]
    assertError(await setRoles({ roles }, { as: support }), 403, 'FORBIDDEN')
    assertError(await setRoles({ roles }, { as: await registered(app) }), 403, 'FORBIDDEN')
    assertError(await setRoles({ roles }, { of: admin.id }), 403, 'FORBIDDEN')
    assertError(await setRoles({ roles }, { as: superadmin, of: superadmin.id }), 403, 'FORBIDDEN')
    assertError(await setRoles({ roles }, { of: superadmin.id }), 403, 'FORBIDDEN')
    assert.equal((await auditOf(app, 'authz_denied')).at(-1)?.details.deed, 'grant_roles')
    assertError(await setRoles({ roles }, { of: 'unknown' }), 404, 'NOT_FOUND')
  })

  test('are not among the members that users or administrators change in another way', async () => {
    const roles = [billing('reader')]
    const body = { roles, role: 'reader', user_roles: roles, permissions: ['invoices:read'] }
    await app.call('PUT', '/auth/profile', { body, ...withSession(user.sessionToken) })
    await app.call('PUT', '/auth/user/me', { body, ...withSession(user.sessionToken) })
    await app.call('PUT', `/auth/admin/users/${user.id}`, { body, ...withSession(admin.sessionToken) })
    assert.equal((await user.validate()).roles, undefined)
  })
})
