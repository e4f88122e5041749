import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { declaringApplication } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_LOGIN: '100/15m' } })
  await declaringApplication(app, 'billing', {
    permissions: ['invoices:read', { key: 'invoices:write', sensitive: true }],
    roles: { member: ['invoices:read'], accountant: ['invoices:*', 'invoices:write'], clerk: [] },
    default: 'member',
  })
})
after(() => app.stop())

const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')

test('the page of roles lists the roles of applications with their permissions', async () => {
  const { text } = await (await staffOf(app, 'superadmin')).open('/admin/roles')
  assert.match(words(text), /billing accountant accountant · 0 users .* invoices:read invoices:write/)
  assert.match(words(text), /member member · Every user has it/)
})

test('an administrator gives a user a role with an end, and takes it again', async () => {
  const [root, ada] = [await staffOf(app, 'superadmin'), await registered(app)]
  const path = `/admin/people/${ada.id}`
  assert.match((await root.open(`${path}/give-role`)).text, /value="billing:accountant"/)
  await root.send(`${path}/give-role`, { application_role: 'billing:clerk' })
  await root.open(`${path}/give-role`)
  const given = await root.send(`${path}/give-role`, { application_role: 'billing:accountant', days: '30' })
  assert.equal(given.headers.location, `${path}?done=give-role`, given.text)
  const page = words((await root.open(path)).text)
  assert.match(page, /Application roles billing: accountant Until .* · invoices:read, invoices:write/)
  assert.match(page, /billing: clerk No permissions billing: member Every user has it · invoices:read/)
  await root.open(`${path}/take-role`)
  await root.send(`${path}/take-role`, { application_role: 'billing:accountant' })
  const { json } = await app.get(`/auth/admin/users/${ada.id}/roles`, withSession(root.sessionToken))
  assert.deepEqual(
    json.data.roles.map(({ role }: { role: string }) => role),
    ['clerk'],
  )
})

test('users without the right are offered no roles to give', async () => {
  const [support, ada] = [await staffOf(app, 'support'), await registered(app)]
  const path = `/admin/people/${ada.id}`
  const { text } = await support.open(path)
  assert.match(words(text), /billing: member Every user has it/)
  assert.ok(!text.includes(`${path}/give-role`))
  assert.equal((await support.open(`${path}/give-role`)).status, 403)
})

test('a superadmin sees the permissions of applications, and moves one', async () => {
  const root = await staffOf(app, 'superadmin')
  const path = '/admin/roles/permissions'
  await declaringApplication(app, 'accounting', { permissions: ['ledger:read'] })
  assert.match((await root.open('/admin/roles')).text, /href="\/admin\/roles\/permissions"/)
  assert.match(
    words((await root.open(path)).text),
    /accounting ledger:read billing invoices:read invoices:write Sensitive/,
  )
  const wrong = await root.send(path, { permission: 'ledger:read', application: 'no-such' })
  assert.equal(wrong.status, 400)
  assert.match(words(wrong.text), /Choose an application\./)
  const gone = await root.send(path, { permission: '', application: 'billing' })
  assert.match(words(gone.text), /Choose a permission that still exists/)
  const moved = await root.send(path, { permission: 'ledger:read', application: 'billing' })
  assert.equal(moved.headers.location, `${path}?done=moved`, moved.text)
  assert.match(words((await root.open(path)).text), /billing invoices:read invoices:write Sensitive ledger:read Move/)
})

test('who may not see applications gets no page of permissions, and who is no superadmin no form', async () => {
  const path = '/admin/roles/permissions'
  const support = await staffOf(app, 'support')
  assert.doesNotMatch((await support.open('/admin/roles')).text, /roles\/permissions/)
  assert.equal((await support.open(path)).status, 403)
  const root = await staffOf(app, 'superadmin')
  const permissions = ['users:read', 'applications:read', 'applications:manage', 'roles:manage']
  const role = { key: 'keeper', name: 'Keeper', permissions }
  assert.equal((await app.post('/auth/admin/roles', role, withSession(root.sessionToken))).status, 200)
  const keeper = await staffOf(app, 'keeper')
  const { status, text } = await keeper.open(path)
  assert.deepEqual([status, text.includes(`action="${path}"`)], [200, false])
})
