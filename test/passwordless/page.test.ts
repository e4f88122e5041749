import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { formTypes } from '../http/support.ts'
import { registered } from '../support/people.ts'
import { rowCounts } from '../support/rows.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { asked, redeem, verify } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ secondFactor: emailFactor })
})
after(() => app.stop())

async function open(token: string): Promise<{ token: string; form_token: string }> {
  const { text } = await app.get(`/login?token=${token}`, { headers: { accept: 'text/html' } })
  assert.match(text, /<form[^>]+method="post" action="\/auth\/token\/login"/)
  return { token, form_token: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '' }
}

const fromOurPage = { origin: 'null', 'sec-fetch-site': 'same-origin' }

const press = (form: Record<string, string>, headers: Record<string, string> = fromOurPage) =>
  app.post('/auth/token/login', new URLSearchParams(form).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

test('opening the link shows a button and spends nothing; pressing it signs the browser in', async () => {
  const ada = await registered(app)
  const { token } = await asked(app, ada.email)
  const before = await rowCounts(app)
  const form = await open(token)
  await app.call('HEAD', `/login?token=${token}`)
  assert.deepEqual(await rowCounts(app), before)
  const pressed = await press(form)
  assert.equal(pressed.status, 303)
  const result = 'token_login=success&password_removed=true'
  assert.equal(pressed.headers.location, `http://localhost:3000/login?${result}`)
  const cookie = `session_id=${pressed.cookies.session_id?.value}`
  assert.equal((await app.get('/auth/me', { headers: { cookie } })).json.user.id, ada.id)
  const again = await press(form)
  assert.deepEqual([again.status, again.cookies], [400, {}])
  assert.match(again.text, /isn’t valid/)
})

test('a form submitted by another site signs nobody in, even if this service created it', async () => {
  const mallory = await registered(app)
  const { token } = await asked(app, mallory.email)
  const form = await open(token)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { 'sec-fetch-site': 'same-site', origin: 'https://other.localhost' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
    {},
  ] as Record<string, string>[]) {
    const reply = await press(form, headers)
    assert.deepEqual([reply.status, reply.cookies], [400, {}], JSON.stringify(headers))
  }
  // An old browser that does not send Sec-Fetch-Site.
  assert.equal((await press(form, { origin: 'http://localhost:3000' })).status, 303)
})

test('a form is held to be one in every spelling of its type', async () => {
  const mallory = await registered(app)
  const { token } = await asked(app, mallory.email)
  for (const type of formTypes) {
    const reply = await press({ token }, { 'content-type': type, 'sec-fetch-site': 'cross-site' })
    assert.deepEqual([reply.status, reply.cookies], [400, {}], type)
    assert.match(String(reply.headers['content-type']), /^text\/html/, type)
  }
  const form = await open(token)
  assert.equal((await press(form, { ...fromOurPage, 'content-type': formTypes[2] ?? '' })).status, 303)
})

test('a form without our signature, with that of another token or with an old one does nothing', async () => {
  const ada = await registered(app)
  const { token } = await asked(app, ada.email)
  const other = await open('another-token')
  for (const form of [
    { token },
    { token, form_token: 'x.y' },
    { token, form_token: other.form_token },
    { identifier: ada.email },
    {},
  ])
    assert.equal((await press(form as Record<string, string>)).status, 400)
  const stale = await open(token)
  app.clock.advance(3 * hour)
  assert.equal((await press(stale)).status, 400)
})

test('a user with a second factor is told of the next step', async () => {
  const ada = await registered(app)
  await verify(app, ada.id)
  await requireSecondFactor(app, ada.id)
  const pressed = await press(await open((await asked(app, ada.email)).token))
  assert.equal(pressed.headers.location, 'http://localhost:3000/login?token_login=success&requires_2fa=true')
  const sessionToken = pressed.cookies.session_id?.value ?? ''
  assert.doesNotMatch(String(pressed.headers.location), new RegExp(sessionToken))
  const next = await app.get('/login?token_login=success&requires_2fa=true')
  assert.deepEqual([next.status, next.headers.location], [303, '/login/verify'])
  assert.match((await app.get('/login?token_login=success')).text, /signed in/)
})

test('the other spelling of the route takes no form, and JSON is redeemed without a page', async () => {
  const ada = await registered(app)
  const { token } = await asked(app, ada.email)
  const reply = await app.post('/auth/token/create', new URLSearchParams({ token }).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(reply.status, 415)
  assert.equal((await redeem(app, { token })).status, 200)
})
