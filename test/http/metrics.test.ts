import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sealEvents } from '../../src/audit/seal-events.ts'
import { startMeasuring } from '../../src/jobs/measure.ts'
import { second } from '../../src/lib/time.ts'
import { version } from '../../src/lib/version.ts'
import { eventually } from '../support/eventually.ts'
import { registered } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, listen } from './support.ts'

const token = 'metrics-Rw8xQ2mV'

let open: TestApp
let guarded: TestApp
before(async () => {
  open = await startTestApp()
  guarded = await startTestApp({ env: { METRICS_TOKEN: token } })
})
after(() => Promise.all([open, guarded].map((one) => one?.stop())))

const page = (app: TestApp, from: string, headers: Record<string, string> = {}) =>
  app.get('/metrics', { from, headers })

test('without a token only callers of this machine see the metrics, and none for whom a proxy speaks', async () => {
  for (const peer of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) {
    const { status, headers, text } = await page(open, peer)
    assert.equal(status, 200, peer)
    assert.match(String(headers['content-type']), /^text\/plain; version=/)
    assert.ok(text.includes(`\nwardenry_build_info{version="${version}"} 1\n`))
    assert.match(text, /^wardenry_memory_bytes\{kind="resident"\} \d+$/m)
  }
  for (const peer of ['203.0.113.9', '10.0.0.1', '192.168.1.1', '::ffff:203.0.113.9', '2001:db8::1', 'fe80::1']) {
    assertError(await page(open, peer), 404, 'NOT_FOUND', peer)
  }
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-proto', 'cf-connecting-ip']) {
    for (const value of ['127.0.0.1', ''])
      assertError(await page(open, '127.0.0.1', { [name]: value }), 404, 'NOT_FOUND', name)
  }
})

test('with a token every caller needs it, on this machine too', async () => {
  assert.equal((await page(guarded, '203.0.113.9', { authorization: `Bearer ${token}` })).status, 200)
  for (const authorization of [
    '',
    token,
    `bearer ${token}`,
    `Bearer ${token} `,
    `Bearer  ${token}`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}x`,
    `Basic ${token}`,
    'Bearer undefined',
  ]) {
    assertError(await page(guarded, '127.0.0.1', { authorization }), 404, 'NOT_FOUND', authorization)
  }
  assertError(await page(guarded, '127.0.0.1'), 404, 'NOT_FOUND')
  assertError(await guarded.get(`/metrics?token=${token}`, { from: '127.0.0.1' }), 404, 'NOT_FOUND')
})

test('labels name routes, statuses and classes, never a person, an address or anything that a client chose', async () => {
  const ada = await registered(open)
  const marks = [
    ada.email,
    ada.user_name,
    ada.id,
    ada.sessionToken,
    bridgeSecret,
    '203.0.113.77',
    'chosen-by-client',
    'agent-of-client',
  ]
  const send = await listen(open)
  const common = `Host: chosen-by-client\r\nConnection: close\r\nUser-Agent: agent-of-client\r\nX-Session-ID: ${ada.sessionToken}\r\n`
  for (const line of [
    'GET /auth/me?session_id=chosen-by-client',
    'GET /chosen-by-client',
    'PROPFIND /auth/chosen-by-client',
    'POST /auth/login',
  ]) {
    await send(`${line} HTTP/1.1\r\n${common}\r\n`)
  }
  await send(`POST /auth/bridge/validate HTTP/1.1\r\n${common}X-Bridge-Secret: ${bridgeSecret}\r\n\r\n`)
  const { text } = await page(open, '127.0.0.1')
  for (const mark of marks) assert.ok(!text.includes(mark), mark)

  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const words: Record<string, RegExp> = {
    method: /^(GET|HEAD|POST|ANY)$/,
    route: /^(\/[\w/.:-]*|unmatched)$/,
    status: /^[1-5]xx$/,
    class: /^[a-z_]+$/,
    outcome:
      /^(delivered|retried|refused|failed|expired|connection|tls|authentication|recipient_refused|rejected|deferred|accepted|unreachable)$/,
    source: /^(memory|redis|database|unknown)$/,
    name: /^(database|redis)$/,
    grant: /^(client_credentials|user)$/,
    format: /^(jwt|opaque)$/,
    version: /^\d+\.\d+\.\d+$/,
    kind: /^(resident|heap|external|cleanup|scheduled|queue)$/,
    operation: /^(put|get|remove)$/,
    state: /^(in_use|idle)$/,
    // An application's key is chosen by an administrator; those of no application are counted together.
    application: /^([a-z0-9-]+|\(settings\)|\(other\))$/,
    reason:
      /^(queue_full|export_failed|secret|not_[a-z]+|account_ended|rate_limited|redirect_uri|invalid_[a-z]+|un[a-z_]+|foreign_[a-z]+)$/,
    le: /^(\d+(\.\d+)?|\+Inf)$/,
  }
  for (const sample of samples) {
    assert.match(sample, /^wardenry_[a-z0-9_]+(\{.*\})? [-+\d.eINaf]+$/, sample)
    for (const [, label = '', value = ''] of sample.matchAll(/(\w+)="([^"]*)"/g))
      assert.match(value, words[label] ?? /^a label nobody expects$/, sample)
  }
  assert.match(text, /^wardenry_http_requests_total\{method="POST",route="\/auth\/login",status="4xx"\} 1$/m)
  assert.match(text, /^wardenry_http_requests_total\{method="POST",route="\/auth\/bridge\/validate",status="2xx"\} 1$/m)
})

test('a refused request is counted by its class', async () => {
  const from = '203.0.113.78'
  await Promise.all(Array.from({ length: 8 }, () => open.post('/auth/login', {}, { from })))
  const { text } = await page(open, '127.0.0.1')
  assert.match(text, /^wardenry_rate_limited_total\{class="login"\} 3$/m)
})

test('the state of the database, its connections and the audit seals are shown', async () => {
  const value = async (series: string) => {
    const { text } = await page(open, '127.0.0.1')
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    return Number(line?.slice(series.length) ?? Number.NaN)
  }
  assert.equal(await value('wardenry_database_writable'), 1)
  assert.equal(await value('wardenry_dependency_up{name="database"}'), 1)
  const inUse = await value('wardenry_database_connections{state="in_use"}')
  assert.ok(inUse + (await value('wardenry_database_connections{state="idle"}')) >= 1)
  assert.equal(await value('wardenry_database_waiting'), 0)

  await sealEvents(open.ctx, 10_000)
  const age = 90 * second
  await open.clock.advance(age)
  startMeasuring(open.ctx).stop()
  await eventually(async () => (await value('wardenry_audit_seal_age_seconds')) >= age / second)
  assert.equal(await value('wardenry_audit_unsealed_age_seconds'), 0)
  await registered(open)
  await open.clock.advance(age)
  startMeasuring(open.ctx).stop()
  await eventually(async () => (await value('wardenry_audit_unsealed_age_seconds')) >= age / second)
  assert.ok((await value('wardenry_audit_seal_age_seconds')) >= (2 * age) / second)
})
