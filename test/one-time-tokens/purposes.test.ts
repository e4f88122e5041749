import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { cancelPath, mailWith, startedChange, verifyPath } from '../email-addresses/change-support.ts'
import { downloadPath } from '../modules/privacy/support.ts'
import { asked, newNumber, setPhone, withSecret } from '../passwordless/support.ts'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['privacy'] })
})
after(() => app.stop())

const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''

/** `earlier` is the number of emails that the address has already received. */
async function resetTokenOf(email: string, earlier: number): Promise<string> {
  await app.post('/auth/password-reset/request', { email })
  return tokenIn((await app.mailTo(email, earlier)).text)
}

async function exportTokenOf({ email, sessionToken }: SignedIn): Promise<string> {
  await app.post('/auth/user/me/privacy/exports', {}, withSession(sessionToken))
  return tokenIn(await mailWith(app, email, downloadPath))
}

const login = async (token: string) => (await app.post('/auth/token/login', { token })).status
const validate = async (token: string) => (await app.post('/auth/token/validate', { token }, withSecret)).status
const verify = async (token: string) => (await app.post('/auth/token/verify', { token })).status
const setUp = async (token: string) => (await app.post('/auth/setup', { ...person(), token })).status
const confirmChange = async (token: string) => (await app.post(verifyPath, { token })).status
const cancelChange = async (token: string) => (await app.post(cancelPath, { token })).status
const reset = async (token: string) =>
  (await app.post('/auth/password-reset/complete', { token, password: 'moths around the relay' })).status

const getData = async (token: string) => (await app.post(downloadPath, { token })).status

/** All routes that consume a one-time secret. */
const consumers = [verify, login, validate, confirmChange, cancelChange, setUp, getData, reset]

test('a secret acts only where its purpose is asked for, and a wrong place does not spend it', async () => {
  const [ada, grace, alan] = [await registered(app), await registered(app, 'grace'), await registered(app, 'alan')]
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  const [confirmed, cancelled] = [await startedChange(app, grace), await startedChange(app, alan)]
  const issued: { kind: string; token: string; at: (typeof consumers)[number][] }[] = [
    { kind: 'verify_email', token: tokenIn(await mailWith(app, ada.email, '/auth/token/verify')), at: [verify] },
    { kind: 'login by mail', token: (await asked(app, ada.email)).token, at: [login, validate] },
    { kind: 'login by text', token: (await asked(app, phone)).token, at: [validate, login] },
    { kind: 'email_change_current', token: confirmed.current, at: [confirmChange] },
    { kind: 'email_change_new', token: confirmed.fresh, at: [confirmChange] },
    { kind: 'email_change_cancel', token: cancelled.cancel, at: [cancelChange] },
    { kind: 'setup', token: tokenIn((await createSetupLink(app.ctx)) ?? ''), at: [setUp] },
    { kind: 'personal_data', token: await exportTokenOf(await registered(app)), at: [getData] },
    { kind: 'password_reset', token: await resetTokenOf(ada.email, 2), at: [reset] },
  ]
  for (const { kind, token, at } of issued) {
    for (const consume of consumers)
      if (!at.includes(consume)) assert.equal(await consume(token), 400, `${kind} at ${consume.name}`)
  }
  for (const { kind, token, at } of issued) assert.equal(await at[0]?.(token), 200, kind)
})

test('a verification link proves the address that it was sent to, not the one the user has now', async () => {
  const ada = await registered(app)
  const token = tokenIn((await app.mailTo(ada.email)).text)
  const moved = person().email
  await sql`UPDATE users SET email = ${moved} WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal(await verify(token), 400)
  const { rows } = await sql<{ is_verified: boolean }>`SELECT is_verified FROM users WHERE id = ${ada.id}`.execute(
    app.ctx.db,
  )
  assert.equal(rows[0]?.is_verified, false)
  assert.ok((await auditOf(app, 'token_rejected')).length > 0)
})

test('the link of a deleted user verifies nobody', async () => {
  const ada = await registered(app)
  const token = tokenIn((await app.mailTo(ada.email)).text)
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal(await verify(token), 400)
})
