import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { declaringApplication, grant } from './support.ts'

let app: TestApp
let admin: SignedIn
let billing: Awaited<ReturnType<typeof declaringApplication>>
let users: readonly SignedIn[]
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_EXPORT: '100000/1h' } })
  admin = await signedInAs(app, 'admin')
  billing = await declaringApplication(app, 'billing', {
    permissions: ['invoices:read'],
    roles: { reader: ['invoices:read'], clerk: [], member: [] },
    default: 'member',
  })
  await declaringApplication(app, 'shop', { roles: { reader: [] } })
})
after(() => app.stop())

beforeEach(async () => {
  await app.ctx.db.deleteFrom('user_roles').execute()
  users = [await registered(app), await registered(app), await registered(app)]
})

const get = (path: string, query: Record<string, string>) =>
  app.get(path, { ...withSession(admin.sessionToken), query })
async function found(query: Record<string, string>): Promise<string[]> {
  const { status, json, text } = await get('/auth/users', { sort: 'created_at', ...query })
  assert.equal(status, 200, text)
  assert.equal(json.data.pagination.total >= json.data.users.length, true)
  return json.data.users.map(({ id }: { id: string }) => id).toSorted()
}
const idOf = (at: number): string => users[at]?.id ?? ''

test('a search by application role finds the users who have it at present', async () => {
  await grant(app, idOf(0), billing.roles.reader)
  await grant(app, idOf(1), billing.roles.reader, new Date(app.clock.now() + hour))
  await grant(app, idOf(2), billing.roles.reader, new Date(app.clock.now() - hour))
  await grant(app, idOf(2), billing.roles.clerk)
  assert.deepEqual(await found({ application_role: 'billing:reader' }), [idOf(0), idOf(1)].toSorted())
  assert.deepEqual(await found({ application_role: 'billing:reader', id: idOf(1) }), [idOf(1)])
  assert.deepEqual(await found({ application_role: 'shop:reader' }), [])
  app.clock.advance(2 * hour)
  admin = await signedInAs(app, 'admin')
  assert.deepEqual(await found({ application_role: 'billing:reader' }), [idOf(0)])
})

test('every user has a default role', async () => {
  assert.deepEqual(await found({ application_role: 'billing:member', id: idOf(0) }), [idOf(0)])
})

test('a search by a role that does not exist is rejected, not answered with all users', async () => {
  for (const name of ['billing:owner', 'unknown:reader', 'billing', 'billing:', 'billing:reader:x', ''])
    for (const path of ['/auth/users', '/auth/users/export'])
      assertError(await get(path, { application_role: name }), 400, 'VALIDATION_ERROR')
})

test('an export contains the roles that users have at present', async () => {
  await grant(app, idOf(0), billing.roles.reader)
  await grant(app, idOf(0), billing.roles.clerk)
  await grant(app, idOf(1), billing.roles.reader)
  await grant(app, idOf(1), billing.roles.clerk, new Date(app.clock.now() - hour))
  const { text } = await get('/auth/users/export', { application_role: 'billing:reader' })
  const [head, ...lines] = text.split('\r\n')
  assert.match(head ?? '', /,roles,/)
  assert.equal(lines.filter(Boolean).length, 2)
  assert.match(lines.find((line) => line.startsWith(idOf(0))) ?? '', /,"billing:clerk,billing:reader",/)
  const { json } = await get('/auth/users/export', { id: idOf(1), format: 'json' })
  assert.deepEqual(json.data.users[0].roles, ['billing:reader'])
  const all = await get('/auth/users/export', { id: idOf(2), format: 'json' })
  assert.deepEqual(all.json.data.users[0].roles, [])
})

test('the page of roles links to the users who have a role, with their number', async () => {
  await grant(app, idOf(0), billing.roles.reader)
  await grant(app, idOf(1), billing.roles.reader)
  const staff = await staffOf(app, 'superadmin')
  const { text } = await staff.open('/admin/roles')
  const [, path = '', label] = text.match(/<a href="([^"]*application_role=billing%3Areader)">([^<]*)</) ?? []
  assert.equal(label, '2 users')
  assert.doesNotMatch(text, /application_role=billing%3Amember/)
  const list = await staff.open(path)
  assert.match(textOf(list.text), /Application role: billing:reader/)
  for (const [at, isListed] of [true, true, false].entries())
    assert.equal(list.text.includes(`/admin/people/${idOf(at)}`), isListed)
  assert.match(list.text, /href="\/admin\/people\/export\?application_role=billing%3Areader"/)
})
