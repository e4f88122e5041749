import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Registry } from '@prometheus-io/client'
import {
  deliveryOutcomes,
  jobKinds,
  type Metrics,
  smtpErrors,
  spanLosses,
  storageOperations,
} from '../../src/adapters/metrics/port.ts'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'

async function series(metrics: Metrics): Promise<Map<string, number>> {
  return valuesOf((await metrics.render()).body)
}

function valuesOf(body: string): Map<string, number> {
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

async function withMetrics(use: (metrics: Metrics) => Promise<void>): Promise<void> {
  const metrics = await createMetrics()
  try {
    await use(metrics)
  } finally {
    metrics.close()
  }
}

describe('metrics for Prometheus', () => {
  test('count requests per route and status class, and sort their durations', () =>
    withMetrics(async (metrics) => {
      const login = metrics.route('POST', '/auth/login')
      metrics.route('GET', '/never/asked/for')
      for (const [status, seconds] of [
        [200, 0.0004],
        [204, 0.003],
        [401, 0.0005],
        [500, 20],
      ] as const) {
        login.observe(status, seconds)
      }
      metrics.route('POST', '/auth/login').observe(200, 0.01)

      const found = await series(metrics)
      const labels = 'method="POST",route="/auth/login"'
      assert.equal(found.get(`wardenry_http_requests_total{${labels},status="2xx"}`), 3)
      assert.equal(found.get(`wardenry_http_requests_total{${labels},status="4xx"}`), 1)
      assert.equal(found.get(`wardenry_http_requests_total{${labels},status="5xx"}`), 1)
      const upTo = (le: string) => found.get(`wardenry_http_request_seconds_bucket{${labels},le="${le}"}`)
      assert.deepEqual(['0.0005', '0.001', '0.005', '0.01', '10', '+Inf'].map(upTo), [2, 2, 3, 4, 4, 5])
      assert.equal(found.get(`wardenry_http_request_seconds_count{${labels}}`), 5)
      assert.ok(Math.abs((found.get(`wardenry_http_request_seconds_sum{${labels}}`) ?? 0) - 20.0139) < 1e-9)
      assert.ok([...found.keys()].every((name) => !name.includes('/never')))
    }))

  test('report what the service is doing', () =>
    withMetrics(async (metrics) => {
      metrics.sessionLookup('memory')
      metrics.sessionLookup('memory')
      metrics.sessionLookup('unknown')
      metrics.passwordHashes(2, 7)
      metrics.passwordHashRejected()
      metrics.outboxDepth(12)
      metrics.delivery('refused')
      metrics.rateLimited('login')
      metrics.dependency('redis', false)
      metrics.dependency('database', true)
      await series(metrics)

      const found = await series(metrics)
      const expected = {
        'wardenry_session_lookups_total{source="memory"}': 2,
        'wardenry_session_lookups_total{source="redis"}': 0,
        'wardenry_session_lookups_total{source="database"}': 0,
        'wardenry_session_lookups_total{source="unknown"}': 1,
        wardenry_password_hashes_running: 2,
        wardenry_password_hashes_queued: 7,
        wardenry_password_hashes_rejected_total: 1,
        wardenry_outbox_depth: 12,
        'wardenry_outbox_deliveries_total{outcome="refused"}': 1,
        'wardenry_rate_limited_total{class="login"}': 1,
        'wardenry_dependency_up{name="redis"}': 0,
        'wardenry_dependency_up{name="database"}': 1,
      }
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, found.get(name)])), expected)
      assert.ok((found.get('wardenry_memory_bytes{kind="resident"}') ?? 0) > 1e6)
      assert.ok((found.get('wardenry_event_loop_delay_p99_seconds') ?? -1) >= 0)
    }))

  test('name at most 100 applications, however many there are', () =>
    withMetrics(async (metrics) => {
      for (let number = 0; number < 150; number++) metrics.handedOver(`app-${number}`)
      metrics.handedOver('app-7')
      metrics.handedOver(undefined)
      const found = [...(await series(metrics))].filter(([name]) =>
        name.startsWith('wardenry_application_sessions_total'),
      )
      const counts = Object.fromEntries(found.map(([name, count]) => [/"(.*)"/.exec(name)?.[1], count]))
      assert.equal(found.length, 102)
      assert.deepEqual([counts['app-7'], counts['(other)'], counts['(settings)']], [2, 50, 1])
    }))

  test('are a page that a scraper can read: each series described once, every value a number', () =>
    withMetrics(async (metrics) => {
      metrics.route('GET', '/odd"route\\').observe(200, 1)
      const { contentType, body } = await metrics.render()
      assert.match(contentType, /^text\/plain; version=0\.0\.4/)
      const described = [...body.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, name]) => name)
      assert.equal(new Set(described).size, described.length)
      for (const [name, value] of await series(metrics)) {
        assert.ok(Number.isFinite(value), name)
        assert.ok(described.includes(name.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '')), name)
      }
      assert.match(body, /route="\/odd\\"route\\\\"/)
    }))

  test('begin every counter with known labels at 0, so that the first increase is noticed', () =>
    withMetrics(async (metrics) => {
      const found = await series(metrics)
      for (const name of [
        ...deliveryOutcomes.map((outcome) => `wardenry_outbox_deliveries_total{outcome="${outcome}"}`),
        ...smtpErrors.map((outcome) => `wardenry_smtp_errors_total{outcome="${outcome}"}`),
        ...storageOperations.map((operation) => `wardenry_storage_errors_total{operation="${operation}"}`),
        ...jobKinds.map((kind) => `wardenry_job_failures_total{kind="${kind}"}`),
        ...spanLosses.map((reason) => `wardenry_trace_spans_dropped_total{reason="${reason}"}`),
      ]) {
        assert.equal(found.get(name), 0, name)
      }
    }))

  test('of several workers give the worst state and clock, and the sum of connections and errors', () =>
    withMetrics((one) =>
      withMetrics(async (other) => {
        one.databaseWritable(true)
        other.databaseWritable(false)
        one.clockSkew(() => 0.2)
        other.clockSkew(() => -3)
        one.connections(() => ({ inUse: 3, idle: 1, waiting: 2 }))
        other.connections(() => ({ inUse: 4, idle: 2, waiting: 5 }))
        one.auditSeals({ newest: 40, unsealed: 0 })
        other.auditSeals({ newest: 30, unsealed: 9 })
        one.smtpError('tls')
        other.smtpError('tls')
        other.storageError('get')
        one.jobFailed('cleanup')
        const both = Registry.aggregate((await Promise.all([one.read(), other.read()])) as object[][])
        const found = valuesOf(await both.metrics())
        const expected = {
          wardenry_database_writable: 0,
          wardenry_clock_skew_seconds: 3,
          'wardenry_database_connections{state="in_use"}': 7,
          'wardenry_database_connections{state="idle"}': 3,
          wardenry_database_waiting: 7,
          wardenry_audit_seal_age_seconds: 40,
          wardenry_audit_unsealed_age_seconds: 9,
          'wardenry_smtp_errors_total{outcome="tls"}': 2,
          'wardenry_storage_errors_total{operation="get"}': 1,
          'wardenry_job_failures_total{kind="cleanup"}': 1,
        }
        assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, found.get(name)])), expected)
      }),
    ))

  test('two services in one process do not mix their counts', () =>
    withMetrics((here) =>
      withMetrics(async (there) => {
        here.outboxDepth(1)
        there.outboxDepth(2)
        assert.equal((await series(here)).get('wardenry_outbox_depth'), 1)
      }),
    ))
})
