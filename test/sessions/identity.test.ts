import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { SignInProof } from '../../src/context.ts'
import { minute } from '../../src/lib/time.ts'
import { authenticationOf } from '../../src/sessions/session.ts'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ secondFactor: emailFactor })
})
after(() => app.stop())

const identityAt = ({ authenticated_at, methods }: { authenticated_at: string; methods: string[] }) => ({
  authenticated_at,
  methods,
})
const current = async ({ sessionToken }: SignedIn) =>
  identityAt((await app.get('/auth/session/current', withSession(sessionToken))).json)
const validated = async ({ sessionToken }: SignedIn) =>
  identityAt(
    (
      await app.post(
        '/auth/bridge/validate',
        { session_id: sessionToken },
        { headers: { 'x-bridge-secret': bridgeSecret } },
      )
    ).json,
  )

test('the bridge and the current session say when and how the user has signed in', async () => {
  const ada = await registered(app)
  const signedIn = new Date(app.clock.now()).toISOString()
  const expected = { authenticated_at: signedIn, methods: ['pwd'] }
  app.clock.advance(minute)
  assert.deepEqual(await validated(ada), expected)
  assert.deepEqual(await current(ada), expected, 'use is no proof')
})

test('a confirmed identity moves the time, everywhere', async () => {
  const ada = await registered(app)
  await validated(ada)
  app.clock.advance(minute)
  const reply = await app.post('/auth/reauthenticate', { password: ada.password }, withSession(ada.sessionToken))
  assert.equal(reply.status, 200)
  const confirmed = new Date(app.clock.now()).toISOString()
  app.clock.advance(minute)
  assert.equal((await validated(ada)).authenticated_at, confirmed)
  assert.equal((await current(ada)).authenticated_at, confirmed)
})

test('each way to sign in has its name of RFC 8176, and a second factor adds one', async () => {
  const names: Record<SignInProof, string[]> = {
    password: ['pwd'],
    registration: ['pwd'],
    login_token: ['otp'],
    reset: ['otp'],
    setup: ['otp'],
    recovery: ['otp'],
    social: [],
    passkey: ['swk'],
    impersonation: [],
  }
  const ada = await registered(app)
  for (const [proof, methods] of Object.entries(names)) {
    for (const confirmed of [false, true]) {
      await sql`UPDATE sessions SET proof = ${proof}, two_factor_verified = ${confirmed}
        WHERE user_id = ${ada.id}`.execute(app.ctx.db)
      app.clock.advance(minute)
      assert.deepEqual((await validated(ada)).methods, confirmed ? [...methods, 'mfa'] : methods, proof)
    }
  }
  const at = new Date(0)
  const session = { proof: 'passkey', two_factor_verified: true, proved_at: at } as Parameters<
    typeof authenticationOf
  >[0]['session']
  assert.deepEqual(authenticationOf({ session }), {
    authenticated_at: '1970-01-01T00:00:00.000Z',
    methods: ['swk', 'mfa'],
  })
})

test('a partial session has proved nothing that a client could rely on', async () => {
  const { id, email, password } = await registered(app)
  await requireSecondFactor(app, id)
  const { sessionId } = (await app.post('/auth/login', { email, password })).json
  const { json } = await app.get('/auth/session/current', withSession(sessionId))
  assert.equal(json.success, false)
  assert.equal('authenticated_at' in json || 'methods' in json, false)
})
