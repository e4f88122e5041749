import type { Bus } from './adapters/bus/port.ts'
import type { Cache } from './adapters/cache/port.ts'
import type { GuardedFetch } from './adapters/fetch/port.ts'
import type { FileStore } from './adapters/files/port.ts'
import type { Mailer } from './adapters/mail/port.ts'
import type { Metrics } from './adapters/metrics/port.ts'
import type { RateLimitStore } from './adapters/rate-limit/port.ts'
import type { SmsSender } from './adapters/sms/port.ts'
import type { Config } from './config/load.ts'
import type { ModuleState } from './context/modules.ts'
import type { SecondFactor } from './context/second-factor.ts'
import type { SessionCache, UserRow } from './context/sessions.ts'
import type { Db } from './db/tables.ts'
import type { InTransaction } from './db/transact.ts'
import type { Logger } from './lib/log.ts'
import type { SealKey } from './lib/seal.ts'
import type { Clock } from './lib/time.ts'

export type * from './context/modules.ts'
export type * from './context/second-factor.ts'
export type * from './context/sessions.ts'
export type { Proof } from './db/rows/sessions.ts'

export interface CoreContext {
  config: Config
  log: Logger
  clock: Clock
  metrics: Metrics
  db: Db
  sessions: SessionCache
  bus: Bus
  /** Copies that all nodes share; undefined without Redis. */
  sharedCache: Cache | undefined
  rateLimits: RateLimitStore
  mailer: Mailer
  sms: SmsSender
  files: FileStore
  fetch: GuardedFetch
  passwords: PasswordHasher
  modules: ModuleState
  /** Of every feature, and of the modules that are installed at the moment. */
  personalData(): readonly PersonalData[]
  secondFactor: SecondFactor
  outbox: OutboxSignal
  /** Encrypt small secrets at rest. */
  dataKeys: readonly SealKey[]
  /** A random name of this process, for audit events and messages between nodes. */
  node: string
}

/**
 * What a use case may touch. Types only: `app.ts` builds the real one, the tests another. Modules add what they offer
 * to those that build on them, by declaration merging.
 */
export interface Context extends CoreContext {}

export interface ExportMember {
  schema: object
  /** Also part of the export among the routes of the profile. */
  inProfile?: true
}

/** A context whose `db` is a transaction. Functions that need one take it in place of the context. */
export type Transaction = InTransaction<Context>

/** What one feature or module keeps about users. All of them together make the export of a user. */
export interface PersonalData {
  /** The tables it answers for: all that refer to users or have a user_id must be claimed by somebody. */
  tables: readonly string[]
  /** Members of the user's export, without secrets and hashes. Absent where there is nothing that a person could read. */
  collect?(ctx: Context, user: UserRow): Promise<Record<string, unknown>>
  /** The members that `collect` gives, as the API description shows them. */
  exported?: Readonly<Record<string, ExportMember>>
  /** Ends what must neither go on nor come back when the user is deleted, which can be undone. */
  leave?(tx: Transaction, userId: string): Promise<void>
  /** What no foreign key does when users are erased, which cannot. */
  erase?(db: Db, userIds: readonly string[]): Promise<void>
}

export interface PasswordHasher {
  /** Throws UNAVAILABLE when too many hashes wait: asked first, so that what will be refused looks nothing up. */
  assertRoom(): void
  hash(password: string): Promise<string>
  /** Whether the password fits. Without a stored hash the same work is done for nothing, and the answer is false. */
  verify(stored: string | null | undefined, password: string): Promise<boolean>
  /** Whether the stored hash was made with weaker parameters or an older pepper. */
  isOutdated(stored: string): boolean
}

export interface OutboxSignal {
  /** A message was committed: it need not wait for the next round. */
  wake(): void
}
