import type { ProcessMetrics } from './add-up.ts'

/** Labels never contain ids, addresses of any kind, or input of users. */
export interface Metrics {
  /** `pattern` is the route's template, never a request path. */
  route(method: string, pattern: string): RouteSeries
  sessionLookup(source: LookupSource): void
  passwordHashes(running: number, queued: number): void
  passwordHashRejected(): void
  outboxDepth(messages: number): void
  delivery(outcome: DeliveryOutcome): void
  passwordHook(outcome: HookOutcome): void
  registrationHook(outcome: HookOutcome): void
  webhookAttempt(outcome: WebhookOutcome): void
  webhookDeliveries(waiting: WaitingDeliveries): void
  smtpError(outcome: SmtpError): void
  storageError(operation: StorageOperation): void
  jobFailed(kind: JobKind): void
  spansDropped(reason: SpanLoss, count: number): void
  auditSeals(ages: SealAges): void
  /** Starts the counters of these limit classes at 0. */
  limitClasses(names: Iterable<string>): void
  rateLimited(limitClass: string): void
  /** `key` is undefined for an application that only the settings declare. */
  handedOver(key: string | undefined): void
  dependency(name: DependencyName, up: boolean): void
  databaseWritable(writable: boolean): void
  /** `read` is called at every scrape. */
  connections(read: () => PoolUse): void
  /** `read` is called at every scrape and returns seconds. */
  clockSkew(read: () => number): void
  /** Declares a counter of a module. Call this once, before anything is counted. */
  countedElsewhere(counter: CountedElsewhere): void
  logLineDropped(): void
  /** Metrics from all workers. */
  render(): Promise<MetricsPage>
  /** Metrics from this process. */
  read(): Promise<ProcessMetrics>
  close(): void
}

export interface CountedElsewhere {
  /** After the prefix `wardenry_`. */
  name: string
  help: string
  /** One for each possible combination of labels. The counts are read at every scrape. */
  series: readonly { readonly labels: Readonly<Record<string, string>>; count: number }[]
}

export interface RouteSeries {
  observe(status: number, seconds: number): void
}

export type LookupSource = (typeof lookupSources)[number]
export const lookupSources = ['memory', 'redis', 'database', 'unknown'] as const

export type DependencyName = 'database' | 'redis'

/** `refused`: rejected permanently by the receiver. `failed`: the last retry failed. `expired`: not sent in time. */
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]
export const deliveryOutcomes = ['delivered', 'retried', 'refused', 'failed', 'expired'] as const

/** `failed`: there was no usable response. */
export type HookOutcome = (typeof hookOutcomes)[number]
export const hookOutcomes = ['accepted', 'refused', 'failed'] as const

/** `rejected`: the response was not 2xx. `unreachable`: there was no response. */
export type WebhookOutcome = (typeof webhookOutcomes)[number]
export const webhookOutcomes = ['accepted', 'rejected', 'unreachable'] as const

export interface WaitingDeliveries {
  waiting: number
  /** The age of the oldest waiting delivery, in seconds. */
  oldest: number
}

/** `rejected`: permanently, for reasons other than the recipient or the password. `deferred`: rejected temporarily. */
export type SmtpError = (typeof smtpErrors)[number]
export const smtpErrors = ['connection', 'tls', 'authentication', 'recipient_refused', 'rejected', 'deferred'] as const

export type StorageOperation = (typeof storageOperations)[number]
export const storageOperations = ['put', 'get', 'remove'] as const

export type JobKind = (typeof jobKinds)[number]
export const jobKinds = ['cleanup', 'scheduled', 'queue'] as const

/** `queue_full`: spans were dropped because the export queue was full. */
export type SpanLoss = (typeof spanLosses)[number]
export const spanLosses = ['queue_full', 'export_failed'] as const

export interface PoolUse {
  inUse: number
  idle: number
  /** The number of requests waiting for a connection. */
  waiting: number
}

/** In seconds. */
export interface SealAges {
  /** The age of the newest seal or, if there are no seals, of the oldest event. */
  newest: number
  /** The age of the oldest unsealed event, or 0 if all events are sealed. */
  unsealed: number
}

export interface MetricsPage {
  contentType: string
  body: string
}
