import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createClient, type SessionChange, WardenryError } from '../../../packages/client/src/index.ts'
import { freePort } from '../../support/free-port.ts'
import { person, registered } from '../../support/people.ts'
import { passwordlessUser, requestRecovery } from '../../support/recovery.ts'
import type { TestApp } from '../../support/test-app.ts'
import { withTotp, wrongCode } from '../../two-factor/support.ts'
import { clientOf, startService, storeOf } from './support.ts'

let app: TestApp
let url: string
before(async () => {
  const limits = { RATE_LIMIT_LOGIN: '1000/1m', RATE_LIMIT_REGISTRATION: '1000/1m' }
  const service = await startService({ ...limits, PASSKEY_REQUIRED_FOR: 'writer' })
  app = service.app
  url = service.url
})
after(() => app?.stop())

const credentialsOf = ({ email, password }: { email: string; password: string }) => ({ email, password })

const isError =
  (code: string, more: Partial<WardenryError> = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof WardenryError)
    assert.equal(error.code, code)
    for (const [name, value] of Object.entries(more)) assert.deepEqual(error[name as keyof WardenryError], value, name)
    return true
  }

test('signs in with a password, says who is signed in, and signs out', async () => {
  const ada = await registered(app)
  const { client, store } = clientOf(url)
  const changes: SessionChange[] = []
  const stop = client.onChange((change) => changes.push(change))
  assert.equal(await client.currentUser(), null)
  const result = await client.signIn({ email: ada.email, password: ada.password })
  assert.equal(result.status, 'signed_in')
  assert.match(store.token ?? '', /^ses_/)
  assert.equal((await client.currentUser())?.email, ada.email)
  const token = store.token
  await client.signOut()
  assert.equal(store.token, undefined)
  assert.equal(await createClient({ url, session: storeOf(token) }).currentUser(), null)
  await client.signOut()
  assert.deepEqual(changes, ['signed_in', 'signed_out'])
  stop()
  await client.signIn({ userName: ada.user_name, password: ada.password })
  assert.equal(changes.length, 2)
})

test('a second factor is asked for, and the session is kept only once it was right', async () => {
  const ada = await withTotp(app)
  const { client, store } = clientOf(url)
  const result = await client.signIn({ email: ada.email, password: ada.password })
  assert.ok(result.status === 'second_factor_required')
  assert.equal(store.token, undefined)
  assert.equal(await client.currentUser(), null)
  assert.equal(result.methods[0]?.method, 'totp')
  const code = ada.code()
  await assert.rejects(
    result.verify({ code: wrongCode(code) }),
    isError('INVALID_CODE', { status: 400, attemptsRemaining: 4 }),
  )
  const verified = await result.verify({ code })
  assert.ok(verified.status === 'signed_in')
  assert.equal(verified.user.email, ada.email)
  assert.equal((await client.currentUser())?.email, ada.email)
})

const requirePasskey = ({ id }: { id: string }) =>
  sql`UPDATE users SET user_type = 'writer', is_verified = true WHERE id = ${id}`.execute(app.ctx.db)

test('a sign-in that still requires a passkey signs nobody in, before and after a second factor', async () => {
  const [ada, grace] = [await withTotp(app), await registered(app, 'grace')]
  for (const user of [ada, grace]) await requirePasskey(user)
  const { client, store } = clientOf(url)
  const changes: SessionChange[] = []
  client.onChange((change) => changes.push(change))
  const result = await client.signIn({ email: ada.email, password: ada.password })
  assert.ok(result.status === 'second_factor_required')
  const others = [await result.verify({ code: ada.code() }), await client.signIn(credentialsOf(grace))]
  for (const other of others) {
    assert.ok(other.status === 'passkey_required')
    await assert.rejects(other.addPasskey(), isError('PASSKEY_NOT_SUPPORTED', { status: 0 }))
    await assert.rejects(other.addPasskey({ nme: 'Phone' } as object), TypeError)
  }
  assert.deepEqual([store.token, await client.currentUser(), changes], [undefined, null, []])
})

test('the session of a recovery is kept for the new passkey, but signs nobody in', async () => {
  const ada = await passwordlessUser(app)
  const { client, store } = clientOf(url)
  const changes: SessionChange[] = []
  client.onChange((change) => changes.push(change))
  const body = { ...(await requestRecovery(app, ada)), recovery_code: ada.recoveryCodes[0] ?? '' }
  await client.post('/auth/recovery', { body })
  assert.match(store.token ?? '', /^ses_/)
  assert.deepEqual(changes, [])
  assert.equal((await client.get('/auth/recovery/passkeys')).email, ada.email)
})

