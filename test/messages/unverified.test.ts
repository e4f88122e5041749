import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { newNumber, settled } from '../passwordless/support.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { homeOf } from '../support/passkeys.ts'
import { person, registered, type SignedIn } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { TOKEN_LOGIN_AUTO_REGISTER: 'true', MAIL_NEW_DEVICE: 'true' } })
})
after(() => app?.stop())

const spam = 'Win a prize at spam example'
const userAgent = `Mozilla/5.0 (${spam})`

/** Everything that the user can change of which the owner of the address is told. */
async function changeEverything({ email, password, sessionToken }: SignedIn): Promise<void> {
  const headers = { 'user-agent': userAgent, 'x-session-id': sessionToken }
  const send = async (method: string, path: string, body: object) => {
    const reply = await app.call(method, path, { body, headers })
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  }
  await send('PUT', '/auth/profile', { name: spam, phone: newNumber() })
  const { options } = await send('POST', '/auth/passkeys/options', {})
  const response = createAuthenticator(homeOf(app)).create(options)
  const { id } = await send('POST', '/auth/passkeys', { response, name: spam })
  await send('DELETE', `/auth/passkeys/${id}`, {})
  await send('POST', '/auth/token/create', { identifier: email })
  await send('POST', '/auth/login', { email, password })
  const next = 'eleven slow copper snails'
  await send('POST', '/auth/password-change/self', { current_password: password, new_password: next })
}

/** The emails of the service to this address, after all have been sent. */
async function mailsAbout(isVerified: boolean): Promise<string[]> {
  const ada = await registered(app)
  await sql`UPDATE users SET is_verified = ${isVerified} WHERE id = ${ada.id}`.execute(app.ctx.db)
  await changeEverything(ada)
  await settled(app)
  return (app.inbox?.list({ to: ada.email }) ?? []).map(({ subject, text, html }) => `${subject}\n${text}\n${html}`)
}

test('no email to an unverified address contains text that the user chose', async () => {
  const mails = await mailsAbout(false)
  assert.ok(mails.length >= 6, String(mails.length))
  for (const mail of mails) assert.doesNotMatch(mail, /prize/)
  assert.ok(mails.some((mail) => /You can now sign in to your account with it\./.test(mail)))
})

test('the owner of a verified address is told names and devices', async () => {
  const mails = await mailsAbout(true)
  for (const known of [`Hello ${spam}`, `this passkey: ${spam}`, `Device: Mozilla/5.0 (${spam})`])
    assert.ok(mails.filter((mail) => mail.includes(known)).length >= 2, known)
})

test('nor does a link to an address that nobody has registered', async () => {
  const { email } = person()
  await app.post('/auth/token/create', { identifier: email }, { headers: { 'user-agent': userAgent } })
  const { text } = await app.mailTo(email)
  assert.match(text, /Device: unknown/)
})
