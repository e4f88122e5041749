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
