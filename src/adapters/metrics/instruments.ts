import type { Aggregator, Gauge, PrometheusContentType, Registry } from '@prometheus-io/client'

import type { CountedElsewhere } from './port.ts'

export type Library = typeof import('@prometheus-io/client')
export type Instruments = ReturnType<typeof createInstruments>

export function createInstruments(library: Library, registry: Registry<PrometheusContentType>) {
  const about = <Label extends string>(name: string, help: string, labelNames: Label[]) => ({
    name: `wardenry_${name}`,
    help,
    labelNames,
    registers: [registry],
  })
  return {
    counter: <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
      new library.Counter<Label>(about(name, help, labels)),

    /** Series with known label values start at 0. Otherwise, Prometheus would miss the first increase. */
    counterOf<Label extends string, Value extends string>(
      name: string,
      help: string,
      label: Label,
      values: readonly Value[],
    ) {
      const counter = new library.Counter<string>(about(name, help, [label]))
      for (const value of values) counter.inc({ [label]: value }, 0)
      return (value: Value, count = 1) => counter.inc({ [label]: value }, count)
    },

    /** The library is too slow for hot paths, so they count in plain numbers, which are read at every scrape. */
    countedElsewhere({ name, help, series }: CountedElsewhere) {
      new library.Counter<string>({
        ...about(name, help, Object.keys(series[0]?.labels ?? {})),
        collect() {
          this.reset()
          for (const { labels, count } of series) this.inc({ ...labels }, count)
        },
      })
    },

    /** `aggregator` combines the values from several workers. `collect` is called at every scrape. */
    gauge<Label extends string = never>(
      name: string,
      help: string,
      { labels = [], aggregator = 'sum', collect }: GaugeOptions<Label> = {},
    ) {
      return new library.Gauge<Label>({
        ...about(name, help, labels),
        aggregator,
        ...(collect && {
          collect() {
            collect(this)
          },
        }),
      })
    },
  }
}

interface GaugeOptions<Label extends string> {
  labels?: Label[]
  aggregator?: Aggregator
  collect?(gauge: Gauge<Label>): void
}
