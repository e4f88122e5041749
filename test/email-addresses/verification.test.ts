import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, hour } from '../../src/lib/time.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''
const mailedToken = async (email: string, count = 0) => tokenIn((await app.mailTo(email, count)).text)
const isVerified = async (sessionToken: string) =>
  (await app.get('/auth/me', withSession(sessionToken))).json.user.is_verified
const path = '/auth/token/verify'

test('the mail speaks the language of its reader and links to our own address', async () => {
  const body = { ...person(), lang: 'es' }
  await app.post('/auth/register/public', body, { headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } })
  const mail = await app.mailTo(body.email)
  assert.match(mail.subject ?? '', /Confirma|Verifica/)
  assert.match(mail.text, /http:\/\/localhost:3000\/auth\/token\/verify\?token=/)
  assert.doesNotMatch(mail.text + mail.html, /evil/)
  const byBrowser = person()
  await app.post('/auth/register/public', byBrowser, { headers: { 'accept-language': 'fr;q=0.9, es-MX;q=0.8' } })
  assert.equal((await app.mailTo(byBrowser.email)).subject, mail.subject)
})

test('an API caller verifies by GET or POST, once, and gets no session', async () => {
  const ada = await registered(app)
  const token = await mailedToken(ada.email)
  const reply = await app.get(`${path}?token=${token}&format=json`)
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.json.user, { id: ada.id, email: ada.email, is_verified: true })
  assert.equal(reply.json.status, 'verified')
  assert.deepEqual(reply.cookies, {})
  assert.equal(await isVerified(ada.sessionToken), true)
  const again = await app.post(path, { token })
  assert.equal(again.status, 400)
  assert.equal(again.json.code, 'INVALID_TOKEN')
  assert.equal((await auditOf(app, 'verify_ok')).filter(({ target_id }) => target_id === ada.id).length, 1)
})

test('opening the link, looking at it ahead or asking for its head changes nothing', async () => {
  const ada = await registered(app)
  const token = await mailedToken(ada.email)
  const visits: Record<string, string>[] = [
    { accept: 'text/html' },
    { accept: '*/*' },
    {},
    { purpose: 'prefetch', accept: 'application/json' },
    { 'sec-purpose': 'prefetch' },
  ]
  for (const headers of visits) {
    const page = await app.get(`${path}?token=${token}`, { headers })
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-type']), /text\/html/)
    assert.match(page.text, /<form[^>]+method="post"/)
  }
  const head = await app.call('HEAD', `${path}?token=${token}&format=json`, { headers: { accept: 'application/json' } })
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  assert.equal(await isVerified(ada.sessionToken), false)
})

