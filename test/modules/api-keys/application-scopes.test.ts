import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day } from '../../../src/lib/time.ts'
import { declaringApplication, grant, settle } from '../../roles/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { accountsPath, createAccount, createAccountKey, input, keyEnv, limitedAdmin, path } from './support.ts'

let app: TestApp
let roles: Record<string, string>
let root: SignedIn
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: keyEnv })
  const declared = await declaringApplication(app, 'billing', {
    permissions: ['invoices:read', 'invoices:send', { key: 'invoices:write', sensitive: true }],
    roles: { member: ['invoices:read'], accountant: ['invoices:*', 'invoices:write'] },
  })
  roles = declared.roles
  root = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

const status = async (who: SignedIn, scope: string) =>
  (await app.post(path, input(app, { scopes: [scope] }), withSession(who.sessionToken))).status

const offered = async (who: SignedIn, url = path): Promise<string[]> =>
  (await app.get(url, withSession(who.sessionToken))).json.data.scopes

const isOfApplication = (scope: string) => !scope.startsWith('wardenry:')

test('a user gives a key the permissions that they have in applications, as long as they have them', async () => {
  const [ada, other] = [await registered(app), await registered(app)]
  await grant(app, ada.id, roles.member)
  assert.deepEqual((await offered(ada)).filter(isOfApplication), ['invoices:read'])
  assert.equal(await status(ada, 'invoices:read'), 200)
  assert.equal(await status(ada, 'invoices:send'), 403)
  assert.equal(await status(other, 'invoices:read'), 403)
  await app.ctx.db.deleteFrom('user_roles').where('user_id', '=', ada.id).execute()
  await settle(app, ada.id)
  assert.equal(await status(ada, 'invoices:read'), 403)
})

test('a role that has ended gives no scopes', async () => {
  const ada = await registered(app)
  await grant(app, ada.id, roles.member, new Date(app.clock.now() - day))
  assert.equal(await status(ada, 'invoices:read'), 403)
})

test('only superadmins give sensitive permissions of applications', async () => {
  const ada = await registered(app)
  await grant(app, ada.id, roles.accountant)
  assert.deepEqual((await offered(ada)).filter(isOfApplication), ['invoices:read', 'invoices:send'])
  assert.equal(await status(ada, 'invoices:write'), 403)
  const limited = await limitedAdmin(app, 'keys:manage', 'service_accounts:read')
  await grant(app, limited.id, roles.accountant)
  const all = ['invoices:read', 'invoices:send', 'invoices:write']
  assert.deepEqual((await offered(limited, accountsPath)).filter(isOfApplication), all.slice(0, 2))
  assert.deepEqual((await offered(root, accountsPath)).filter(isOfApplication), all)
})

test('an administrator gives service accounts only the permissions that they have in applications', async () => {
  const limited = await limitedAdmin(app, 'keys:manage', 'service_accounts:read')
  const body = (scope: string) => ({ name: 'x', owners: [root.id], scopes: [scope] })
  const create = (scope: string) => app.post(accountsPath, body(scope), withSession(limited.sessionToken))
  assert.equal((await create('invoices:read')).json.code, 'KEY_SCOPE_NOT_ALLOWED')
  await grant(app, limited.id, roles.member)
  assert.equal((await create('invoices:read')).status, 200)
  assert.equal((await create('invoices:send')).json.code, 'KEY_SCOPE_NOT_ALLOWED')
})

test('a retired permission cannot be given, even by a superadmin', async () => {
  const account = await createAccount(app, root, [root], { scopes: ['invoices:send'] })
  const scopes = ['invoices:send']
  assert.equal((await createAccountKey(app, root, account.id, { scopes })).status, 200)
  await app.ctx.db
    .updateTable('permissions')
    .set({ retired_at: new Date(app.clock.now()) })
    .where('key', '=', 'invoices:send')
    .execute()
  await settle(app)
  assert.equal((await createAccountKey(app, root, account.id, { scopes })).json.code, 'KEY_SCOPE_NOT_ALLOWED')
})
