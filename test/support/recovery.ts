import { type Authenticator, createAuthenticator, type Ways } from './authenticator.ts'
import { eventually } from './eventually.ts'
import { homeOf } from './passkeys.ts'
import { person, withSession } from './people.ts'
import type { Reply, TestApp } from './test-app.ts'

/** Limits that tests with many recoveries do not reach. */
export const manyRecoveries = {
  RATE_LIMIT_REGISTRATION: '1000/1h',
  RATE_LIMIT_TOKEN_LOGIN: '1000/1h',
  RATE_LIMIT_TOKEN_VALIDATE: '1000/1h',
  RATE_LIMIT_PASSKEY_OPTIONS: '1000/1m',
}

export interface PasswordlessUser {
  id: string
  email: string
  sessionToken: string
  authenticator: Authenticator
  recoveryCodes: string[]
  registered: Reply
}

const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? ''

/** A new user who has a passkey, recovery codes and no password. */
export async function passwordlessUser(app: TestApp, ways?: Ways): Promise<PasswordlessUser> {
  const { email } = person()
  const path = '/auth/register/passkey'
  const { json } = await app.post(`${path}/code`, { email })
  const proof = { registration_id: json.registration_id, code: codeIn((await app.mailTo(email, 0)).text) }
  const start = await app.post(`${path}/options`, proof)
  const authenticator = createAuthenticator(homeOf(app))
  const response = authenticator.create(start.json.options, ways)
  const registered = await app.post(path, { registration_id: proof.registration_id, response })
  if (registered.status !== 200) throw new Error(`not registered: ${registered.text}`)
  const { sessionId: sessionToken, user, recovery_codes: recoveryCodes } = registered.json
  return { id: user.id, email, sessionToken, authenticator, recoveryCodes, registered }
}

/** Requests a code and reads it from the email. */
export async function requestRecovery(app: TestApp, { email }: { email: string }) {
  const before = recoveryMails(app, email).length
  const { json, status, text } = await app.post('/auth/recovery/code', { email })
  if (status !== 200) throw new Error(`no code: ${text}`)
  await eventually(() => recoveryMails(app, email).length > before)
  return { recovery_id: String(json.recovery_id), code: codeIn(recoveryMails(app, email).at(-1)?.text ?? '') }
}

export const recoveryMails = (app: TestApp, email: string) =>
  (app.inbox?.list({ to: email }) ?? [])
    .filter(({ text }) => /^(To recover your|Para recuperar tu) (account|cuenta)/m.test(text))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** Begins a recovery with both proofs, and returns the token of its session. */
export async function recoverySession(app: TestApp, user: PasswordlessUser, nth = 0): Promise<string> {
  const proof = await requestRecovery(app, user)
  const reply = await app.post('/auth/recovery', { ...proof, recovery_code: user.recoveryCodes[nth] })
  if (reply.status !== 200) throw new Error(`not recovered: ${reply.text}`)
  return reply.json.sessionId
}

/** What the script of the page for the new passkey submits. */
export async function createdOnPage(
  app: TestApp,
  { cookie }: { cookie(): string },
  authenticator = createAuthenticator(homeOf(app)),
): Promise<string> {
  const headers = { cookie: cookie(), 'sec-fetch-site': 'same-origin' }
  const start = await app.post('/auth/recovery/passkeys/options', {}, { headers })
  if (start.status !== 200) throw new Error(`no options: ${start.text}`)
  return JSON.stringify(authenticator.create(start.json.options))
}

/** Adds a passkey in the session of a recovery. */
export async function completeRecovery(
  app: TestApp,
  sessionToken: string,
  {
    authenticator = createAuthenticator(homeOf(app)),
    ways,
    ...more
  }: { authenticator?: Authenticator; ways?: Ways; remove?: string[]; name?: string } = {},
): Promise<Reply> {
  const start = await app.post('/auth/recovery/passkeys/options', {}, withSession(sessionToken))
  if (start.status !== 200) throw new Error(`no options: ${start.text}`)
  const response = authenticator.create(start.json.options, ways)
  return app.post('/auth/recovery/passkeys', { response, ...more }, withSession(sessionToken))
}
