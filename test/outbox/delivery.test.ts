import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, iso } from '../../src/lib/time.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { hurry, newestMessage, putOff, register, tokenIn } from './support.ts'

let app: TestApp
let sink: SmtpSink
before(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ env: { SMTP_URL: sink.url, MAIL_FROM: 'Example <no-reply@example.com>' } })
})
after(async () => {
  await app?.stop()
  await sink?.stop()
})
afterEach(() => sink.heal())

const sentTo = (email: string) => sink.mails.filter(({ envelope }) => envelope.to.includes(email)).length

test('a mail leaves by SMTP to the one address it is for, with its row as its name, and works', async () => {
  const email = await register(app)
  const mail = await sink.waitFor(email)
  const row = await newestMessage(app, ({ status }) => status === 'sent')
  assert.deepEqual(mail.envelope, { from: 'no-reply@example.com', to: [email] })
  assert.equal(mail.to, email)
  assert.equal(mail.headers.get('message-id'), `<${row.id}@example.com>`)
  assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
  assert.match(mail.html, new RegExp(tokenIn(mail.text)))
  const reply = await app.post('/auth/token/verify', { token: tokenIn(mail.text) })
  assert.equal(reply.json.user.email, email)
})

test('the table holds a mail sealed until it has left, and nothing of it afterwards', async () => {
  sink.failAt('from', 451)
  const email = await register(app)
  const waiting = await putOff(app)
  assert.equal(waiting.status, 'queued')
  assert.match(waiting.payload ?? '', /^1(\.[\w-]+){3}$/)
  assert.equal((await everything()).includes(email), false)
  await sink.heal()
  await hurry(app)
  const { text } = await sink.waitFor(email)
  const sent = await newestMessage(app, ({ status }) => status === 'sent')
  assert.equal(sent.payload, null)
  assert.equal(sent.attempts, 2)
  const dump = await everything()
  for (const secret of [tokenIn(text), email]) assert.equal(dump.includes(secret), false)
})

/** All data of messages and jobs, as text. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ text: string }>`SELECT (SELECT string_agg(o::text, ' ') FROM outbox o)
    || (SELECT string_agg(j::text, ' ') FROM jobs.job j) AS text`.execute(app.ctx.db)
  return rows[0]!.text
}

test('what the mail server cannot take now is tried again in a minute, and sent once', async () => {
  for (const [stage, fault] of [
    ['to', 451],
    ['data', 452],
    ['from', 'drop'],
  ] as const) {
    sink.failAt(stage, fault)
    const email = await register(app)
    const waiting = await putOff(app)
    assert.equal(waiting.status, 'queued')
    assert.equal(waiting.next_try, 60)
    await sink.heal()
    await hurry(app)
    await sink.waitFor(email)
    await newestMessage(app, ({ status }) => status === 'sent')
    assert.equal(sentTo(email), 1)
  }
})

test('a recipient that is refused for good is given up at once, and its name is kept nowhere', async () => {
  sink.failAt('to', 550)
  const email = await register(app)
  const failed = await newestMessage(app, ({ status }) => status === 'failed')
  assert.equal(failed.payload, null)
  assert.equal(failed.last_error, 'the mail server refused the recipient (550)')
  assert.equal(failed.next_try, null)
  assert.equal(app.logged().includes(email), false)
})

test('while nobody listens on the mail server requests are answered as usual, and their mails come later', async () => {
  await sink.refuse()
  const emails: string[] = []
  for (let count = 0; count < 3; count++) {
    emails.push(await register(app))
    await putOff(app)
  }
  await sink.heal()
  await hurry(app)
  for (const email of emails) assert.ok(await sink.waitFor(email))
})

test('a mail whose link has expired is not sent any more', async () => {
  sink.failAt('from', 451)
  const email = await register(app)
  await putOff(app)
  await sink.heal()
  app.clock.advance(day)
  await hurry(app)
  const expired = await newestMessage(app, ({ status }) => status === 'expired')
  assert.equal(expired.payload, null)
  assert.equal(iso(expired.done_at!), iso(app.clock.now()))
  assert.equal(sentTo(email), 0)
})
