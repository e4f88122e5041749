/** Labels never contain ids, addresses of any kind, or client input. */
export interface Metrics {
  /** `pattern` is the route's template, never the path of a request. */
  route(method: string, pattern: string): RouteSeries
  sessionLookup(source: LookupSource): void
  passwordHashes(running: number, queued: number): void
  passwordHashRejected(): void
  outboxDepth(messages: number): void
  delivery(outcome: DeliveryOutcome): void
  rateLimited(limitClass: string): void
  dependency(name: DependencyName, up: boolean): void
  logLineDropped(): void
  render(): Promise<MetricsPage>
  close(): void
}

export interface RouteSeries {
  observe(status: number, seconds: number): void
}

export type LookupSource = (typeof lookupSources)[number]
export const lookupSources = ['memory', 'redis', 'database', 'unknown'] as const

export type DependencyName = 'database' | 'redis'

/** `refused`: the receiver refused it permanently. `failed`: the last retry failed. `expired`: not sent in time. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'refused' | 'failed' | 'expired'

export interface MetricsPage {
  contentType: string
  body: string
}
