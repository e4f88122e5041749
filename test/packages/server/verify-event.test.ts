import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type SignedEvent, verifyEvent, WardenryError } from '../../../packages/server/src/index.ts'

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`
const secret = newSecret()
const event = { id: 'e1', type: 'user.blocked', version: 1, occurred_at: '2026-11-20T17:48:31.705Z', data: {} }
const body = JSON.stringify(event)
const now = () => Math.floor(Date.now() / 1000)

/** Signs independently of the package. */
const signature = (key: string, id: string, timestamp: string | number, text = body) =>
  `v1,${createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${text}`)
    .digest('base64')}`

function signed(
  more: Partial<Omit<SignedEvent, 'headers'>> = {},
  { time = now() as string | number, key = secret, text = body } = {},
) {
  const headers = {
    'webhook-id': 'e1',
    'webhook-timestamp': String(time),
    'webhook-signature': signature(key, 'e1', time, text),
  }
  return { body: text, headers, secrets: secret, ...more }
}

const withNames = (spell: (name: string) => string) =>
  Object.fromEntries(Object.entries(signed().headers).map(([name, value]) => [spell(name), value]))

const refuses = (given: SignedEvent, reason: RegExp) =>
  assert.throws(
    () => verifyEvent(given),
    (error) => error instanceof WardenryError && error.code === 'INVALID_EVENT' && reason.test(error.reason),
  )

test('accepts the example of the Standard Webhooks libraries', (t) => {
  t.mock.method(Date, 'now', () => 1_614_265_330_000)
  const given = {
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    secrets: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  }
  // The signature is right, but this is no event of the service.
  refuses(given, /not an event/)
  refuses({ ...given, body: '{"test": 2432232315}' }, /no signature/)
})

test('returns the event, from text, bytes, and headers of Fetch or Node.js', () => {
  for (const given of [
    signed(),
    signed({ body: Buffer.from(body) }),
    { ...signed(), headers: new Headers(signed().headers) },
    { ...signed(), headers: withNames((name) => name.toUpperCase()) },
    { ...signed(), headers: withNames((name) => name.replace(/\b\w/g, (letter) => letter.toUpperCase())) },
  ])
    assert.deepEqual(verifyEvent(given), event)
})

test('the type of an event determines the type of its data', () => {
  const found = verifyEvent(signed())
  const until: string | null | undefined = found.type === 'user.blocked' ? found.data.until : undefined
  // @ts-expect-error: sessions have other data.
  const wrong: unknown = found.type === 'session.ended' ? found.data.until : undefined
  assert.equal(wrong, undefined)
  assert.equal(until, undefined)
})

test('during a rotation, either secret and either signature will do', () => {
  const former = newSecret()
  assert.deepEqual(verifyEvent(signed({ secrets: [newSecret(), secret] })), event)
  const given = signed()
  const both = `${signature(former, 'e1', given.headers['webhook-timestamp'])} ${given.headers['webhook-signature']}`
  assert.deepEqual(verifyEvent({ ...given, headers: { ...given.headers, 'webhook-signature': both } }), event)
})

test('refuses another body, id, time, secret or kind of signature', () => {
  const given = signed()
  const header = (name: string, value: string | undefined) => ({
    ...given,
    headers: { ...given.headers, [name]: value },
  })
  refuses({ ...given, body: body.replace('blocked', 'deleted') }, /no signature/)
  refuses({ ...given, secrets: newSecret() }, /no signature/)
  refuses(header('webhook-id', 'e2'), /no signature/)
  refuses(header('webhook-timestamp', String(now() - 1)), /no signature/)
  for (const value of ['v1,', 'v1', 'v1,AAAA', given.headers['webhook-signature'].replace('v1,', 'v1a,')])
    refuses(header('webhook-signature', value), /no signature/)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    refuses(header(name, undefined), new RegExp(`${name} is missing`))
})

test('refuses an old or future signature, although it is right', () => {
  for (const time of [now() - 301, now() + 302, 'soon', '', '1e9', `-${now()}`])
    refuses(signed({}, { time }), /too old|missing/)
  assert.deepEqual(verifyEvent(signed({}, { time: now() - 290 })), event)
  assert.deepEqual(verifyEvent(signed({ tolerance: 900 }, { time: now() - 800 })), event)
  for (const tolerance of [Number.NaN, Number.POSITIVE_INFINITY, -1, '300'])
    assert.throws(() => verifyEvent(signed({ tolerance: tolerance as number })), {
      name: 'TypeError',
      message: /tolerance/,
    })
})

test('a signed body that is no event is refused', () => {
  for (const text of ['', 'null', '[]', '"user.blocked"', '{"type":"x"}', '{'])
    refuses(signed({}, { text }), /not JSON|not an event/)
})

test('an unset or short secret is a mistake of the caller, not an event without protection', () => {
  for (const secrets of ['', 'whsec_', 'whsec_AAAA', 'secret', []])
    assert.throws(() => verifyEvent(signed({ secrets })), TypeError)
  assert.throws(() => verifyEvent(signed({ secrets: undefined as unknown as string })), TypeError)
})
