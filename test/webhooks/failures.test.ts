import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { day, hour, minute, second } from '../../src/lib/time.ts'
import { pauseAfter, readRetryAfter, retryDelay } from '../../src/webhooks/retry-schedule.ts'
import { eventually } from '../support/eventually.ts'
import { registered } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import type { TestApp } from '../support/test-app.ts'
import { type Behaviour, type Receiver, respond, startReceiver } from './receiver.ts'
import { advancingUntil, type Owner, ownerOf, startOpenApp } from './support.ts'

describe('deliveries that fail', () => {
  let app: TestApp
  let owner: Owner
  let back: Receiver
  before(async () => {
    app = await startOpenApp()
    owner = await ownerOf(app)
  })
  after(() => app.stop())
  afterEach(async () => {
    for (const { id } of (await owner.call('GET')).json.data.webhooks) await owner.call('DELETE', `/${id}`)
    await back?.close()
  })

  async function failing(behaviour: Behaviour) {
    back = await startReceiver()
    back.behave(behaviour)
    const { id } = await owner.create({ url: back.url, events: ['user.created'] })
    const ada = await registered(app)
    const list = async () => (await owner.call('GET', `/${id}/deliveries`)).json.data.deliveries
    await eventually(
      async () =>
        (await list()).some(
          ({ attempts, last_status, last_error }: Row) => attempts > 0 && (last_status ?? last_error),
        ),
      20_000,
    )
    return { id, ada, list }
  }
  interface Row {
    attempts: number
    last_status: number | null
    last_error: string | null
  }
  const logOf = async (id: string) => {
    const [{ id: delivery }] = (await owner.call('GET', `/${id}/deliveries`)).json.data.deliveries.slice(-1)
    return (await owner.call('GET', `/${id}/deliveries/${delivery}`)).json.data
  }

  test('an error response is retried with the same id, and the log keeps its first kilobyte', async () => {
    const { id, ada } = await failing(respond(500, 'broken '.repeat(1_000)))
    const { log, event, status, attempts, next_attempt_at } = await logOf(id)
    assert.deepEqual([status, attempts, log[0].status, log[0].error], ['waiting', 1, 500, null])
    assert.equal(log[0].response, 'broken '.repeat(1_000).slice(0, 1_024))
    const delay = Date.parse(next_attempt_at) - app.clock.now()
    assert.ok(delay >= 5 * second && delay <= 6 * second, `${delay}`)
    back.behave(respond(200, 'welcome'))
    app.clock.advance(7 * second)
    await eventually(async () => (await logOf(id)).status === 'delivered')
    const ofAda = back.received.filter((one) => one.event.data.user_id === ada.id)
    assert.equal(new Set(ofAda.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(ofAda[0]?.event.id, event.id)
    assert.deepEqual(
      (await logOf(id)).log.map(({ status: one }: { status: number }) => one),
      [200, 500],
    )
    assert.equal((await owner.get(id)).failing_since, null)
  })

  const broken: [name: string, behaviour: Behaviour, status: number | null, error: RegExp | null][] = [
    ['redirects', respond(302, '', { location: 'http://127.0.0.1:1/' }), 302, null],
    ['resets the connection', (reply) => reply.destroy(), null, /closed the connection/],
    [
      'promises more bytes than it sends',
      (reply) => {
        reply.writeHead(200, { 'content-length': '100' })
        reply.write('short')
        reply.destroy()
      },
      null,
      /closed the connection/,
    ],
    [
      'hangs after its headers',
      (reply) => {
        reply.writeHead(200).write('a')
      },
      null,
      /did not respond in time/,
    ],
    ['never responds', () => {}, null, /did not respond in time/],
  ]
  for (const [name, behaviour, status, error] of broken)
    test(`a receiver that ${name} has not accepted the event`, async () => {
      const { id } = await failing(behaviour)
      const { log, ...delivery } = await logOf(id)
      assert.deepEqual([delivery.status, log[0].status], ['waiting', status])
      if (error) assert.match(log[0].error, error)
      assert.equal(back.received[0]?.path, '/hook')
    })

  test('a receiver that sends an endless response has accepted the event', async () => {
    const { id } = await failing((reply) => {
      reply.writeHead(200)
      const timer = setInterval(() => reply.write('x'.repeat(10_000)), 5)
      reply.on('close', () => clearInterval(timer))
    })
    const { status, log } = await logOf(id)
    assert.deepEqual([status, log[0].status, log[0].response.length], ['delivered', 200, 1_024])
  })

  test('Retry-After is respected', async () => {
    const { id } = await failing(respond(429, '', { 'retry-after': '600' }))
    const pause = Date.parse(String((await owner.get(id)).paused_until)) - app.clock.now()
    assert.ok(pause > 590 * second && pause <= 600 * second, `${pause}`)
    const count = back.received.length
    back.behave(respond(204))
    app.clock.advance(9 * minute)
    await registered(app)
    await eventually(async () => Number((await owner.get(id)).waiting) > 1)
    assert.equal(back.received.length, count)
    app.clock.advance(minute)
    await eventually(async () => (await owner.get(id)).waiting === 0)
  })

  test('a failure at the same time does not end the pause that Retry-After requested', async () => {
    const held: Parameters<Behaviour>[] = []
    back = await startReceiver()
    back.behave((...request) => held.push(request))
    const { id } = await owner.create({ url: back.url, events: ['user.created'] })
    await registered(app)
    await registered(app)
    await eventually(() => held.length === 2, 20_000)
    const [first, other] = held as [Parameters<Behaviour>, Parameters<Behaviour>]
    respond(429, '', { 'retry-after': '600' })(...first)
    await eventually(async () => (await owner.get(id)).paused_until !== null)
    respond(503, '')(...other)
    const list = async (): Promise<Row[]> => (await owner.call('GET', `/${id}/deliveries`)).json.data.deliveries
    await eventually(async () => (await list()).some(({ last_status }) => last_status === 503))
    const pause = Date.parse(String((await owner.get(id)).paused_until)) - app.clock.now()
    assert.ok(pause > 590 * second && pause <= 600 * second, `${pause}`)
  })

  test('410 disables the webhook at once, and superadmins get an email', async () => {
    const { id } = await failing(respond(410))
    const { enabled, disabled_reason } = await owner.get(id)
    assert.deepEqual([enabled, disabled_reason], [false, 'gone'])
    const mail = await app.mailTo(owner.superadmin.email, 1)
    assert.match(mail.subject, /no longer sends events/)
    assert.match(mail.text, new RegExp(`127\\.0\\.0\\.1:\\d+.*/admin/webhooks/${id}`, 's'))
    const [event] = (await auditOf(app, 'webhook_disabled')).slice(-1)
    assert.equal(event?.details.reason, 'gone')
    back.behave(respond(204))
    assert.equal((await owner.call('PUT', `/${id}`, { enabled: true })).status, 200)
    app.clock.advance(10 * second)
    await eventually(async () => (await owner.get(id)).waiting === 0)
  })

  test('three days of failures disable the webhook, and failed deliveries can be replayed', async () => {
    const { id, ada } = await failing(respond(503))
    const start = app.clock.now()
    await advancingUntil(app, 4 * hour, async () => (await owner.get(id)).enabled === false)
    assert.ok(app.clock.now() - start >= 3 * day)
    assert.equal((await owner.get(id)).disabled_reason, 'failing')
    const { status, log } = await logOf(id)
    assert.ok(['waiting', 'failed'].includes(status))
    assert.ok(log.length >= 4 && log.length <= 13, `${log.length} attempts`)
    await registered(app)
    back.behave(respond(204))
    const sent = back.received.length
    owner = await ownerOf(app)
    await owner.call('PUT', `/${id}`, { enabled: true })
    const from = new Date(start - minute).toISOString()
    const { json } = await owner.call('POST', `/${id}/replay`, { from })
    assert.ok(json.data.replayed >= 1, JSON.stringify(json))
    app.clock.advance(2 * day)
    await eventually(async () => (await owner.get(id)).waiting === 0)
    assert.ok(back.received.slice(sent).some(({ event }) => event.data.user_id === ada.id))
    assert.ok(back.received.slice(sent).length >= 2)
  })
})

test('the schedule spans three days, with up to a fifth of jitter, and honours Retry-After up to a day', () => {
  const delays = Array.from({ length: 12 }, (_, index) => retryDelay(index + 1, 0) ?? 0)
  const total = delays.reduce((sum, delay) => sum + delay, 0)
  assert.ok(total >= 2.9 * day && total <= 3.1 * day, `${total / day} days`)
  assert.equal(retryDelay(13, 0), undefined)
  assert.equal(retryDelay(1, 1), 6 * second)
  assert.equal(retryDelay(1, 0, hour), hour)
  assert.equal(retryDelay(1, 0, 30 * day), day)
  assert.equal(pauseAfter(4, hour), 0)
  assert.equal(pauseAfter(5, 0), second)
  assert.equal(pauseAfter(9, 2 * day), 10 * minute)
  assert.equal(readRetryAfter('120', 0), 120 * second)
  assert.equal(readRetryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 30 * second), 30 * second)
  assert.equal(readRetryAfter('Thu, 01 Jan 1970 00:01:00 GMT', hour), 0)
  assert.equal(readRetryAfter('99999999999', 0), day)
  assert.equal(readRetryAfter('soon', 0), undefined)
})
