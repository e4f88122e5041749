import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { sha256 } from '../../src/lib/hash.ts'
import { messages } from '../outbox/support.ts'
import { person, registered } from '../support/people.ts'
import { auditOf, inHex, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { asked, newNumber, redeem, setPhone, settled } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { ALLOWED_REDIRECTS: 'https://shop.test,myapp://' } })
})
after(() => app.stop())

const path = '/auth/token/login'

test('the mail has a link to the front end and a code, and says who asked', async () => {
  const ada = await registered(app, 'ada', { lang: 'es', name: 'Ada' })
  const { message, token, code } = await asked(app, ada.email.toUpperCase())
  assert.match(message.text, new RegExp(`http://localhost:3000/login\\?token=${token}\n`))
  assert.match(message.text, new RegExp(`^${code}$`, 'm'))
  assert.match(message.text, /Dirección IP: 198\.18\./)
  assert.match(message.text, /15 minutos[\s\S]*10 minutos/)
  assert.equal(message.to, ada.email)
  assert.match(message.subject, /Inicia sesión/)
})

test('a text message ends with the line that phones read the code from', async () => {
  const ada = await registered(app)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  const { message, code, token } = await asked(app, phone)
  assert.equal(message.channel, 'sms')
  assert.match(message.text, new RegExp(`\n@localhost #${code}$`))
  assert.match(message.text, new RegExp(`login\\?token=${token}`))
  const elsewhere = await asked(app, phone, { redirect_url: 'https://shop.test/in' })
  assert.match(elsewhere.message.text, /\n@shop\.test #\d{6}$/)
})

test('known, unknown and deleted identifiers get the same answer, in every spelling', async () => {
  const [ada, gone] = [await registered(app), await registered(app)]
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${gone.id}`.execute(app.ctx.db)
  await app.mailTo(gone.email)
  const before = app.inbox?.list().length
  const answers = []
  for (const body of [
    { identifier: ada.email },
    { email: person().email },
    { identifier: gone.email, type: 'email' },
    { identifier: person().email, method: 'email' },
  ]) {
    const { status, json, headers, cookies } = await app.post(path, body)
    assert.match(json.token_id, /^[0-9a-f-]{36}$/)
    const { token_id: _id, ...rest } = json
    answers.push({ status, rest, headers: Object.keys(headers).sort(), cookies })
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.deepEqual(answers[0]?.rest, {
    success: true,
    message: 'If the account exists, a link and a code are on their way.',
    method: 'email',
    expires_in: 900,
  })
  const byPhone = [
    await app.post('/auth/token/create', { phone: newNumber() }),
    await app.post('/auth/token/create', { identifier: newNumber(), type: 'phone' }),
  ]
  for (const { status, json } of byPhone) assert.deepEqual([status, json.method], [200, 'sms'])
  await settled(app)
  assert.equal(app.inbox?.list().length, (before ?? 0) + 1)
  const sent = (await auditOf(app, 'token_sent')).slice(-6)
  assert.deepEqual(sent.map(({ outcome, details }) => [outcome, details.reason].join(' ')).sort(), [
    ...Array(5).fill('failure unknown'),
    'success ',
  ])
  assert.doesNotMatch(JSON.stringify(sent), /@example|\+49/)
})

test('what is not one address or number is refused, names its member and leaves nothing behind', async () => {
  const before = await rowCounts(app)
  const bad: [body: Record<string, unknown>, field: string][] = [
    [{}, 'identifier'],
    [{ identifier: '' }, 'identifier'],
    [{ identifier: ['ada@example.com'] }, 'identifier'],
    [{ identifier: { $ne: null } }, 'identifier'],
    [{ identifier: 'a@example.com, b@example.com' }, 'identifier'],
    [{ identifier: 'ada@example.com\nbcc: b@example.com' }, 'identifier'],
    [{ identifier: 'ada' }, 'identifier'],
    [{ identifier: '+49' }, 'identifier'],
    [{ identifier: '0151 12345678' }, 'identifier'],
    [{ identifier: '+4915112345678', type: 'email' }, 'identifier'],
    [{ identifier: 'ada@example.com', type: 'sms' }, 'identifier'],
    [{ identifier: 'ada@example.com', type: 'pigeon' }, 'type'],
    [{ identifier: 'ada@example.com', redirect_url: 5 }, 'redirect_url'],
    [{ email: 'ada@example.com', phone: '+4915112345678' }, 'email'],
  ]
  for (const [body, field] of bad) {
    const { status, json } = await app.post(path, body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(json.details[0].field, field, JSON.stringify(body))
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('the link leads to an allowed target, and to the front end for every other wish', async () => {
  const ada = await registered(app)
  const wishes: [wish: string, start: string][] = [
    ['https://shop.test/in?step=1', 'https://shop.test/in?step=1&token='],
    ['myapp://login', 'myapp://login?token='],
    ['https://evil.test/', 'http://localhost:3000/login?token='],
    ['https://shop.test@evil.test/', 'http://localhost:3000/login?token='],
    ['javascript:alert(1)', 'http://localhost:3000/login?token='],
  ]
  for (const [wish, start] of wishes) {
    await sql`DELETE FROM rate_limits`.execute(app.ctx.db)
    const { message } = await asked(app, ada.email, { login_url: wish })
    assert.ok(message.text.includes(`\n${start}`), `${wish}: ${message.text}`)
  }
  await sql`DELETE FROM rate_limits`.execute(app.ctx.db)
  const forged = await app.post(
    path,
    { identifier: ada.email },
    { headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } },
  )
  assert.equal(forged.status, 200)
  await settled(app)
  assert.doesNotMatch(app.inbox?.list({ to: ada.email }).at(-1)?.text ?? '', /evil/)
})

test('a newer request is the end of the older one, of its link and its code, for the same way only', async () => {
  const ada = await registered(app)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  const [first, text] = [await asked(app, ada.email), await asked(app, phone)]
  const second = await asked(app, ada.email)
  assert.equal((await redeem(app, { token: first.token })).json.code, 'INVALID_TOKEN')
  assert.equal((await redeem(app, { token_id: first.id, code: first.code })).json.code, 'INVALID_CODE')
  assert.equal((await redeem(app, { token_id: text.id, code: text.code })).status, 200)
  assert.equal((await redeem(app, { token: second.token })).status, 200)
})

test('an address gets ten such mails in 15 minutes; more are left out, and the newest that came still works', async () => {
  const ada = await registered(app)
  let last = await asked(app, ada.email)
  for (let count = 1; count < 10; count++) last = await asked(app, ada.email)
  const mails = () => app.inbox?.list({ to: ada.email }).length
  const before = mails()
  for (let count = 0; count < 3; count++) assert.equal((await app.post(path, { email: ada.email })).status, 200)
  await settled(app)
  assert.equal(mails(), before)
  assert.equal((await auditOf(app, 'token_sent')).at(-1)?.details.reason, 'cap')
  assert.equal((await redeem(app, { token: last.token })).status, 200)
})

test('a number gets five texts an hour, and nobody who asks can tell', async () => {
  const ada = await registered(app)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  for (let count = 0; count < 5; count++) await asked(app, phone)
  const { status, json } = await app.post(path, { identifier: phone })
  assert.deepEqual([status, json.method], [200, 'sms'])
  await settled(app)
  assert.equal(app.inbox?.list({ to: phone }).length, 5)
  assert.equal((await auditOf(app, 'token_sent')).at(-1)?.details.reason, 'number')
})

test('a task that runs again after a crash sends nothing twice', async () => {
  const ada = await registered(app)
  const sent = await asked(app, ada.email)
  const task = (await messages(app)).filter(({ channel }) => channel === 'task').at(-1)
  const { sendLogin } = await import('../../src/passwordless/send-login.ts')
  const device = { address: '', userAgent: '', device: '', acceptLanguage: undefined, method: 'POST', requestId: 'r' }
  const request = { id: sent.id, contact: ada.email, method: 'email' as const, target: 'https://shop.test/', device }
  const before = await rowCounts(app)
  await sendLogin(app.ctx, request)
  assert.deepEqual(await rowCounts(app), before)
  assert.equal(task?.status, 'sent')
  assert.equal((await redeem(app, { token: sent.token })).status, 200)
})

test('neither link nor code is in a reply, the log or the database', async () => {
  const ada = await registered(app)
  const { id, token, code } = await asked(app, ada.email)
  const { rows } = await sql<{
    row: string
  }>`SELECT row_to_json(s)::text AS row FROM one_time_secrets s WHERE id = ${id}`.execute(app.ctx.db)
  assert.equal(rows.length, 1)
  assert.doesNotMatch(rows[0]?.row ?? '', new RegExp(`${token}|${inHex(token)}|\\b${code}\\b|x${inHex(code)}"`))
  // The code must not be stored as a plain hash: with a copy of the database, all million codes could be tried.
  for (const plain of [code, `${id}.${code}`]) assert.ok(!rows[0]?.row.includes(sha256(plain)))
  assert.doesNotMatch(app.logged(), new RegExp(`${token}|"${code}"`))
  await settled(app)
  const left = await sql`SELECT 1 FROM outbox WHERE payload IS NOT NULL AND status = 'sent'`.execute(app.ctx.db)
  assert.equal(left.rows.length, 0)
})
