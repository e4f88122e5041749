import { type Authenticator, createAuthenticator, type Ways } from './authenticator.ts'
import { type PersonName, registered, type SignedIn, withSession } from './people.ts'
import type { Reply, TestApp } from './test-app.ts'

export interface PasskeyOwner extends SignedIn {
  authenticator: Authenticator
  methodId: string
  recoveryCodes: string[]
}

export const homeOf = (app: TestApp): string => new URL(app.ctx.config.FRONTEND_URL).origin

/** A new, signed-in user whose only second factor is a passkey. */
export async function passkeyOwner(app: TestApp, name: PersonName = 'ada'): Promise<PasskeyOwner> {
  const somebody = await registered(app, name)
  const authenticator = createAuthenticator(homeOf(app))
  const { methodId, reply } = await addPasskey(app, somebody.sessionToken, authenticator)
  if (reply.status !== 200) throw new Error(`the passkey was refused: ${reply.text}`)
  return { ...somebody, authenticator, methodId, recoveryCodes: reply.json.recovery_codes }
}

/** Sets up a passkey as a second factor of the session's user. `ways` makes the authenticator misbehave. */
export async function addPasskey(app: TestApp, sessionToken: string, authenticator: Authenticator, ways?: Ways) {
  const setup = await app.post('/auth/two_factor/passkey/setup', {}, withSession(sessionToken))
  if (setup.status !== 200) throw new Error(`setup was refused: ${setup.text}`)
  const { method_id: methodId, options } = setup.json
  const response = authenticator.create(options, ways)
  const body = { action: 'setup', method_id: methodId, response }
  return { methodId, options, reply: await app.post('/auth/two_factor/verify', body, withSession(sessionToken)) }
}

/** Adds a passkey to the account of the session's user, without second factors. */
export async function addOwnPasskey(app: TestApp, sessionToken: string, authenticator: Authenticator, ways?: Ways) {
  const start = await app.post('/auth/passkeys/options', {}, withSession(sessionToken))
  if (start.status !== 200) throw new Error(`no options: ${start.text}`)
  const response = authenticator.create(start.json.options, ways)
  return app.post('/auth/passkeys', { response }, withSession(sessionToken))
}

export interface PasskeyChallenge {
  challenge_id: string
  options: { challenge: string; rpId: string; allowCredentials: { id: string }[]; userVerification: string }
}

export async function loginChallenge(app: TestApp): Promise<PasskeyChallenge> {
  const reply = await app.post('/auth/passkey/login/options')
  if (reply.status !== 200) throw new Error(`no challenge: ${reply.text}`)
  return reply.json
}

/** Signs in with the passkey, without a password. */
export async function passkeyLogin(app: TestApp, authenticator: Authenticator, ways?: Ways): Promise<Reply> {
  const { challenge_id, options } = await loginChallenge(app)
  return app.post('/auth/passkey/login', { challenge_id, response: authenticator.get(options, ways) })
}
