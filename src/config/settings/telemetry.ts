import { bool, integer, oneOf, optionalText, text } from '../kinds.ts'
import { baseUrl } from '../url-kinds.ts'

/**
 * Reads `name=value,other=value` with percent-encoded values (OpenTelemetry specification). Throws if an entry is
 * malformed.
 */
export const readHeaderList = (list: string): Record<string, string> =>
  Object.fromEntries(
    list.split(',').map((entry) => {
      const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)=(\S*)\s*$/.exec(entry) ?? reject(entry)
      return [name, decodeURIComponent(value)]
    }),
  )

function reject(entry: string): never {
  throw new Error(`${entry.split('=')[0]} is not followed by = and a value`)
}

const exporters = ['otlp', 'none'] as const

const isRatio = (value: string) => (/^(0?\.\d+|[01](\.0+)?)$/.test(value) ? undefined : 'must be a number from 0 to 1')

const isHeaderList = (value: string) => {
  try {
    // Characters outside this set cannot be sent in a header (RFC 9110, section 5.5).
    if (Object.values(readHeaderList(value)).every((one) => /^[\t\x20-\x7e\x80-\xff]+$/.test(one))) return undefined
  } catch {}
  return 'must be like `name=value,other=value`, with values in percent-encoded UTF-8'
}

/** Follows the OpenTelemetry specification, except for the default endpoint and service name. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl(
    'none',
    'base URL of an OpenTelemetry collector that receives traces and metrics; `/v1/traces` and `/v1/metrics` are appended',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(['http/protobuf', 'http/json'], 'http/protobuf', 'encoding of traces and metrics'),
  OTEL_EXPORTER_OTLP_HEADERS: optionalText('headers for requests to the collector: `name=value,other=value`', {
    secret: true,
    check: isHeaderList,
  }),
  OTEL_SERVICE_NAME: text('wardenry', 'name of this service in traces and metrics'),
  OTEL_TRACES_EXPORTER: oneOf(exporters, 'otlp', 'trace exporter; none: traces are not sent'),
  OTEL_METRICS_EXPORTER: oneOf(exporters, 'otlp', 'metric exporter; none: metrics are not sent'),
  OTEL_TRACES_SAMPLER: oneOf(
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    'parentbased_always_on',
    'which requests to trace; a `parentbased_…` sampler follows the decision in the `traceparent` header if a trusted proxy sent one',
  ),
  OTEL_TRACES_SAMPLER_ARG: optionalText('fraction of requests to trace (0 to 1) for the `…traceidratio` samplers', {
    check: isRatio,
    shown: '1',
  }),
  OTEL_METRIC_EXPORT_INTERVAL: integer(60000, 1000, 3600000, 'interval between metric exports, in milliseconds'),
  OTEL_SDK_DISABLED: bool(false, 'do not send traces or metrics'),
} as const
