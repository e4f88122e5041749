import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { Config } from '../../src/config/load.ts'
import { canSignIn } from '../../src/sign-in-methods/can-sign-in.ts'
import { countLockedOut, problemWithoutPasswords } from '../../src/sign-in-methods/locked-out.ts'
import { registered, type SignedIn, signedInAs } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let ada: SignedIn
before(async () => {
  app = await startTestApp({
    env: { GITHUB_CLIENT_ID: 'an id', GITHUB_CLIENT_SECRET: 'a secret' },
    modules: ['two-factor'],
  })
  ada = await registered(app)
})
after(() => app.stop())
beforeEach(async () => {
  await sql`DELETE FROM social_accounts`.execute(app.ctx.db)
  await sql`UPDATE users SET is_verified = false, phone = NULL, phone_trusted = false, user_type = 'customer',
    deleted_at = NULL`.execute(app.ctx.db)
})

const config = (more: Partial<Config> = {}): Config => ({ ...app.ctx.config, PASSWORDS_ENABLED: false, ...more })
const may = (more: Partial<Config> = {}, { id } = ada) => canSignIn(app.ctx, id, config(more))
const set = (assignment: ReturnType<typeof sql>, { id } = ada) =>
  sql`UPDATE users SET ${assignment} WHERE id = ${id}`.execute(app.ctx.db)
const link = (provider: string, { id } = ada) =>
  sql`INSERT INTO social_accounts (id, user_id, provider, issuer, subject, linked_at, last_used_at)
    VALUES (gen_random_uuid(), ${id}, ${provider}, 'https://issuer.example', ${id}, now(), now())`.execute(app.ctx.db)

test('a password counts only while passwords are on', async () => {
  assert.deepEqual([await may({ PASSWORDS_ENABLED: true }), await may()], [true, false])
})

test('a verified address counts while links are on and emails can be sent', async () => {
  assert.equal(await may(), false)
  await set(sql`is_verified = true`)
  assert.equal(await may(), true)
  assert.equal(await may({ TOKEN_LOGIN_ENABLED: false }), false)
  assert.equal(await may({ isProduction: true }), false)
  assert.equal(await may({ isProduction: true, SMTP_URL: 'smtp://mail.example' }), true)
})

test('a phone number counts while it is trusted, links are on and text messages can be sent', async () => {
  await set(sql`phone = '+14155550100'`)
  assert.equal(await may(), false)
  await set(sql`phone_trusted = true`)
  assert.equal(await may(), true)
  assert.equal(await may({ TOKEN_LOGIN_ENABLED: false }), false)
  assert.equal(await may({ isProduction: true }), false)
  assert.equal(await may({ isProduction: true, SMS_WEBHOOK_URL: 'https://sms.example' }), true)
})

test('an identity counts while its provider is enabled', async () => {
  await link('google')
  assert.equal(await may(), false)
  await link('github')
  assert.equal(await may(), true)
  assert.equal(await may({ SOCIAL_LOGIN: false }), false)
})

test('the users whom a change locks out are counted, without those whom another method lets in', async () => {
  const [grace, alan] = [await registered(app, 'grace'), await registered(app, 'alan')]
  const on = config({ PASSWORDS_ENABLED: true })
  assert.equal(await countLockedOut(app.ctx, on, config()), 3)
  await set(sql`is_verified = true`, grace)
  await link('github', alan)
  assert.equal(await countLockedOut(app.ctx, on, config()), 1)
  assert.equal(await countLockedOut(app.ctx, on, on), 0)
  assert.equal(await countLockedOut(app.ctx, config(), config()), 0)
  await set(sql`deleted_at = now()`)
  assert.equal(await countLockedOut(app.ctx, on, config()), 0)
})

test('passwords can be off only if a superadmin who is not blocked can sign in', async () => {
  const problem = () => problemWithoutPasswords(app.ctx, config())
  assert.match((await problem()) ?? '', /leaves no superadmin who can sign in/)
  const root = await signedInAs(app, 'superadmin')
  assert.match((await problem()) ?? '', /leaves no superadmin/)
  await set(sql`is_verified = true`, root)
  assert.equal(await problem(), undefined)
  await sql`INSERT INTO user_blocks (user_id, since, reason) VALUES (${root.id}, now(), 'a test')`.execute(app.ctx.db)
  assert.match((await problem()) ?? '', /leaves no superadmin/)
  await sql`DELETE FROM user_blocks`.execute(app.ctx.db)
  await set(sql`deleted_at = now()`, root)
  assert.match((await problem()) ?? '', /leaves no superadmin/)
})

test('with passwords off, some other method must be offered', async () => {
  const root = await signedInAs(app, 'superadmin')
  await set(sql`is_verified = true`, root)
  const nothing = { TOKEN_LOGIN_ENABLED: false, SOCIAL_LOGIN: false }
  assert.match((await problemWithoutPasswords(app.ctx, config(nothing))) ?? '', /leaves no superadmin/)
  const bare = await startTestApp({
    env: { PASSWORDS_ENABLED: 'false', TOKEN_LOGIN_ENABLED: 'false', PASSKEYS_ENABLED: 'false' },
  })
  try {
    assert.match((await problemWithoutPasswords(bare.ctx, bare.ctx.config)) ?? '', /leaves no way to sign in/)
  } finally {
    await bare.stop()
  }
})

test('an installation without users may start without passwords', async () => {
  const bare = await startTestApp({ env: { PASSWORDS_ENABLED: 'false' } })
  try {
    assert.equal(await problemWithoutPasswords(bare.ctx, bare.ctx.config), undefined)
  } finally {
    await bare.stop()
  }
})
