import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { sql } from 'kysely'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { day, hour } from '../../src/lib/time.ts'
import { hurry, type Message, messageWith, newestMessage, putOff, register, tokenIn } from '../outbox/support.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let sink: SmtpSink
let admin: SignedIn
before(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ env: { SMTP_URL: sink.url, ADMIN_SESSION_IDLE_TTL: '30d', SESSION_IDLE_TTL: '30d' } })
  admin = await signedInAs(app, 'admin')
  // Waits until this message is sent because the tests retry all pending messages while the mail server rejects them.
  await newestMessage(app, ({ status }) => status === 'sent')
})
after(async () => {
  await app?.stop()
  await sink?.stop()
})
afterEach(() => sink.heal())

const base = '/auth/admin/outbox'
const asAdmin = () => withSession(admin.sessionToken)
const list = async (query: Record<string, string> = {}) => {
  const reply = await app.get(base, { ...asAdmin(), query })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}
const listed = async (id: string) =>
  (await list({ limit: '100' })).messages.find((message: { id: string }) => message.id === id)
const retry = (id: string) => app.post(`${base}/${id}/retry`, {}, asAdmin())

/** A message whose delivery attempts have all failed. */
async function givenUp(): Promise<{ email: string; row: Message }> {
  sink.failAt('from', 451)
  const email = await register(app)
  for (let attempts = 1; attempts <= 5; attempts++) {
    await putOff(app, attempts)
    await hurry(app)
  }
  const row = await newestMessage(app, ({ status }) => status === 'failed')
  await sink.heal()
  return { email, row }
}

test('the list shows states, reasons and masked recipients, and nothing of the content', async () => {
  sink.failAt('from', 451)
  const email = await register(app)
  const { id, payload } = await putOff(app)
  const waiting = await listed(id)
  assert.deepEqual(
    { ...waiting, created_at: 0, next_attempt_at: 0, expires_at: 0 },
    {
      id,
      channel: 'mail',
      message: 'verify_email',
      state: 'queued',
      recipient: `a***@${email.split('@')[1]}`,
      reason: 'the mail server answered 451 to MAIL FROM',
      attempts: 1,
      created_at: 0,
      next_attempt_at: 0,
      done_at: null,
      expires_at: 0,
      retryable: true,
    },
  )
  assert.ok(Date.parse(waiting.next_attempt_at) > Date.parse(waiting.created_at))
  await sink.heal()
  await hurry(app)
  const token = tokenIn((await sink.waitFor(email)).text)
  await messageWith(app, id, ({ status }) => status === 'sent')
  const sent = await listed(id)
  assert.deepEqual([sent.state, sent.recipient, sent.retryable], ['sent', null, false])
  const text = JSON.stringify(await list({ limit: '100' }))
  for (const secret of [email, token, payload ?? '', 'payload']) assert.equal(text.includes(secret), false)
})

test('a waiting message is sent at once, and only once', async () => {
  sink.failAt('from', 451)
  const email = await register(app)
  const { id } = await putOff(app)
  await sink.heal()
  assert.equal((await retry(id)).status, 200)
  await sink.waitFor(email)
  await messageWith(app, id, ({ status }) => status === 'sent')
  const again = await retry(id)
  assert.deepEqual([again.status, again.json.code], [409, 'MESSAGE_NOT_RETRYABLE'])
  assert.equal(sink.mails.filter(({ envelope }) => envelope.to.includes(email)).length, 1)
  const [event] = await auditOf(app, 'messages_retried')
  assert.equal(event?.actor_id, admin.id)
  assert.deepEqual(event?.details, { messages: 1, names: ['verify_email'], outbox_id: id })
})

test('a message that was given up is sent again, with a link that works', async () => {
  const { email, row } = await givenUp()
  assert.deepEqual([(await listed(row.id)).state, (await listed(row.id)).retryable], ['failed', true])
  assert.ok((await list({ state: 'failed' })).messages.some(({ id }: { id: string }) => id === row.id))
  assert.equal((await retry(row.id)).status, 200)
  const { text } = await sink.waitFor(email)
  assert.equal((await app.post('/auth/token/verify', { token: tokenIn(text) })).status, 200)
  const sent = await messageWith(app, row.id, ({ status }) => status === 'sent')
  assert.equal(sent.payload, null)
})

