import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, test } from 'node:test'
import { createClient, finishHandover, startHandover } from '../../packages/client/src/index.ts'
import { createWardenry, type Wardenry } from '../../packages/server/src/index.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf } from '../support/passkeys.ts'
import { registered, type SignedIn } from '../support/people.ts'
import { bridgeSecret, type TestApp } from '../support/test-app.ts'
import { startService, storeOf } from './client/support.ts'

/** The SHA-256 fingerprint of the app's signing key, and the origin that Android derives from it. */
const fingerprint = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':')
const androidOrigin = `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`

const returnTo = 'shop://callback'

let app: TestApp
let url: string
let backEnd: Wardenry
let ada: SignedIn
before(async () => {
  const settings = { PASSKEY_ANDROID_APPS: `com.example.shop=${fingerprint}` }
  const service = await startService({ ALLOWED_REDIRECTS: 'shop://,other://', ...settings })
  app = service.app
  url = service.url
  backEnd = createWardenry({ url, bridgeSecret, applications: ['shop:'], maxSessions: 0, onError: () => {} })
})
beforeEach(async () => {
  ada = await registered(app)
})
after(async () => {
  backEnd?.close()
  await app?.stop()
})

/**
 * Opens the URL in the system browser, where Ada is signed in. Returns the URL with which the browser opens the app.
 */
async function browse(address: string): Promise<string> {
  const { pathname, search } = new URL(address)
  const { status, headers } = await app.get(pathname + search, {
    headers: { cookie: `session_id=${ada.sessionToken}` },
  })
  assert.equal(status, 303)
  return String(headers.location)
}
const started = (to = returnTo) => startHandover(createClient({ url }), { returnTo: to })
const userOf = (sessionToken: string, wardenry = backEnd) =>
  wardenry.userOf({ headers: { authorization: `Bearer ${sessionToken}` } })

test('an app gets a session by its back end, sends it as a bearer, and ends it', async () => {
  const handover = await started()
  const address = await browse(handover.url)
  assert.match(address, /^shop:\/\/callback\?code=/)
  const { sessionToken, user } = await backEnd.redeem(finishHandover(handover, address))
  assert.equal(user.email, ada.email)
  assert.equal((await userOf(sessionToken))?.email, ada.email)
  const client = createClient({ url, session: storeOf(sessionToken) })
  assert.equal((await client.currentUser())?.email, ada.email)
  await client.signOut()
  assert.equal(await userOf(sessionToken), undefined)
})

test('a back end that does not name the scheme accepts no session of the app', async () => {
  const handover = await started()
  const { sessionToken } = await backEnd.redeem(finishHandover(handover, await browse(handover.url)))
  const other = createWardenry({ url, bridgeSecret, maxSessions: 0 })
  assert.equal(await userOf(sessionToken, other), undefined)
})

test('a code works once, and only with the verifier that the app has kept', async () => {
  const handover = await started()
  const code = finishHandover(handover, await browse(handover.url))
  const { codeVerifier } = await started()
  await assert.rejects(backEnd.redeem({ ...code, codeVerifier }), { code: 'INVALID_CODE', status: 400 })
  const second = await started()
  const right = finishHandover(second, await browse(second.url))
  await backEnd.redeem(right)
  await assert.rejects(backEnd.redeem(right), { code: 'INVALID_CODE' })
})

test('a back end redeems no code of an application that it does not name, nor what is no code', async () => {
  const handover = await started('other://callback')
  const code = finishHandover(handover, await browse(handover.url))
  const refused = { code: 'INVALID_CODE', status: 400 }
  await assert.rejects(async () => backEnd.redeem(code), refused)
  for (const body of [
    undefined,
    null,
    {},
    { ...code, code: 1 },
    { ...code, returnTo: [] },
    { ...code, returnTo: 'x' },
  ]) {
    await assert.rejects(async () => backEnd.redeem(body as never), refused)
  }
})

test('an app takes no answer to another sign-in, and says when the sign-in was cancelled', async () => {
  const [handover, other] = [await started(), await started()]
  const address = await browse(other.url)
  const { state } = handover
  for (const [given, code] of [
    [address, 'INVALID_STATE'],
    ['shop://callback', 'INVALID_STATE'],
    ['shop://callback?code=c1', 'INVALID_STATE'],
    [`shop://callback?code=c1&state=${state}&state=x`, 'INVALID_STATE'],
    [`shop://callback?error=access_denied&state=${state}`, 'ACCESS_DENIED'],
    [`shop://callback?state=${state}`, 'INVALID_CODE'],
  ] as const) {
    assert.throws(() => finishHandover(handover, given), { name: 'WardenryError', code })
  }
})

const guide = readFileSync(new URL('../../docs/integrate.md', import.meta.url), 'utf8')
const [, sample = ''] = /### An app with its own form\n.*?```js\n(.*?)```/s.exec(guide) ?? []

test('an app with its own form signs in with a passkey of its system, as the guide shows', async () => {
  const authenticator = createAuthenticator(homeOf(app))
  assert.equal((await addOwnPasskey(app, ada.sessionToken, authenticator)).status, 200)
  const store = storeOf()
  const wardenry = createClient({ url, session: store })
  const signInFrom = async (origin: string) => {
    const passkeyLibrary = { get: (options: never) => authenticator.get(options, { origin }) }
    const build = new Function('wardenry', 'passkeyLibrary', `${sample}; return signInWithPasskey`)
    await build(wardenry, passkeyLibrary)()
  }
  await assert.rejects(signInFrom(androidOrigin.replace(/.$/, 'A')), { code: 'INVALID_CREDENTIALS' })
  assert.equal(store.token, undefined)
  await signInFrom(androidOrigin)
  assert.equal((await createClient({ url, session: storeOf(store.token) }).currentUser())?.email, ada.email)
  const { options } = await wardenry.post('/auth/passkeys/options')
  const response = authenticator.create(options as never, { origin: androidOrigin })
  assert.ok((await wardenry.post('/auth/passkeys', { body: { response } as never })).id)
})