test('every operation is one call; a registration signs in, and the end of the session is noticed', async () => {
  const { client, store } = clientOf(url)
  const grace = person('grace')
  const { data } = await client.post('/auth/register/public', { body: grace })
  assert.equal(data.user.email, grace.email)
  const changes: SessionChange[] = []
  client.onChange((change) => changes.push(change))
  await assert.rejects(client.get('/auth/users'), isError('FORBIDDEN', { status: 403 }))
  const { data: own } = await client.get('/auth/sessions')
  await client.put('/auth/profile', { body: { name: 'Grace' } })
  assert.equal((await client.currentUser())?.name, 'Grace')
  await client.delete('/auth/sessions/{session_id}', { params: { path: { session_id: own.sessions[0]?.id ?? '' } } })
  await assert.rejects(client.get('/auth/sessions'), isError('INVALID_SESSION', { status: 401 }))
  assert.equal(store.token, undefined)
  assert.deepEqual(changes, ['signed_out'])
})

test('non-JSON responses are returned unchanged, and files are sent as files', async () => {
  const ada = await registered(app)
  const { client } = clientOf(url, storeOf(ada.sessionToken))
  const { default: sharp } = await import('sharp')
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const body = new FormData()
  body.set('picture', new Blob([new Uint8Array(bytes)]), 'me.png')
  const { data } = await client.post('/auth/upload/picture', { body })
  const file = new URL(data.picture_url).pathname.split('/').at(-1) ?? ''
  const picture = await client.get('/auth/pictures/{file}', { params: { path: { file } } })
  assert.equal(picture.headers.get('content-type'), 'image/webp')
  assert.ok((await picture.arrayBuffer()).byteLength > 0)
})

test('a rejection is an error with code, status, details and the id of the request', async () => {
  const { client } = clientOf(url)
  await assert.rejects(
    client.post('/auth/register/public', { body: { email: 'nobody', password: '' } }),
    (error: WardenryError) => {
      isError('VALIDATION_ERROR', { status: 400 })(error)
      assert.ok(error.details.some(({ field }) => field === 'password'))
      assert.ok(error.requestId)
      return true
    },
  )
  await assert.rejects(
    client.signIn({ email: 'nobody@example.com', password: 'a wrong password' }),
    isError('INVALID_CREDENTIALS', { status: 401 }),
  )
})

test('a missing response signs nobody out', async () => {
  const store = storeOf('ses_kept')
  const { client } = clientOf(`http://localhost:${await freePort()}`, store)
  await assert.rejects(client.currentUser(), isError('NETWORK_ERROR', { status: 0 }))
  await assert.rejects(client.signOut(), isError('NETWORK_ERROR'))
  assert.equal(store.token, 'ses_kept')
})

test('an answer of a proxy in place of the service is an error, too', async () => {
  const pages = [
    new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html', 'retry-after': '7' } }),
    new Response('{"success": tr', { status: 200, headers: { 'content-type': 'application/json' } }),
  ]
  const client = createClient({ url, fetch: async () => pages.shift() ?? Response.error() })
  await assert.rejects(client.currentUser(), isError('UNAVAILABLE', { status: 502, retryAfter: 7 }))
  await assert.rejects(client.currentUser(), isError('NETWORK_ERROR'))
})

test('a rejection says when to try again', async () => {
  const { app: strict, url } = await startService({ RATE_LIMIT_LOGIN: '1/1m' })
  try {
    const { client } = clientOf(url)
    const wrong = { email: 'nobody@example.com', password: 'a wrong password' }
    await assert.rejects(client.signIn(wrong), isError('INVALID_CREDENTIALS'))
    await assert.rejects(client.signIn(wrong), (error: WardenryError) => {
      isError('RATE_LIMITED', { status: 429 })(error)
      assert.ok(error.retryAfter && error.retryAfter <= 60)
      return true
    })
  } finally {
    await strict.stop()
  }
})

test('the address of the sign-in page has what was given, encoded', () => {
  const { client } = clientOf('https://id.example.com/')
  assert.equal(client.signInUrl(), 'https://id.example.com/login')
  assert.equal(
    client.signInUrl({ returnTo: 'https://shop.example/?a=b&c', state: 'x y', codeChallenge: 'abc', maxAge: 0 }),
    'https://id.example.com/login?return_to=https%3A%2F%2Fshop.example%2F%3Fa%3Db%26c&state=x+y&code_challenge=abc&code_challenge_method=S256&max_age=0',
  )
})
