interface Sample {
  metricName?: string
  labels: Readonly<Partial<Record<string, string | number>>>
  value: number
}

interface Metric {
  name: string
  help?: string
  type: string
  values: readonly Sample[]
}

/** The metrics of one process, in the JSON format of the Prometheus library. */
export type ProcessMetrics = readonly Metric[]

/** Sums counters and histograms. Drops gauges, which are meaningless once a process has ended. */
export function addUp(left: ProcessMetrics, right: ProcessMetrics): ProcessMetrics {
  const sums = new Map<string, { metric: Metric; samples: Map<string, Sample> }>()
  for (const metric of [...left, ...right]) {
    if (!['counter', 'histogram'].includes(metric.type)) continue
    const sum = sums.get(metric.name) ?? { metric, samples: new Map<string, Sample>() }
    sums.set(metric.name, sum)
    for (const sample of metric.values) {
      const key = JSON.stringify([sample.metricName, sample.labels])
      sum.samples.set(key, { ...sample, value: sample.value + (sum.samples.get(key)?.value ?? 0) })
    }
  }
  return [...sums.values()].map(({ metric, samples }) => ({ ...metric, values: [...samples.values()] }))
}
