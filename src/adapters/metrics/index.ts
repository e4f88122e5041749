import { createNoMetrics } from './none.ts'
import type { Metrics } from './port.ts'
import { createPrometheusMetrics } from './prometheus.ts'

export const createMetrics = async (enabled: boolean): Promise<Metrics> =>
  enabled ? createPrometheusMetrics() : createNoMetrics()