test('many failed messages are sent again with one request, by message or by id', async () => {
  const [one, two] = [await givenUp(), await givenUp()]
  const bulk = (body: unknown) => app.post(`${base}/retry`, body, asAdmin())
  assert.deepEqual((await bulk({ message: 'password_reset' })).json.data, { ids: [], retried: 0 })
  assert.deepEqual((await bulk({ ids: [one.row.id, 'nonsense'] })).json.data, { ids: [one.row.id], retried: 1 })
  await sink.waitFor(one.email)
  assert.deepEqual((await bulk({})).json.data, { ids: [two.row.id], retried: 1 })
  await sink.waitFor(two.email)
  assert.equal((await bulk({ ids: Array(1001).fill('x') })).status, 400)
  assert.equal((await bulk({ ids: [] })).status, 400)
})

test('concurrent retries of a failed message send it once', async () => {
  const { email, row } = await givenUp()
  const statuses = (await Promise.all([retry(row.id), retry(row.id), retry(row.id)])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 409, 409])
  await sink.waitFor(email)
  await messageWith(app, row.id, ({ status }) => status === 'sent')
  assert.equal(sink.mails.filter(({ envelope }) => envelope.to.includes(email)).length, 1)
})

test('a refused recipient, an expired link and an unknown message cannot be retried', async () => {
  sink.failAt('to', 550)
  await register(app)
  const { id } = await newestMessage(app, ({ status }) => status === 'failed')
  await sink.heal()
  assert.equal((await listed(id)).retryable, false)
  assert.equal((await retry(id)).json.code, 'MESSAGE_NOT_RETRYABLE')
  const { row } = await givenUp()
  app.clock.advance(25 * hour)
  assert.equal((await listed(row.id)).retryable, false)
  assert.equal((await retry(row.id)).json.code, 'MESSAGE_NOT_RETRYABLE')
  for (const unknown of ['019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90', 'nonsense', "' OR 1=1"])
    assert.equal((await retry(encodeURIComponent(unknown))).status, 404)
})

test('the content of a failed message is erased after a day, or when its link expires', async () => {
  const { row } = await givenUp()
  await sql`UPDATE outbox SET expires_at = NULL WHERE id = ${row.id}`.execute(app.ctx.db)
  await cleanUp(app.ctx)
  assert.equal((await listed(row.id)).retryable, true)
  app.clock.advance(day + hour)
  await cleanUp(app.ctx)
  const erased = await messageWith(app, row.id, ({ payload }) => payload === null)
  assert.equal(erased.status, 'failed')
  const other = await givenUp()
  await sql`UPDATE outbox SET expires_at = done_at WHERE id = ${other.row.id}`.execute(app.ctx.db)
  await cleanUp(app.ctx)
  await messageWith(app, other.row.id, ({ payload }) => payload === null)
})

test('filters and pages', async () => {
  const all = await list({ limit: '2' })
  assert.equal(all.messages.length, 2)
  assert.ok(all.pagination.total > 2)
  assert.notEqual((await list({ limit: '2', page: '2' })).messages[0].id, all.messages[0].id)
  assert.equal((await list({ message: 'password_reset' })).pagination.total, 0)
  assert.equal((await list({ channel: 'sms' })).pagination.total, 0)
  for (const state of ['queued', 'sending', 'sent', 'failed', 'dropped']) {
    const { messages } = await list({ state, limit: '100' })
    assert.ok(messages.every((message: { state: string }) => message.state === state))
  }
  for (const query of [{ state: 'lost' }, { channel: 'fax' }, { status: 'sent' }, { page: '0' }])
    assert.equal(
      (await app.get(base, { ...asAdmin(), query: { ...query } as unknown as Record<string, string> })).status,
      400,
    )
})
