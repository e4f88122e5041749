import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { problemWithoutPasswords } from '../../src/sign-in-methods/locked-out.ts'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf } from '../support/passkeys.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

// Without links and codes, a user has only a password and passkeys.
let app: TestApp
let root: SignedIn
beforeEach(async () => {
  app = await startTestApp({ env: { TOKEN_LOGIN_ENABLED: 'false', RATE_LIMIT_ADMIN: '100000/1h' } })
  root = await signedInAs(app, 'superadmin')
})
afterEach(() => app.stop())

const addPasskeyOf = async ({ sessionToken }: SignedIn) =>
  assert.equal((await addOwnPasskey(app, sessionToken, createAuthenticator(homeOf(app)))).status, 200)
const removePassword = ({ id }: SignedIn) =>
  sql`UPDATE users SET password_hash = NULL WHERE id = ${id}`.execute(app.ctx.db)
const put = (values: Record<string, string | null>, more = {}) =>
  app.call('PUT', '/auth/admin/settings', {
    body: { changes: Object.entries(values).map(([name, value]) => ({ name, value })), ...more },
    ...withSession(root.sessionToken),
  })
const problemOf = ({ status, json }: Awaited<ReturnType<typeof put>>) => {
  assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'])
  return json.details[0]
}

test('after passwords, passkeys cannot be switched off as well', async () => {
  await addPasskeyOf(root)
  assert.equal((await put({ PASSWORDS_ENABLED: 'false' })).status, 200)
  const { field, message } = problemOf(await put({ PASSKEYS_ENABLED: 'false' }, { locked_out: 100 }))
  assert.equal(field, 'PASSKEYS_ENABLED')
  assert.match(message, /leaves no way to sign in/)
  assert.equal(await problemWithoutPasswords(app.ctx, app.ctx.config), undefined)
})

test('both cannot be switched off at once, in either order', async () => {
  await addPasskeyOf(root)
  for (const names of [
    ['PASSWORDS_ENABLED', 'PASSKEYS_ENABLED'],
    ['PASSKEYS_ENABLED', 'PASSWORDS_ENABLED'],
  ]) {
    const off = Object.fromEntries(names.map((name) => [name, 'false']))
    assert.match(problemOf(await put(off, { locked_out: 100 })).message, /leaves no way to sign in/)
  }
})

test('passkeys stay on while the only superadmin has nothing else, also with passwords on', async () => {
  await addPasskeyOf(root)
  await removePassword(root)
  const { field, message } = problemOf(await put({ PASSKEYS_ENABLED: 'false' }, { locked_out: 100 }))
  assert.equal(field, 'PASSKEYS_ENABLED')
  assert.match(message, /^would leave no superadmin who can sign in/)
})

test('a superadmin cannot switch off their own passkey while another one could sign in', async () => {
  await signedInAs(app, 'superadmin', 'alan')
  await addPasskeyOf(root)
  await removePassword(root)
  const { field, message } = problemOf(await put({ PASSKEYS_ENABLED: 'false' }, { locked_out: 100 }))
  assert.equal(field, 'PASSKEYS_ENABLED')
  assert.match(message, /^would leave you without a way to sign in/)
})

test('users who have only a passkey are counted before passkeys are switched off, with passwords on', async () => {
  const ada = await registered(app)
  await addPasskeyOf(ada)
  await removePassword(ada)
  const sentence = 'would leave 1 user without a way to sign in: to accept this, send locked_out=1'
  assert.equal(problemOf(await put({ PASSKEYS_ENABLED: 'false' })).message, sentence)
  assert.equal((await put({ PASSKEYS_ENABLED: 'false' }, { locked_out: 1 })).status, 200)
  assert.equal((await put({ PASSKEYS_ENABLED: null })).status, 200, 'a change that only adds a way needs no acceptance')
})

test('the console names the number next to the switch for passkeys', async () => {
  const ada = await registered(app)
  await addPasskeyOf(ada)
  await removePassword(ada)
  const grace = await staffOf(app, 'superadmin')
  const { json } = await app.get('/auth/admin/settings', withSession(root.sessionToken))
  const { chapter } = json.data.settings.find(({ name }: { name: string }) => name === 'PASSKEYS_ENABLED')
  const path = `/admin/settings/${chapter.toLowerCase().replaceAll(' ', '-')}`
  await grace.open(path)
  const rejected = await grace.send(path, { PASSKEYS_ENABLED: 'false' })
  assert.equal(rejected.status, 400, rejected.text)
  assert.match(textOf(rejected.text), /Would leave 1 user without a way to sign in[\s\S]*Save anyway: 1 user will/)
  assert.equal((await grace.send(path, { PASSKEYS_ENABLED: 'false', locked_out: '1' })).status, 303)
})
