import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Config } from '../../config/load.ts'
import { readHeaderList } from '../../config/settings/telemetry.ts'
import type { Logger } from '../../lib/log.ts'

interface Result {
  code: number
  error?: Error
}

/** Dropped batches must not flood the log, so only the first failure and the recovery are logged. */
export function reportingExports<
  Batch,
  Exporter extends { export(batch: Batch, done: (result: Result) => void): void },
>(exporter: Exporter, what: 'traces' | 'metrics', log: Logger, onFailure?: (batch: Batch) => void): Exporter {
  let isFailing = false
  const send = exporter.export.bind(exporter)
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      const failed = result.code !== 0
      if (failed && !isFailing)
        log.warn(
          { reason: reasonOf(result.error) },
          `the OpenTelemetry collector does not accept ${what}: they are dropped`,
        )
      if (!failed && isFailing) log.info(`the OpenTelemetry collector accepts ${what} again`)
      isFailing = failed
      if (failed) onFailure?.(batch)
      done(result)
    })
  return exporter
}

/** Returns only the error's code or name, because its message may quote the URL or the collector's response. */
const reasonOf = (error: Error | undefined): string =>
  error && 'code' in error && error.code !== undefined ? String(error.code) : (error?.name ?? 'unknown')

export async function traceExporter(config: Config): Promise<SpanExporter> {
  const options = optionsFor('traces', config)
  if (config.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json') {
    const library = await import('@opentelemetry/exporter-trace-otlp-http')
    return new library.OTLPTraceExporter(options)
  }
  const library = await import('@opentelemetry/exporter-trace-otlp-proto')
  return new library.OTLPTraceExporter(options)
}

export async function metricExporter(config: Config): Promise<PushMetricExporter> {
  const options = optionsFor('metrics', config)
  if (config.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json') {
    const library = await import('@opentelemetry/exporter-metrics-otlp-http')
    return new library.OTLPMetricExporter(options)
  }
  const library = await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new library.OTLPMetricExporter(options)
}

/** If the signal has its own endpoint variable, the SDK reads it. A URL in the options would override that variable. */
function optionsFor(signal: 'traces' | 'metrics', config: Config) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base = '', OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  const hasOwnUrl = process.env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]
  return {
    ...(!hasOwnUrl && { url: `${base}/v1/${signal}` }),
    ...(headers && { headers: readHeaderList(headers) }),
  }
}
