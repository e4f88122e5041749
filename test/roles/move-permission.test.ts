import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { declaringApplication, grant, validatedUser } from './support.ts'

let app: TestApp
let root: Awaited<ReturnType<typeof signedInAs>>
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '10000/1h', REAUTH_WINDOW: '12h' } })
})
after(() => app.stop())

let count = 0
let from: string
let to: string
let invoices: string
let declared: Awaited<ReturnType<typeof declaringApplication>>
beforeEach(async () => {
  count += 1
  ;[from, to, invoices] = [`from${count}`, `to${count}`, `from${count}:read`]
  declared = await declaringApplication(app, from, { permissions: [invoices], roles: { reader: [invoices] } })
  await declaringApplication(app, to, {})
  root = await signedInAs(app, 'superadmin')
})

const listed = async (application: string) => {
  const url = `/auth/admin/permissions?application=${application}`
  const { status, json } = await app.call('GET', url, withSession(root.sessionToken))
  assert.equal(status, 200)
  return json.data.permissions as { key: string; application: { key: string } }[]
}
const move = (application: unknown, { by = root, permission = invoices } = {}) =>
  app.call('PUT', `/auth/admin/permissions/${encodeURIComponent(permission)}`, {
    body: { application },
    ...withSession(by.sessionToken),
  })

test('a superadmin lists permissions by application and moves one, which roles of the former one then lack', async () => {
  const user = await validatedUser(app)
  await grant(app, user.id, declared.roles.reader)
  assert.deepEqual((await user.validate()).permissions, [invoices])
  assert.deepEqual((await listed(to)).length, 0)
  const { status, json } = await move(to)
  assert.deepEqual([status, json.data?.application.key, json.data?.retired_at], [200, to, null])
  assert.deepEqual([(await listed(from)).length, (await listed(to))[0]?.key], [0, invoices])
  assert.deepEqual((await user.validate()).permissions, [])
  assert.equal((await move(to)).status, 200, 'nothing to do')
  const [moved, ...others] = await auditOf(app, 'permission_moved')
  assert.deepEqual([moved?.actor_id, moved?.details.key, others], [root.id, to, []])
})

test('the permission and the application must exist', async () => {
  assertError(await move(to, { permission: 'no:such' }), 404, 'NOT_FOUND')
  const { status, json } = await move('no-such-application')
  assert.deepEqual([status, json.details?.[0].field], [400, 'application'])
  assertError(await move(undefined), 400, 'VALIDATION_ERROR')
  assert.equal((await listed(from)).length, 1)
})

test('only superadmins with a recent authentication move a permission, and denials are audited', async () => {
  const role = { key: `keeper${count}`, name: 'Keeper', permissions: ['applications:read', 'applications:manage'] }
  assert.equal((await app.post('/auth/admin/roles', role, withSession(root.sessionToken))).status, 200)
  const keeper = await signedInAs(app, role.key)
  assertError(await move(to, { by: keeper }), 403, 'FORBIDDEN')
  const [denied] = (await auditOf(app, 'authz_denied')).slice(-1)
  assert.deepEqual([denied?.actor_id, denied?.details.deed], [keeper.id, 'move_permission'])
  app.clock.advance(13 * hour)
  assertError(await move(to), 403, 'REAUTH_REQUIRED')
  assert.equal((await listed(from)).length, 1)
})
