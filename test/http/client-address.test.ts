import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let direct: TestApp
let behindProxy: TestApp
before(async () => {
  const env = { RATE_LIMIT_LOGIN: '40/1h' }
  direct = await startTestApp({ env })
  behindProxy = await startTestApp({ env: { ...env, TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8, 192.0.2.1' } })
})
after(() => Promise.all([direct, behindProxy].map((one) => one?.stop())))

/** Whether two requests share a rate limit counter. */
async function share(app: TestApp, first: [string, object?], second: [string, object?]): Promise<boolean> {
  const attempt = async ([from, headers = {}]: [string, object?]): Promise<number> => {
    const reply = await app.post('/auth/login', {}, { from, headers: { ...headers } })
    return Number(reply.headers['x-ratelimit-remaining'])
  }
  const before = await attempt(first)
  return (await attempt(second)) === before - 1
}

test('without trusted proxies no header makes another address', async () => {
  const peer = '203.0.113.1'
  const names = [
    'x-forwarded-for',
    'X-FORWARDED-FOR',
    'x-real-ip',
    'cf-connecting-ip',
    'true-client-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'fastly-client-ip',
    'x-forwarded',
  ]
  for (const [index, name] of names.entries()) {
    assert.ok(await share(direct, [peer], [peer, { [name]: `198.51.100.${index}` }]), name)
  }
  assert.ok(await share(direct, [peer], [peer, { forwarded: 'for=198.51.100.60;proto=https' }]))
  assert.ok(await share(direct, [peer], [peer, { 'x-forwarded-for': ['198.51.100.61', '198.51.100.62'] }]))
  assert.ok(await share(direct, ['127.0.0.1'], ['127.0.0.1', { 'x-forwarded-for': '198.51.100.63' }]))
})

test('the limit bites at the exact count, however the headers rotate', async () => {
  const peer = '203.0.113.2'
  const attempts = Array.from({ length: 100 }, (_, index) =>
    direct.post(
      '/auth/login',
      {},
      { from: peer, headers: { 'x-forwarded-for': `198.51.100.${index}`, 'x-real-ip': `198.51.100.${index}` } },
    ),
  )
  const replies = await Promise.all(attempts)
  assert.equal(replies.filter(({ status }) => status !== 429).length, 40)
})

test('behind trusted proxies the right-most address that is none of them counts', async () => {
  const proxy = '10.0.0.1'
  const by = (list: string): [string, object] => [proxy, { 'x-forwarded-for': list }]
  const person = '198.51.100.1'
  for (const list of [
    `192.0.2.77, ${person}`,
    `127.0.0.1,10.9.9.9,${person}`,
    `${person}, 10.1.2.3`,
    `${person},10.1.2.3,192.0.2.1`,
    `${person}, fd00::1`,
    `  ${person}  `,
    `${person}:51234`,
    `::ffff:${person}`,
    `nonsense, ${person}`,
  ]) {
    assert.ok(await share(behindProxy, by(person), by(list)), list)
  }
  assert.ok(await share(behindProxy, by(person), [person]), 'the same address without a proxy')
  assert.ok(!(await share(behindProxy, by(person), by('198.51.100.2'))))
  assert.ok(!(await share(behindProxy, by(person), by(`${person}, 198.51.100.3`))))
})

test('headers of a peer that is no proxy are ignored, and what is no address makes no key of its own', async () => {
  assert.ok(await share(behindProxy, ['203.0.113.3'], ['203.0.113.3', { 'x-forwarded-for': '198.51.100.9' }]))
  assert.ok(
    !(await share(
      behindProxy,
      ['10.0.0.2', { 'x-forwarded-for': '198.51.100.9' }],
      ['203.0.113.4', { 'x-forwarded-for': '198.51.100.9' }],
    )),
  )
  const proxy = '10.0.0.3'
  for (const list of [
    'nonsense',
    '',
    ' ',
    'unknown',
    '_hidden',
    '198.51.100.1, nonsense',
    '1.2.3',
    '1.2.3.4.5',
    '300.1.1.1',
    '0x7f.1',
    'a'.repeat(8_000),
  ]) {
    assert.ok(await share(behindProxy, [proxy], [proxy, { 'x-forwarded-for': list }]), list.slice(0, 40))
  }
  assert.ok(await share(behindProxy, [proxy], [proxy, { 'x-real-ip': '198.51.100.1', forwarded: 'for=198.51.100.1' }]))
})

test('one IPv6 customer is one key, two are two, and an IPv4 address has one key in all its spellings', async () => {
  for (const other of [
    '2001:db8:1:2::2',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002:0:0:0:9',
    '2001:db8:1:2::1%eth0',
  ]) {
    assert.ok(await share(direct, ['2001:db8:1:2::1'], [other]), other)
  }
  assert.ok(!(await share(direct, ['2001:db8:1:2::1'], ['2001:db8:1:3::1'])))
  for (const mapped of ['::ffff:203.0.113.9', '::FFFF:203.0.113.9', '::ffff:cb00:7109', '0:0:0:0:0:ffff:203.0.113.9']) {
    assert.ok(await share(direct, ['203.0.113.9'], [mapped]), mapped)
  }
  assert.ok(!(await share(direct, ['203.0.113.9'], ['203.0.113.10'])))
})

test('the address of the audit is the one that was counted', async () => {
  await behindProxy.post(
    '/auth/bridge/validate',
    {},
    { from: '10.0.0.4', headers: { 'x-forwarded-for': '192.0.2.7, 198.51.100.77, 10.2.2.2' } },
  )
  const rows = await behindProxy.database.query<{ ip: string }>(
    "SELECT ip FROM audit_events WHERE event = 'bridge_auth_fail'",
    [],
  )
  assert.deepEqual(rows, [{ ip: '198.51.100.77' }])
})

test('the request id of a trusted proxy is kept, if it is short and plain', async () => {
  const idOf = async (from: string, id: string | string[], app = behindProxy) => {
    const { headers, json } = await app.get('/auth/me', { from, headers: { 'x-request-id': id } })
    assert.equal(headers['x-request-id'], json.request_id)
    return json.request_id
  }
  const own = /^[\w-]{16}$/
  for (const id of [
    '5a6f0d7d1c9e4f1b8a2c3d4e5f60718a',
    '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6',
    'edge_1.2',
    'a'.repeat(64),
  ])
    assert.equal(await idOf('10.0.0.1', id), id)
  for (const id of ['', 'a'.repeat(65), 'a b', 'a,b', '<b>', '"', 'é', ['first', 'second']])
    assert.match(await idOf('10.0.0.1', id), own, String(id))
  const long = '5a6f0d7d1c9e4f1b8a2c3d4e5f60718a'
  assert.match(await idOf('203.0.113.9', long), own, 'not a proxy')
  assert.match(await idOf('10.0.0.1', long, direct), own, 'no trusted proxies')
  assert.match(behindProxy.logged(), /"request_id":"edge_1\.2"/)
})
