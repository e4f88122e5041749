import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAccount, createAccountKey, createKey, keyEnv } from '../modules/api-keys/support.ts'
import { declaringApplication, grant, settle } from '../roles/support.ts'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: keyEnv })
})
after(() => app.stop())

const validate = async (body: object, secret = bridgeSecret) =>
  (await app.post('/auth/bridge/validate', body, { headers: { 'x-bridge-secret': secret } })).json

/** A user who can read invoices and see pages of a shop, with a key for both and for what the user must not do. */
async function userWithKey(name: string) {
  const [read, write, page] = [`${name}:read`, `${name}:write`, `${name}-shop:page`]
  const billing = await declaringApplication(app, name, { permissions: [read, write], roles: { reader: [read] } })
  const shop = await declaringApplication(app, `${name}-shop`, { permissions: [page], roles: { visitor: [page] } })
  const user = await registered(app)
  await grant(app, user.id, billing.roles.reader)
  await grant(app, user.id, shop.roles.visitor)
  const { id, key } = await createKey(app, user)
  const scopes = [read, write, page, 'wardenry:profile:read']
  await sql`UPDATE api_keys SET scopes = ${scopes}::text[] WHERE id = ${id}`.execute(app.ctx.db)
  await settle(app, user.id)
  return { user, id, key, billing, shop, read, write, page }
}

test('a key has the permissions of an application that its user has, and the role is an owner', async () => {
  const { user, id, key, billing, shop, read, write, page } = await userWithKey('one')
  const json = await validate({ credential: key })
  assert.deepEqual(json.scopes, [read, page, 'wardenry:profile:read'])
  assert.deepEqual([json.roles, json.permissions], [[], [read, page]])
  assert.deepEqual(json.owners.toSorted(), [user.id, id, billing.roles.reader, shop.roles.visitor].toSorted())
  assert.equal((await validate({ credential: key, scopes: [write] })).code, 'INSUFFICIENT_SCOPE')
  assert.equal((await validate({ credential: user.sessionToken, scopes: [read] })).success, true)
  assert.equal((await validate({ credential: user.sessionToken, scopes: [write] })).code, 'INSUFFICIENT_SCOPE')
})

test('with the secret of an application, a key has only permissions of this application', async () => {
  const { key, billing, read, page } = await userWithKey('two')
  const { secret } = await billing.create()
  assert.deepEqual((await validate({ credential: key }, secret)).permissions, [read])
  assert.equal((await validate({ credential: key, scopes: [page] }, secret)).code, 'INSUFFICIENT_SCOPE')
  assert.equal((await validate({ credential: key, scopes: [page] })).success, true, 'nothing of it was cached')
})

test('a key that is cached loses what a role no longer gives, and the tag changes', async () => {
  const { user, key, billing, read, page } = await userWithKey('three')
  const [first] = (await validate({ credentials: [key] })).results
  assert.deepEqual(first.permissions, [read, page])
  await sql`UPDATE roles SET permissions = '{}' WHERE id = ${billing.roles.reader}`.execute(app.ctx.db)
  await settle(app)
  const [second] = (await validate({ credentials: [key], tags: [first.tag] })).results
  assert.deepEqual(second.permissions, [page])
  const [session] = (await validate({ credentials: [user.sessionToken] })).results
  assert.deepEqual([session.roles, session.permissions], [['three-shop:visitor', 'three:reader'], [page]])
})

test('a permission that its application no longer declares is no scope', async () => {
  const { key, read, page } = await userWithKey('four')
  await sql`UPDATE permissions SET retired_at = now() WHERE key = ${read}`.execute(app.ctx.db)
  await settle(app)
  assert.deepEqual((await validate({ credential: key })).permissions, [page])
})

test('a service key loses a permission that no role contains, as soon as its application retires it or is disabled', async () => {
  const key = 'five:sync'
  const { id, superadmin } = await declaringApplication(app, 'five', { permissions: [key] })
  const account = await createAccount(app, superadmin, [superadmin], { scopes: [key] })
  const { json } = await createAccountKey(app, superadmin, account.id, { scopes: [key] })
  const scopes = async () => (await validate({ credential: json.data.key })).scopes
  assert.deepEqual(await scopes(), [key])
  const by = withSession(superadmin.sessionToken)
  const enable = (state: string) => app.post(`/auth/admin/applications/${id}/${state}`, {}, by)
  assert.equal((await enable('disable')).status, 200)
  assert.deepEqual(await scopes(), [])
  await enable('enable')
  assert.deepEqual(await scopes(), [key])
  await sql`UPDATE permissions SET retired_at = now() WHERE key = ${key}`.execute(app.ctx.db)
  await settle(app)
  assert.deepEqual(await scopes(), [])
})
