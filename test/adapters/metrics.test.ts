import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Metrics } from '../../src/adapters/metrics/port.ts'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'

async function series(metrics: Metrics): Promise<Map<string, number>> {
  const { body } = await metrics.render()
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

  test('two services in one process do not mix their counts', () =>
    withMetrics((here) =>
      withMetrics(async (there) => {
        here.outboxDepth(1)
        there.outboxDepth(2)
        assert.equal((await series(here)).get('wardenry_outbox_depth'), 1)
      }),
    ))
})
