import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { version } from '../../src/lib/version.ts'
import { eventually } from '../support/eventually.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { call, loginAt, type Nodes, needsBoth, redisUrl, registerAt, startNodes, validateAt } from './nodes.ts'

/** The attributes that spans may have, and the patterns for their values. */
const allowed: Record<string, RegExp> = {
  'http.request.method': /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY|_OTHER)$/,
  'http.route': /^\/[\w/.:*-]*$/,
  'http.response.status_code': /^[1-5]\d\d$/,
  'db.system.name': /^(postgresql|redis)$/,
  'db.operation.name': /^[A-Z]+$/,
  'db.collection.name': /^[a-z_]+$/,
  'error.type': /^\w+$/,
}

describe('a service that sends to an OpenTelemetry collector', needsBoth, () => {
  let receiver: OtlpReceiver
  let mail: SmtpSink
  let nodes: Nodes
  let url: string
  before(async () => {
    receiver = await startOtlpReceiver()
    mail = await startSmtpSink()
    nodes = await startNodes(1, {
      REDIS_URL: redisUrl,
      SMTP_URL: mail.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=secret%20key',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.version=other',
    })
    url = nodes.urls[0]!
  })
  after(async () => {
    await nodes?.stop()
    await mail?.stop()
    await receiver?.stop()
  })

  const find = async (isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> => {
    await eventually(() => receiver.spans().some(isWanted), 15_000)
    return receiver.spans().find(isWanted)!
  }
  const childrenOf = ({ spanId }: ReceivedSpan) => receiver.spans().filter((span) => span.parentSpanId === spanId)
  const newTrace = (flags = '01') => {
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
    return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
  }

  test('spans of a registration and a sign-in contain no personal data', async () => {
    const agent = 'Agent of Ada Lovelace'
    const from = '198.19.77.5'
    const ada = await registerAt(url)
    await mail.waitFor(ada.email)
    const body = { email: ada.email, password: ada.password }
    const headers = { 'user-agent': agent, 'x-session-id': ada.sessionToken }
    const { json } = await call(`${url}/auth/login?session_id=${ada.sessionToken}`, { body, headers, from })
    await call(`${url}/auth/me`, { headers: { 'x-session-id': json.sessionId }, from })
    await call(`${url}/auth/login`, { body: { ...body, password: 'not the password of Ada' }, headers, from })
    await call(`${url}/${ada.email}`, { from })
    assert.equal((await validateAt(url, json.sessionId)).status, 200)
    await find(({ name }) => name === 'POST /auth/bridge/validate')
    await find(({ name }) => name === 'send email')

    const spans = receiver.spans()
    for (const span of spans) {
      for (const [name, value] of Object.entries(span.attributes))
        assert.match(value, allowed[name] ?? /^nothing else$/, name)
    }
    const marks = [ada.id, ada.email, ada.user_name, ada.password, ada.sessionToken, json.sessionId, agent, from]
    const sent = receiver.bodies().map((bytes) => bytes.toString('latin1'))
    for (const mark of [...marks, 'Ada', 'Lovelace', '127.0.0.1', 'secret key'])
      assert.ok(!sent.some((text) => text.includes(mark)), `the collector received ${mark}`)
    for (const span of [
      'POST /auth/register/public',
      'GET /auth/me',
      'GET unmatched',
      'hash password',
      'verify password',
    ])
      assert.ok(
        spans.some(({ name }) => name === span),
        span,
      )
  })

  test('a request has child spans for statements, Redis commands and password hashes', async () => {
    const ada = await registerAt(url)
    const { traceId, spanId, headers } = newTrace()
    const { status } = await call(`${url}/auth/login`, { body: { email: ada.email, password: ada.password }, headers })
    assert.equal(status, 200)
    const request = await find((span) => span.traceId === traceId && span.kind === 2)
    assert.equal(request.name, 'POST /auth/login')
    assert.equal(request.parentSpanId, spanId)
    const { 'http.route': route, 'http.response.status_code': shown } = request.attributes
    assert.deepEqual([route, shown], ['/auth/login', '200'])
    const names = childrenOf(request).map(({ name }) => name)
    for (const name of ['EVALSHA', 'SELECT users', 'verify password', 'BEGIN', 'INSERT audit_events', 'COMMIT'])
      assert.ok(names.includes(name), `${name} in ${names}`)
  })

  test('a traceparent header that does not come from a trusted proxy begins a new trace', async () => {
    const collector = await startOtlpReceiver()
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: 'none' }
    const direct = await startNodes(1, { ...settings, TRUSTED_PROXIES: '' })
    try {
      const { traceId, headers } = newTrace()
      await call(`${direct.urls[0]}/auth/session-of-a-stranger`, { headers })
      const isRequest = ({ name }: ReceivedSpan) => name === 'GET unmatched'
      await eventually(() => collector.spans().some(isRequest), 15_000)
      assert.notEqual(collector.spans().find(isRequest)?.traceId, traceId)
    } finally {
      await direct.stop()
      await collector.stop()
    }
  })

  test('invalid traceparent headers begin a new trace, and unsampled ones and probes are not traced', async () => {
    const { traceId, spanId } = newTrace()
    const invalid = [
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `ff-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-01-more`,
    ]
    const unsampled = newTrace('00')
    await call(`${url}/auth/me`, { headers: unsampled.headers })
    for (const path of ['/health', '/health/live', '/health/ready', '/metrics'])
      assert.equal((await fetch(`${url}${path}`)).status, 200, path)
    const before = receiver.spans().length
    for (const traceparent of invalid) await call(`${url}/auth/me`, { headers: { traceparent } })
    await eventually(
      () =>
        receiver
          .spans()
          .slice(before)
          .filter(({ name }) => name === 'GET /auth/me').length === 3,
      15_000,
    )
    const traces = receiver.spans().map((span) => span.traceId)
    assert.ok(!traces.includes(traceId) && !traces.includes(unsampled.traceId))
    assert.ok(!receiver.spans().some(({ name }) => /^GET \/(health|metrics)/.test(name)))
  })

  test('the resource names the service, its version and this process', async () => {
    const { resource } = await find(() => true)
    const { 'service.instance.id': instance = '', ...others } = resource
    assert.deepEqual(others, {
      'service.name': 'wardenry',
      'service.version': version,
      'deployment.environment.name': 'test',
    })
    assert.match(instance, /^[\da-f-]{36}$/)
    assert.ok(receiver.headers().every((headers) => headers['x-collector-key'] === 'secret key'))
    assert.ok(receiver.headers().every((headers) => headers['content-type'] === 'application/x-protobuf'))
  })

  test('the collector receives the same metrics as Prometheus', async () => {
    const ada = await registerAt(url)
    assert.equal((await loginAt(url, ada)).status, 200)
    const scraped = await (await fetch(`${url}/metrics`)).text()
    const names = new Set(
      [...scraped.matchAll(/^(wardenry_\w+?)(?:_bucket|_sum|_count)?(?:\{| )/gm)].map(([, name]) => name!),
    )
    await eventually(
      () => names.size > 15 && [...names].every((name) => receiver.points().some((one) => one.name === name)),
    )
    const point = (name: string, attributes: Record<string, string>) =>
      receiver
        .points()
        .find(
          (one) =>
            one.name === name && Object.entries(attributes).every(([key, value]) => one.attributes[key] === value),
        )
    assert.deepEqual(
      [point('wardenry_database_writable', {})?.type, point('wardenry_database_writable', {})?.value],
      ['gauge', 1],
    )
    const login = { method: 'POST', route: '/auth/login' }
    assert.equal(point('wardenry_http_requests_total', { ...login, status: '2xx' })?.type, 'sum')
    const { histogram, value } = point('wardenry_http_request_seconds', login)!
    assert.equal(histogram!.counts.length, histogram!.bounds.length + 1)
    assert.equal(
      histogram!.counts.reduce((sum, count) => sum + count),
      value,
    )
    assert.ok(histogram!.sum > 0)
  })
})
