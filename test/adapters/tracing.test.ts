import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import fc from 'fast-check'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'
import { metricDataOf } from '../../src/adapters/tracing/metric-data.ts'
import { openTelemetry } from '../../src/adapters/tracing/open.ts'
import { readTraceparent } from '../../src/adapters/tracing/spans.ts'
import { loadConfig } from '../../src/config/load.ts'
import { createLogger } from '../../src/lib/log.ts'
import { eventually } from '../support/eventually.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe('the traceparent header', () => {
  test('gives the parent and whether it is sampled', () => {
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-01`), { traceId, spanId, isSampled: true })
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-00`), { traceId, spanId, isSampled: false })
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-fe`), { traceId, spanId, isSampled: false })
    assert.deepEqual(readTraceparent(`01-${traceId}-${spanId}-01-later`), { traceId, spanId, isSampled: true })
  })

  test('is ignored if it is missing, repeated or invalid', () => {
    const valid = `00-${traceId}-${spanId}-01`
    for (const header of [
      undefined,
      '',
      [valid],
      `${valid}, ${valid}`,
      `${valid}-more`,
      `${valid} `,
      `${valid}\n`,
      `ff-${traceId}-${spanId}-01`,
      `0-${traceId}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${traceId.slice(1)}-${spanId}-01`,
      `00-${traceId}-${spanId}`,
      `00-${traceId}-${spanId}-0g`,
    ]) {
      assert.equal(readTraceparent(header), undefined, String(header))
    }
  })

  test('never gives anything but two ids in lower-case hexadecimal', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        const parent = readTraceparent(text)
        return parent === undefined || (/^[\da-f]{32}$/.test(parent.traceId) && /^[\da-f]{16}$/.test(parent.spanId))
      }),
    )
  })
})

describe('the metrics for OpenTelemetry', () => {
  test('are those of Prometheus, with the count of each bucket', async () => {
    const metrics = await createMetrics()
    const login = metrics.route('POST', '/auth/login')
    for (const seconds of [0.0004, 0.003, 0.003, 20]) login.observe(200, seconds)
    metrics.outboxDepth(7)
    metrics.smtpError('tls')
    const data = metricDataOf({ AggregationTemporality, DataPointType }, await metrics.read(), [1, 0], [2, 0])
    metrics.close()
    const points = (name: string) => data.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []

    const [duration] = points('wardenry_http_request_seconds')
    const { buckets, count, sum } = duration!.value as { buckets: { counts: number[] }; count: number; sum: number }
    assert.deepEqual(buckets.counts, [1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    assert.deepEqual([count, Math.round(sum), duration!.startTime, duration!.endTime], [4, 20, [1, 0], [2, 0]])
    assert.deepEqual(duration!.attributes, { method: 'POST', route: '/auth/login' })
    assert.equal(points('wardenry_outbox_depth')[0]?.value, 7)
    assert.equal(points('wardenry_smtp_errors_total').find(({ attributes }) => attributes.outcome === 'tls')?.value, 1)
    const kinds = new Map(data.map(({ descriptor, dataPointType }) => [descriptor.name, dataPointType]))
    assert.equal(kinds.get('wardenry_outbox_depth'), DataPointType.GAUGE)
    assert.equal(kinds.get('wardenry_smtp_errors_total'), DataPointType.SUM)
  })
})

test('nothing is traced without an endpoint, with OTEL_SDK_DISABLED, or if neither signal is exported', async () => {
  const log = createLogger('silent', [], () => {})
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9'
  const off: Record<string, string>[] = [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
  ]
  for (const env of off) assert.equal(await openTelemetry(loadConfig({ NODE_ENV: 'test', ...env }), log), undefined)
})

test('a failed span has the code or the class of its error, and never the message', async (t) => {
  const receiver = await startOtlpReceiver()
  t.after(() => receiver.stop())
  const env = { NODE_ENV: 'test', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_METRICS_EXPORTER: 'none' }
  const telemetry = await openTelemetry(
    loadConfig(env),
    createLogger('silent', [], () => {}),
  )
  const span = { name: 'fail', kind: 'internal', attributes: {} } as const
  const failures = [
    new TypeError('ada@example.com'),
    Object.assign(new Error('ada@example.com'), { code: '23505', detail: 'ada@example.com' }),
    Object.assign(new Error('x'), { code: 'ada@example.com' }),
    'ada@example.com',
  ]
  for (const failure of failures) {
    const failed = telemetry!.tracing!.inOwnTrace(span, () => Promise.reject(failure))
    await assert.rejects(failed, (error) => error === failure)
  }
  assert.equal(await telemetry!.tracing!.inSpan(span, async () => 'outside a request'), 'outside a request')
  await telemetry!.close()
  const types = receiver.spans().map(({ attributes, isError }) => [isError, attributes['error.type']])
  assert.deepEqual(types, [
    [true, 'TypeError'],
    [true, '23505'],
    [true, 'Error'],
    [true, '_OTHER'],
  ])
  assert.ok(!receiver.bodies().some((body) => body.includes('ada@')))
})

test('spans that the collector does not get are counted', async (t) => {
  const receiver = await startOtlpReceiver()
  t.after(() => receiver.stop())
  receiver.answerWith(400)
  const env = { NODE_ENV: 'test', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_METRICS_EXPORTER: 'none' }
  const telemetry = await openTelemetry(
    loadConfig(env),
    createLogger('silent', [], () => {}),
  )
  const dropped = { queue_full: 0, export_failed: 0 }
  telemetry!.onSpansDropped((reason, count) => {
    dropped[reason] += count
  })
  const span = { name: 'many', kind: 'internal', attributes: {} } as const
  await Promise.all(Array.from({ length: 5000 }, () => telemetry!.tracing!.inOwnTrace(span, async () => {})))
  // Once a batch has failed, the SDK does not wait for the other batches.
  await telemetry!.close()
  await eventually(() => dropped.queue_full + dropped.export_failed === 5000)
  assert.ok(dropped.queue_full > 0 && dropped.export_failed > 0, JSON.stringify(dropped))
})

test('nothing is wrapped if only metrics are exported', async () => {
  const env = { NODE_ENV: 'test', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' }
  const telemetry = await openTelemetry(
    loadConfig(env),
    createLogger('silent', [], () => {}),
  )
  assert.equal(telemetry!.tracing, undefined)
  await telemetry!.close()
})
