import type { Config } from '../../config/load.ts'
import type { Logger } from '../../lib/log.ts'
import type { Telemetry } from './port.ts'

export async function openTelemetry(config: Config, log: Logger): Promise<Telemetry | undefined> {
  const isOff = config.OTEL_TRACES_EXPORTER === 'none' && config.OTEL_METRICS_EXPORTER === 'none'
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT || config.OTEL_SDK_DISABLED || isOff) return undefined
  const { startTelemetry } = await import('./open-telemetry.ts')
  return startTelemetry(config, log)
}
