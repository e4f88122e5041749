import type { HrTime } from '@opentelemetry/api'
import type { DataPoint, Histogram, MetricData } from '@opentelemetry/sdk-metrics'
import type { ProcessMetrics } from '../metrics/add-up.ts'

type Library = Pick<typeof import('@opentelemetry/sdk-metrics'), 'AggregationTemporality' | 'DataPointType'>
type Metric = ProcessMetrics[number]
type Sample = Metric['values'][number]

/** Converts the Prometheus metrics to OpenTelemetry metrics so that each metric is declared only once. */
export function metricDataOf(
  { AggregationTemporality, DataPointType }: Library,
  metrics: ProcessMetrics,
  startTime: HrTime,
  endTime: HrTime,
): MetricData[] {
  const about = ({ name, help = '' }: Metric) => ({
    descriptor: { name, description: help, unit: '', valueType: 1 },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  })
  const point = <Value>(labels: Sample['labels'], value: Value): DataPoint<Value> => ({
    startTime,
    endTime,
    attributes: labels,
    value,
  })
  return metrics.flatMap((metric): MetricData[] => {
    const { type, values } = metric
    if (values.length === 0) return []
    if (type === 'histogram') {
      const dataPoints = histogramsOf(metric).map(({ labels, histogram }) => point(labels, histogram))
      return [{ ...about(metric), dataPointType: DataPointType.HISTOGRAM, dataPoints }]
    }
    const dataPoints = values.map(({ labels, value }) => point(labels, value))
    if (type === 'counter')
      return [{ ...about(metric), dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
    return [{ ...about(metric), dataPointType: DataPointType.GAUGE, dataPoints }]
  })
}

/** Prometheus lists cumulative counts in separate samples. OpenTelemetry expects a count per bucket. */
function histogramsOf({ name, values }: Metric): { labels: Sample['labels']; histogram: Histogram }[] {
  const found = new Map<
    string,
    { labels: Sample['labels']; sum: number; cumulative: [bound: number, count: number][] }
  >()
  for (const { metricName, labels: all, value } of values) {
    const { le, ...labels } = all
    const key = JSON.stringify(labels)
    const series = found.get(key) ?? { labels, sum: 0, cumulative: [] }
    found.set(key, series)
    if (metricName === `${name}_sum`) series.sum = value
    if (le !== undefined) series.cumulative.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value])
  }
  return [...found.values()].map(({ labels, sum, cumulative }) => {
    cumulative.sort(([left], [right]) => left - right)
    const counts = cumulative.map(([, count], index) => count - (cumulative[index - 1]?.[1] ?? 0))
    const boundaries = cumulative.map(([bound]) => bound).filter(Number.isFinite)
    return { labels, histogram: { buckets: { boundaries, counts }, sum, count: cumulative.at(-1)?.[1] ?? 0 } }
  })
}
