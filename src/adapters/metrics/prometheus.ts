import type { PrometheusContentType } from '@prometheus-io/client'
import { dependencySeries } from './dependency-series.ts'
import { createInstruments } from './instruments.ts'
import type { Metrics } from './port.ts'
import { processSeries } from './process-series.ts'
import { createRouteSeries } from './route-series.ts'
import { serviceSeries } from './service-series.ts'
import { gatherMetrics } from './worker-metrics.ts'

export async function createMetrics(): Promise<Metrics> {
  const library = await import('@prometheus-io/client')
  const registry = new library.Registry<PrometheusContentType>()
  const instruments = createInstruments(library, registry)
  const routes = createRouteSeries()
  const read = async () => [...(await registry.getMetricsAsJSON()), ...routes.read()]
  const gather = gatherMetrics(read)

  return {
    route: routes.route,
    ...serviceSeries(instruments),
    ...dependencySeries(instruments),
    ...processSeries(instruments),
    read,
    async render() {
      // `gather` includes the metrics counted outside the library.
      const all = library.Registry.aggregate((await gather()) as object[][])
      return { contentType: registry.contentType, body: await all.metrics() }
    },
  }
}
