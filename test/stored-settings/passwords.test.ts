import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { switchPasswords } from '../support/switch-passwords.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let superadmin: SignedIn
let ada: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
  superadmin = await signedInAs(app, 'superadmin')
  ada = await registered(app)
})
after(() => app.stop())
beforeEach(() => switchPasswords(app, 'on'))

const verify = (is_verified: boolean, { id }: { id: string }) =>
  sql`UPDATE users SET is_verified = ${is_verified} WHERE id = ${id}`.execute(app.ctx.db)
const switchOff = (more = {}) =>
  app.call('PUT', '/auth/admin/settings', {
    body: { changes: [{ name: 'PASSWORDS_ENABLED', value: 'false' }], ...more },
    ...withSession(superadmin.sessionToken),
  })
const problemOf = ({ status, json }: Awaited<ReturnType<typeof switchOff>>) => {
  assert.deepEqual([status, json.code, json.details[0].field], [400, 'VALIDATION_ERROR', 'PASSWORDS_ENABLED'])
  assert.equal(app.ctx.config.PASSWORDS_ENABLED, true)
  return json.details[0].message
}

test('passwords cannot be switched off while no superadmin could sign in, or the caller could not', async () => {
  await verify(false, superadmin)
  assert.match(problemOf(await switchOff({ locked_out: 100 })), /leaves no superadmin who can sign in/)
  const other = await signedInAs(app, 'superadmin')
  await verify(true, other)
  assert.match(problemOf(await switchOff({ locked_out: 100 })), /^would leave you without a way to sign in/)
  await sql`UPDATE users SET user_type = 'customer' WHERE id = ${other.id}`.execute(app.ctx.db)
})

test('a change that locks users out is saved only with their number', async () => {
  await verify(true, superadmin)
  await verify(false, ada)
  const sentence = 'would leave 1 user without a way to sign in: to accept this, send locked_out=1'
  assert.equal(problemOf(await switchOff()), sentence)
  assert.equal(problemOf(await switchOff({ locked_out: 0 })), sentence)
  const saved = await switchOff({ locked_out: 1 })
  assert.equal(saved.status, 200)
  assert.equal(app.ctx.config.PASSWORDS_ENABLED, false)
})

test('a change that locks nobody out needs no acceptance', async () => {
  await verify(true, superadmin)
  await verify(true, ada)
  assert.equal((await switchOff()).status, 200)
})

test('the console says how many users would be locked out, and saves after this was accepted', async () => {
  const grace = await staffOf(app, 'superadmin')
  await verify(true, grace)
  await verify(false, ada)
  const path = '/admin/settings/registration-and-passwords'
  await grace.open(path)
  const rejected = await grace.send(path, { PASSWORDS_ENABLED: 'false' })
  assert.equal(rejected.status, 400)
  assert.match(textOf(rejected.text), /Would leave 1 user without a way to sign in[\s\S]*Save anyway: 1 user will/)
  assert.match(rejected.text, /<input type="checkbox" name="locked_out" value="1">/)
  const saved = await grace.send(path, { PASSWORDS_ENABLED: 'false', locked_out: '1' })
  assert.equal(saved.status, 303)
  assert.equal(app.ctx.config.PASSWORDS_ENABLED, false)
})
