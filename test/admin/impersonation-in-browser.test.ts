import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../screens/all-pages.ts'
import { handedOver } from '../support/handover.ts'
import { registered, signedInAs } from '../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
})
after(() => app.stop())

const cookiesOf = ({ headers }: Reply): Map<string, string> => {
  const lines = [headers['set-cookie'] ?? []].flat().map(String)
  return new Map(lines.map((line) => line.split(';')[0]!.split('=') as [string, string]))
}
const header = (cookies: Map<string, string>) =>
  [...cookies]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
const own = 'http://localhost:3000'

async function acting() {
  const root = await signedInAs(app, 'superadmin')
  const ada = await registered(app)
  const from = { headers: { cookie: `session_id=${root.sessionToken}`, origin: own } }
  const reply = await app.post(`/auth/admin/users/${ada.id}/impersonate`, { reason: 'A test' }, from)
  assert.equal(reply.status, 200, reply.text)
  return { root, ada, cookies: cookiesOf(reply) }
}
const page = (path: string, cookies: Map<string, string>) =>
  app.get(path, { headers: { cookie: header(cookies), accept: 'text/html' } })
const me = (token: string) => app.get('/auth/me', { headers: { 'x-session-id': token } })

test('every page shows a banner, and its button returns to the own session', async () => {
  const { root, ada, cookies } = await acting()
  assert.equal(cookies.get('own_session'), root.sessionToken)
  for (const path of ['/account', '/account/profile', '/login/mail', '/', '/nowhere'])
    assert.match((await page(path, cookies)).text, /You’re acting as (another user|ada)/, path)
  const account = await page('/account', cookies)
  assert.match(textOf(account.text), new RegExp(ada.email))
  const form = account.text.match(/class="acting".*?name="form_token" value="([^"]+)"/s)![1]!
  const stopped = await app.post('/impersonation/stop', undefined, {
    headers: { cookie: header(cookies), origin: own, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ form_token: form }).toString(),
  } as never)
  assert.equal(stopped.status, 303)
  assert.equal(stopped.headers.location, `/admin/people/${ada.id}`)
  const restored = cookiesOf(stopped)
  assert.equal(restored.get('session_id'), root.sessionToken)
  assert.equal(restored.get('own_session'), '')
  assert.equal((await me(cookies.get('session_id')!)).status, 401)
  const mine = await page('/account', restored)
  assert.doesNotMatch(mine.text, /You’re acting as/)
  assert.match(textOf(mine.text), new RegExp(root.email))
})

test('signing out ends both sessions', async () => {
  const { root, cookies } = await acting()
  const reply = await app.post('/auth/logout', {}, { headers: { cookie: header(cookies), origin: own } })
  assert.equal(reply.status, 200)
  assert.equal(cookiesOf(reply).get('own_session'), '')
  for (const token of [root.sessionToken, cookies.get('session_id')!]) assert.equal((await me(token)).status, 401)
})

test('a sign-in ends both sessions and leaves one cookie', async () => {
  const { root, cookies } = await acting()
  const grace = await registered(app, 'grace')
  const reply = await app.post(
    '/auth/login',
    { email: grace.email, password: grace.password },
    { headers: { cookie: header(cookies), origin: own } },
  )
  assert.equal(reply.status, 200, reply.text)
  assert.equal(cookiesOf(reply).get('own_session'), '')
  assert.equal((await me(cookiesOf(reply).get('session_id')!)).json.user.id, grace.id)
  for (const token of [root.sessionToken, cookies.get('session_id')!]) assert.equal((await me(token)).status, 401)
})

test('another site cannot stop it', async () => {
  const { cookies } = await acting()
  const foreign = { headers: { cookie: header(cookies), origin: 'https://evil.example' } }
  const stop = () => app.post('/auth/impersonation/stop', {}, foreign)
  assert.equal((await stop()).json.code, 'CSRF_REJECTED')
  assert.equal((await me(cookies.get('session_id')!)).status, 200)
  app.clock.advance(15 * 60_000 + 1)
  assert.equal((await stop()).json.code, 'CSRF_REJECTED', 'nor restore the own session after the end')
})

test('a session that has ended still leads back', async () => {
  const { root, cookies } = await acting()
  app.clock.advance(15 * 60_000 + 1)
  const reply = await app.post('/auth/impersonation/stop', {}, { headers: { cookie: header(cookies), origin: own } })
  assert.equal(reply.json.data.restored, true)
  assert.equal(cookiesOf(reply).get('session_id'), root.sessionToken)
})

test('only the browser session of a superadmin is restored from the cookie', async () => {
  const root = await signedInAs(app, 'superadmin')
  const stop = (token: string) =>
    app.post('/auth/impersonation/stop', {}, { headers: { cookie: `own_session=${token}`, origin: own } })
  const others = [
    (await registered(app)).sessionToken,
    (await signedInAs(app, 'admin')).sessionToken,
    await handedOver(app, root.sessionToken),
  ]
  for (const token of others) {
    const reply = await stop(token)
    assert.equal(reply.json.data.restored, false)
    assert.deepEqual([cookiesOf(reply).get('session_id'), cookiesOf(reply).get('own_session')], ['', ''])
  }
  assert.equal((await stop(root.sessionToken)).json.data.restored, true)
})
