import { createAuthenticator } from '../support/authenticator.ts'
import { eventually } from '../support/eventually.ts'
import { homeOf } from '../support/passkeys.ts'
import { person, registered, signedInAs, withSession } from '../support/people.ts'
import { passwordlessUser, recoveryMails } from '../support/recovery.ts'
import type { Reply, TestApp } from '../support/test-app.ts'

type Check = (method: string, url: string, reply: Reply) => Reply

/** Calls every route of passkeys but those for a sign-in. */
export async function passkeyLife(app: TestApp, check: Check): Promise<void> {
  const { sessionToken } = await registered(app)
  const send = async (method: string, url: string, body: object, call = {}) =>
    check(method, url, await app.call(method, url, { body, ...call })).json
  const session = withSession(sessionToken)
  const authenticator = createAuthenticator(homeOf(app))
  const adding = await send('POST', '/auth/passkeys/options', {}, session)
  const { id } = await send('POST', '/auth/passkeys', { response: authenticator.create(adding.options) }, session)
  await send('POST', '/auth/passkeys/options', { action: 'reauth' }, session)
  check('GET', '/auth/passkeys', await app.get('/auth/passkeys', session))
  await send('PUT', `/auth/passkeys/${id}`, { name: 'Phone' }, session)
  await send('DELETE', `/auth/passkeys/${id}`, {}, session)
  await send('DELETE', `/auth/passkeys/${id}`, {}, session)

  const grace = await registered(app, 'grace')
  const { sessionId } = (await app.post('/auth/login', { email: grace.email, password: grace.password })).json
  for (const kind of ['offer', 'options'])
    await send('POST', `/auth/passkeys/upgrade/${kind}`, {}, withSession(sessionId))

  const [boss, alan] = [await signedInAs(app, 'admin'), await registered(app, 'alan')]
  await send('DELETE', `/auth/admin/users/${alan.id}/passkeys`, {}, withSession(boss.sessionToken))
  const token = /passkey-link\?token=([\w-]{43})/.exec((await app.mailTo(alan.email, 1)).text)?.[1]
  for (const _ of ['once', 'and no more']) await send('POST', '/auth/passkey/link', { token })

  const { email } = person()
  const path = '/auth/register/passkey'
  const { registration_id } = await send('POST', `${path}/code`, { email })
  const code = /\b\d{6}\b/.exec((await app.mailTo(email)).text)?.[0]
  const { options } = await send('POST', `${path}/options`, { registration_id, code })
  const response = createAuthenticator(homeOf(app)).create(options)
  for (const _ of ['once', 'and no more']) await send('POST', path, { registration_id, response })
  await recoveryLife(app, send)
}

async function recoveryLife(
  app: TestApp,
  send: (method: string, url: string, body: object, call?: object) => Promise<Reply['json']>,
): Promise<void> {
  const user = await passwordlessUser(app)
  const path = '/auth/recovery'
  const { recovery_id } = await send('POST', `${path}/code`, { email: user.email })
  await eventually(() => recoveryMails(app, user.email).length > 0)
  const code = /\b\d{6}\b/.exec(recoveryMails(app, user.email)[0]?.text ?? '')?.[0]
  const proof = { recovery_id, code, recovery_code: user.recoveryCodes[0] }
  await send('POST', path, { ...proof, code: 'nocode' })
  const { sessionId } = await send('POST', path, proof)
  const session = withSession(sessionId)
  await send('GET', `${path}/passkeys`, {}, session)
  const { options } = await send('POST', `${path}/passkeys/options`, {}, session)
  const response = createAuthenticator(homeOf(app)).create(options)
  await send('POST', `${path}/passkeys`, { response: { ...response, rawId: 'AAAA', id: 'AAAA' } }, session)
  await send('POST', `${path}/passkeys`, { response }, session)
  await send('POST', '/auth/recovery-codes', {}, session)
}
