/**
 * The named series of the service. No label ever holds an id, an address or anything a client chose: all words below
 * are the service's own. Observing costs no allocation and no look-up where requests pass.
 */
export interface Metrics {
  /** The series of one route, resolved once at boot. `pattern` is the route's template, never a path. */
  route(method: string, pattern: string): RouteSeries
  /** Which tier answered a session look-up; `unknown` when there was no such session. */
  sessionLookup(source: LookupSource): void
  /** How many password hashes are computed and how many wait. */
  passwordHashes(running: number, queued: number): void
  passwordHashRejected(): void
  /** Messages committed and not yet delivered. */
  outboxDepth(messages: number): void
  delivery(outcome: DeliveryOutcome): void
  /** A request was refused by this class of limit. */
  rateLimited(limitClass: string): void
  dependency(name: DependencyName, up: boolean): void
  /** Standard output did not take a line of the log. */
  logLineDropped(): void
  /** The page for Prometheus. */
  render(): Promise<MetricsPage>
  close(): void
}

export interface RouteSeries {
  /** One request was answered with this HTTP status after so many seconds. */
  observe(status: number, seconds: number): void
}

export type LookupSource = (typeof lookupSources)[number]
export const lookupSources = ['memory', 'redis', 'database', 'unknown'] as const

export type DependencyName = 'database' | 'redis'

/** `refused` by the receiver for good; `failed` after the last retry; `expired` before it could be sent. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'refused' | 'failed' | 'expired'

export interface MetricsPage {
  contentType: string
  body: string
}
