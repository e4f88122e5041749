import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Counter, HrTime, Meter } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { Config } from '../../config/load.ts'
import type { Logger } from '../../lib/log.ts'
import { second } from '../../lib/time.ts'
import { version } from '../../lib/version.ts'
import type { ProcessMetrics } from '../metrics/add-up.ts'
import { within } from '../within.ts'
import { metricExporter, reportingExports, traceExporter } from './exporters.ts'
import { metricDataOf } from './metric-data.ts'
import type { OnSpansDropped, Telemetry } from './port.ts'
import { samplerOf } from './samplers.ts'
import { createSpans } from './spans.ts'

const flushLimit = 2 * second

/** Nothing is registered globally, so the SDK sees only what this service passes to it. */
export async function startTelemetry(config: Config, log: Logger): Promise<Telemetry> {
  const api = await import('@opentelemetry/api')
  const resource = await resourceOf(config)
  let onDropped: OnSpansDropped = () => {}
  const report: OnSpansDropped = (reason, count) => onDropped(reason, count)
  const traces =
    config.OTEL_TRACES_EXPORTER === 'none' ? undefined : await startTraces(config, { log, resource, api, report })
  const startMetrics = config.OTEL_METRICS_EXPORTER === 'none' ? undefined : await metricsStarter(config, log, resource)
  let metrics: { shutdown(): Promise<void> } | undefined
  return {
    tracing: traces && createSpans(api, traces.getTracer('wardenry', version)),
    exportMetrics(read) {
      metrics ??= startMetrics?.(read)
    },
    onSpansDropped(reporter) {
      onDropped = reporter
    },
    async close() {
      const flushed = Promise.allSettled([traces?.shutdown(), metrics?.shutdown()])
      await within(Math.min(flushLimit, config.SHUTDOWN_TIMEOUT / 4), flushed).catch(() => {})
    },
  }
}

async function resourceOf({ OTEL_SERVICE_NAME }: Config): Promise<Resource> {
  const library = await import('@opentelemetry/resources')
  // Reads OTEL_RESOURCE_ATTRIBUTES.
  const declared = library.detectResources({ detectors: [library.envDetector] })
  return declared.merge(
    library.resourceFromAttributes({
      'service.name': OTEL_SERVICE_NAME,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
  )
}

interface Tracer {
  log: Logger
  resource: Resource
  api: typeof import('@opentelemetry/api')
  report: OnSpansDropped
}

async function startTraces(config: Config, { log, resource, api, report }: Tracer) {
  const library = await import('@opentelemetry/sdk-trace')
  const onFailure = ({ length }: readonly unknown[]) => report('export_failed', length)
  const exporter = reportingExports(await traceExporter(config), 'traces', log, onFailure)
  const selfObsMeterProvider = { getMeter: () => queueFullMeter(api, (count) => report('queue_full', count)) }
  return new library.TracerProvider({
    resource,
    sampler: samplerOf(library, config),
    spanProcessors: [new library.BatchSpanProcessor({ exporter, scheduledDelayMillis: second, selfObsMeterProvider })],
  })
}

async function metricsStarter(config: Config, log: Logger, resource: Resource) {
  const library = await import('@opentelemetry/sdk-metrics')
  const exporter = reportingExports(await metricExporter(config), 'metrics', log)
  const startTime = hrTime(performance.timeOrigin)
  return (read: () => Promise<ProcessMetrics>) => {
    const collect = async () => {
      const metrics = metricDataOf(library, await read(), startTime, hrTime(Date.now()))
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'wardenry', version }, metrics }] },
        errors: [],
      }
    }
    const exportIntervalMillis = config.OTEL_METRIC_EXPORT_INTERVAL
    const reader = new library.PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis: Math.min(exportIntervalMillis, 10 * second),
      metricProducers: [{ collect }],
    })
    return new library.MeterProvider({ resource, readers: [reader] })
  }
}

const hrTime = (milliseconds: number): HrTime => [
  Math.trunc(milliseconds / 1000),
  Math.trunc((milliseconds % 1000) * 1e6),
]

/**
 * Reports spans that the SDK drops because its queue is full. The SDK reports their number only to this internal meter.
 */
function queueFullMeter(
  { createNoopMeter }: Pick<typeof import('@opentelemetry/api'), 'createNoopMeter'>,
  onDropped: (count: number) => void,
): Meter {
  const counter: Counter = {
    add(count, attributes) {
      if (attributes?.['error.type'] === 'queue_full') onDropped(count)
    },
  }
  // `createNoopMeter` returns a shared object, which must not be changed.
  const meter: Meter = Object.create(createNoopMeter())
  meter.createCounter = () => counter as never
  return meter
}
