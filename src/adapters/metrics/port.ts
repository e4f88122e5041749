/**
 * The metrics of the service. Labels never contain ids, addresses or client input. Observing neither allocates nor
 * looks up labels on the hot path.
 */
export interface Metrics {
  /** Resolved once at start. `pattern` is the route's template, never a path. */
  route(method: string, pattern: string): RouteSeries
  /** The tier that answered; `unknown` if there is no such session. */
  sessionLookup(source: LookupSource): void
  passwordHashes(running: number, queued: number): void
  passwordHashRejected(): void
  outboxDepth(messages: number): void
  delivery(outcome: DeliveryOutcome): void
  rateLimited(limitClass: string): void
  dependency(name: DependencyName, up: boolean): void
  /** Standard output did not accept a line. */
  logLineDropped(): void
  /** In the text format of Prometheus. */
  render(): Promise<MetricsPage>
  close(): void
}

export interface RouteSeries {
  /** In seconds. */
  observe(status: number, seconds: number): void
}

export type LookupSource = (typeof lookupSources)[number]
export const lookupSources = ['memory', 'redis', 'database', 'unknown'] as const

export type DependencyName = 'database' | 'redis'

/** `refused` permanently by the receiver; `failed` after the last retry; `expired` before sending. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'refused' | 'failed' | 'expired'

export interface MetricsPage {
  contentType: string
  body: string
}