async function openPage(token: string, headers: Record<string, string> = {}) {
  const { text } = await app.get(`${path}?token=${token}`, { headers: { accept: 'text/html', ...headers } })
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

const press = (form: Record<string, string>) =>
  app.post(path, new URLSearchParams(form).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

test('the button of the page verifies and leads to the front end; pressing it again is no error', async () => {
  const ada = await registered(app)
  const token = await mailedToken(ada.email)
  const page = await openPage(token)
  const pressed = await press({ token, form_token: page })
  assert.equal(pressed.status, 303)
  assert.equal(pressed.headers.location, 'http://localhost:3000/login?verification=success')
  assert.equal(await isVerified(ada.sessionToken), true)
  const again = await press({ token, form_token: page })
  assert.equal(again.status, 200)
  assert.match(again.text, /already/i)
})

const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

test('a link that is opened in another browser shows when the account was created, and lets the owner say no', async () => {
  const stranger = person()
  const reply = await app.post('/auth/register/public', stranger, { headers: firefox })
  const { sessionId } = reply.json
  const token = await mailedToken(stranger.email)
  const { text } = await app.get(`${path}?token=${token}`, { headers: { accept: 'text/html' } })
  assert.match(text, new RegExp(`${stranger.email} was created on .* with Firefox on Linux`))
  assert.match(text, /<button class="plain" name="answer" value="not_me">It wasn’t me</)
  const pressed = await press({ token, form_token: await openPage(token), answer: 'not_me' })
  assert.equal(pressed.status, 200)
  assert.match(pressed.text, /Access removed/)
  assert.equal((await app.get('/auth/me', withSession(sessionId))).json.code, 'INVALID_SESSION')
  assert.equal((await app.post('/auth/login', stranger)).status, 401)
  assert.match((await app.mailTo(stranger.email, 1)).text, /ended all earlier sessions/)
  const [event] = (await auditOf(app, 'verify_ok')).filter(({ target_id }) => target_id === reply.json.data.id)
  assert.equal(event?.details.answer, 'not_me')
})

test('who says too late that it was somebody else learns that nothing was removed', async () => {
  const ada = await registered(app)
  const token = await mailedToken(ada.email)
  const form_token = await openPage(token)
  assert.equal((await app.post(path, { token })).status, 200)
  const { status, text } = await press({ token, form_token, answer: 'not_me' })
  assert.equal(status, 409)
  assert.match(text, /Nothing was removed/)
  assert.match(text, /href="\/forgot"/)
})

test('the browser that registered is not asked who it was, and nobody is about a link that is not valid', async () => {
  const ada = await registered(app)
  const token = await mailedToken(ada.email)
  const pageFor = async (cookie: string, of = token) =>
    (await app.get(`${path}?token=${of}`, { headers: { accept: 'text/html', cookie } })).text
  assert.doesNotMatch(await pageFor(`session_id=${ada.sessionToken}`), /not_me|was created on/)
  const other = await registered(app)
  assert.match(await pageFor(`session_id=${other.sessionToken}`), /not_me/)
  assert.doesNotMatch(await pageFor('', 'A'.repeat(43)), /not_me/)
  app.clock.advance(day)
  assert.doesNotMatch(await pageFor(''), /not_me|was created on/)
})

test('an API caller can say that it was not the owner, but not once the address is verified', async () => {
  const stranger = await registered(app)
  const token = await mailedToken(stranger.email)
  for (const answer of ['not me', null])
    assert.equal((await app.post(path, { token, answer })).json.code, 'VALIDATION_ERROR')
  await sql`UPDATE users SET is_verified = true WHERE id = ${stranger.id}`.execute(app.ctx.db)
  assert.equal((await app.post(path, { token, answer: 'not_me' })).json.code, 'INVALID_TOKEN')
  assert.equal((await app.post('/auth/login', stranger)).status, 200)
  await sql`UPDATE users SET is_verified = false WHERE id = ${stranger.id}`.execute(app.ctx.db)
  assert.equal((await app.post(path, { token, answer: 'not_me' })).status, 200)
  assert.equal((await app.post('/auth/login', stranger)).status, 401)
})

test('a form that is not from our page verifies nothing', async () => {
  const ada = await registered(app)
  const token = await mailedToken(ada.email)
  const other = await openPage('another-token')
  for (const page of ['', 'x.y', other]) {
    const reply = await press({ token, form_token: page })
    assert.equal(reply.status, 400)
    assert.match(String(reply.headers['content-type']), /text\/html/)
  }
  const stale = await openPage(token)
  app.clock.advance(3 * hour)
  assert.equal((await press({ token, form_token: stale })).status, 400)
  assert.equal(await isVerified(ada.sessionToken), false)
})

test('a link expires, dies with a newer one, and every other value is the same rejection', async () => {
  const ada = await registered(app)
  const first = await mailedToken(ada.email)
  await app.post('/auth/resend-verification', { email: ada.email })
  const second = await mailedToken(ada.email, 1)
  assert.notEqual(first, second)
  for (const token of [first, 'A'.repeat(43), '%', '_', 'x']) {
    const { status, json } = await app.post(path, { token })
    assert.equal(status, 400, token)
    assert.equal(json.error, 'Invalid or expired token')
  }
  for (const token of ['', null, undefined, [], {}, true, 0]) {
    const { status, json } = await app.post(path, { token })
    assert.equal(status, 400)
    assert.equal(json.code, 'VALIDATION_ERROR')
    assert.equal(json.details[0].field, 'token')
  }
  app.clock.advance(day)
  assert.equal((await app.post(path, { token: second })).json.code, 'INVALID_TOKEN')
})

test('asking for the link again tells nobody whether the address is known', async () => {
  const ada = await registered(app)
  await app.mailTo(ada.email)
  const known = await app.post('/auth/resend-verification', { email: ada.email.toUpperCase() })
  const unknown = await app.post('/auth/resend-verification', { email: person().email })
  assert.equal(known.status, 200)
  assert.deepEqual(known.json, unknown.json)
  await app.mailTo(ada.email, 1)
  const token = await mailedToken(ada.email, 1)
  await app.post(path, { token })
  await app.post('/auth/resend-verification', { email: ada.email })
  await fixedWait(1_500, 'another mail must not arrive')
  assert.equal(app.inbox?.list({ to: ada.email }).length, 2)
})

test('with a session no address is needed; with neither it is asked for', async () => {
  const ada = await registered(app)
  assert.equal((await app.post('/auth/resend-verification', undefined, withSession(ada.sessionToken))).status, 200)
  await app.mailTo(ada.email, 1)
  const before = await rowCounts(app)
  const { status, json } = await app.post('/auth/resend-verification', {})
  assert.equal(status, 400)
  assert.equal(json.details[0].field, 'email')
  for (const email of [['ada@example.com'], {}, 'a@example.com, b@example.com', 'nobody', 5]) {
    assert.equal((await app.post('/auth/resend-verification', { email })).status, 400)
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('one address gets at most five such mails an hour, and the answer stays the same', async () => {
  const ada = await registered(app)
  await app.mailTo(ada.email)
  const replies = []
  for (let count = 0; count < 8; count++)
    replies.push((await app.post('/auth/resend-verification', { email: ada.email })).json)
  for (const reply of replies) assert.deepEqual(reply, replies[0])
  await app.mailTo(ada.email, 4)
  await fixedWait(1_500, 'another mail must not arrive')
  assert.equal(app.inbox?.list({ to: ada.email }).length, 5)
})
