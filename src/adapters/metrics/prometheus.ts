import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Aggregator, PrometheusContentType, Registry } from '@prometheus-io/client'
import { version } from '../../lib/version.ts'
import { loadPackage } from '../load-package.ts'
import { lookupSources, type Metrics } from './port.ts'
import { createRouteSeries } from './route-series.ts'
import { gatherMetrics } from './worker-metrics.ts'

type Library = typeof import('@prometheus-io/client')

export async function createMetrics(): Promise<Metrics> {
  const library = await loadPackage('@prometheus-io/client', 'GET /metrics', () => import('@prometheus-io/client'))
  const registry = new library.Registry<PrometheusContentType>()
  const series = namedSeries(library, registry)
  const routes = createRouteSeries()
  const loopDelay = observeProcess(library, registry)
  const gather = gatherMetrics(async () => [...(await registry.getMetricsAsJSON()), ...routes.read()])

  return {
    route: routes.route,
    sessionLookup: series.sessionLookup,
    passwordHashes(running, queued) {
      series.hashesRunning.set(running)
      series.hashesQueued.set(queued)
    },
    passwordHashRejected: () => series.hashesRejected.inc(),
    outboxDepth: (messages) => series.outboxDepth.set(messages),
    delivery: (outcome) => series.deliveries.inc({ outcome }),
    rateLimited: (limitClass) => series.limited.inc({ class: limitClass }),
    dependency: (name, up) => series.dependencies.set({ name }, up ? 1 : 0),
    logLineDropped: () => series.logLinesDropped.inc(),
    async render() {
      // Also merges the metrics that are counted outside the library.
      const all = library.Registry.aggregate((await gather()) as object[][])
      return { contentType: registry.contentType, body: await all.metrics() }
    },
    close: () => loopDelay.disable(),
  }
}

function namedSeries({ Counter, Gauge }: Library, registry: Registry<PrometheusContentType>) {
  const about = <Label extends string>(name: string, help: string, labelNames: Label[]) => ({
    name: `wardenry_${name}`,
    help,
    labelNames,
    registers: [registry],
  })
  const counter = <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
    new Counter<Label>(about(name, help, labels))
  /** `aggregator` gives one value for several workers. */
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    { labels = [], aggregator = 'sum' }: { labels?: Label[]; aggregator?: Aggregator } = {},
  ) => new Gauge<Label>({ ...about(name, help, labels), aggregator })

  const build = gauge('build_info', 'Always 1; the label is the release', { labels: ['version'], aggregator: 'max' })
  build.set({ version }, 1)
  const lookups = { memory: 0, redis: 0, database: 0, unknown: 0 }
  new Counter({
    ...about('session_lookups_total', 'Session lookups by the tier that answered', ['source']),
    collect() {
      this.reset()
      for (const source of lookupSources) this.inc({ source }, lookups[source])
    },
  })
  return {
    sessionLookup(source: keyof typeof lookups) {
      lookups[source] += 1
    },
    hashesRunning: gauge('password_hashes_running', 'Password hashes being computed'),
    hashesQueued: gauge('password_hashes_queued', 'Password hashes in the queue'),
    hashesRejected: counter('password_hashes_rejected_total', 'Password hashes refused because the queue was full'),
    outboxDepth: gauge('outbox_depth', 'Messages committed and not yet delivered', { aggregator: 'max' }),
    deliveries: counter('outbox_deliveries_total', 'Attempts to deliver a message', 'outcome'),
    limited: counter('rate_limited_total', 'Requests refused by a rate limit', 'class'),
    logLinesDropped: counter('log_lines_dropped_total', 'Log lines dropped because standard output was blocked'),
    dependencies: gauge('dependency_up', '1 while the dependency responds, else 0', {
      labels: ['name'],
      aggregator: 'min',
    }),
  }
}

function observeProcess({ Gauge }: Library, registry: Registry<PrometheusContentType>) {
  const loopDelay = monitorEventLoopDelay({ resolution: 10 })
  loopDelay.enable()
  new Gauge({
    name: 'wardenry_event_loop_delay_p99_seconds',
    help: 'Delay of the event loop since the last scrape, 99th percentile',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(loopDelay.percentile(99) / 1e9)
      loopDelay.reset()
    },
  })
  new Gauge({
    name: 'wardenry_memory_bytes',
    help: 'Memory of the process',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      const { rss, heapUsed, external } = process.memoryUsage()
      this.set({ kind: 'resident' }, rss)
      this.set({ kind: 'heap' }, heapUsed)
      this.set({ kind: 'external' }, external)
    },
  })
  return loopDelay
}
