import type { Bus } from './adapters/bus/port.ts'
import type { Cache } from './adapters/cache/port.ts'
import type { GuardedFetch } from './adapters/fetch/port.ts'
import type { FileStore } from './adapters/files/port.ts'
import type { Mailer } from './adapters/mail/port.ts'
import type { Metrics } from './adapters/metrics/port.ts'
import type { RateLimitStore } from './adapters/rate-limit/port.ts'
import type { SmsSender } from './adapters/sms/port.ts'
import type { Tracing } from './adapters/tracing/port.ts'
import type { Config } from './config/load.ts'
import type { StoredSettings } from './config/stored-values.ts'
import type { Applications } from './context/applications.ts'
import type { Credentials } from './context/credentials.ts'
import type { ModuleState } from './context/modules.ts'
import type { ApplicationRoles } from './context/roles.ts'
import type { SecondFactor } from './context/second-factor.ts'
import type { SessionBinding, SessionCache, UserRow } from './context/sessions.ts'
import type { WatchedStaffRoles } from './context/staff.ts'
import type { Usage } from './context/usage.ts'
import type { Db } from './db/tables.ts'
import type { InTransaction } from './db/transact.ts'
import type { Logger } from './lib/log.ts'
import type { SealKey } from './lib/seal.ts'
import type { ServiceClock } from './lib/time.ts'

export type { StoredSettings } from './config/stored-values.ts'
export type * from './context/applications.ts'
export type * from './context/credentials.ts'
export type * from './context/modules.ts'
export type * from './context/prepared-response.ts'
export type * from './context/roles.ts'
export type * from './context/second-factor.ts'
export type * from './context/sessions.ts'
export type * from './context/staff.ts'
export type { SignInProof } from './db/rows/sessions.ts'

export interface CoreContext {
  /** Frozen, and replaced when a setting changes. Keep a reference only during a request or transaction. */
  readonly config: Config
  settings: StoredSettings
  log: Logger
  clock: ServiceClock
  metrics: Metrics
  tracing: Tracing | undefined
  db: Db
  sessions: SessionCache
  /** API keys and tokens. */
  credentials: Credentials
  /** Those that are stored. The settings declare others. */
  applications: Applications
  applicationRoles: ApplicationRoles
  staff: WatchedStaffRoles
  binding: SessionBinding
  bus: Bus
  sharedCache: Cache | undefined
  rateLimits: RateLimitStore
  mailer: Mailer
  sms: SmsSender
  files: FileStore
  fetch: GuardedFetch
  passwords: PasswordHasher
  modules: ModuleState
  personalData(): readonly PersonalData[]
  /** Invalidates the links that modules have created, such as preview links. Returns their number. */
  voidModuleLinks(): Promise<number>
  /** Ends the credentials that modules provide, such as API keys. Returns their number. */
  endModuleCredentials(): Promise<number>
  /** Ends what modules have given to users and what outlasts their sessions, such as access of applications. */
  endWithSessions(tx: Transaction, userIds: readonly string[], ending: { reason: string }): Promise<void>
  secondFactor: SecondFactor
  outbox: OutboxSignal
  usage: Usage
  dataKeys: readonly SealKey[]
  /** Identifies this process in audit events and messages. */
  node: string
}

/** Modules extend this interface through declaration merging. */
export interface Context extends CoreContext {}

export interface ExportMember {
  schema: object
  inProfile?: true
}

export type Transaction = InTransaction<Context>

export interface PersonalData {
  /** Every table that refers to users must be listed in a `PersonalData`. */
  tables: readonly string[]
  /** The result must not contain secrets or hashes. */
  collect?(ctx: Context, user: UserRow): Promise<Record<string, unknown>>
  exported?: Readonly<Record<string, ExportMember>>
  /** Removes only data that must not survive deletion, because a deleted user can be restored. */
  onDelete?(tx: Transaction, userId: string): Promise<void>
  /**
   * Called when a user first proves control of the email address. Someone else may have created the account, so this
   * removes everything that was begun in it, unless the owner sees it and can change it. `kept` if there is no such data.
   */
  unproven: 'kept' | ((tx: Transaction, user: UserRow) => Promise<void>)
  /** Called when users are erased. Deletes the data that foreign keys do not cover. */
  erase?(db: Db, userIds: readonly string[]): Promise<void>
}

export interface PasswordHasher {
  /** Throws UNAVAILABLE if too many hashes are waiting. Call this before any database lookup. */
  assertRoom(): void
  hash(password: string): Promise<string>
  /** Runs the work of a request that checks a password, so that `idle` waits for it. */
  during<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when no hash is being computed and no such work is running, but after `limit` milliseconds at the latest. */
  idle(limit: number): Promise<void>
  /** Without a stored hash, takes the same time and returns false. */
  verify(stored: string | null | undefined, password: string): Promise<boolean>
  isOutdated(stored: string): boolean
  /** `isWeak`: whether `importHash` must compute a hash. Throws UnusableHash if the hash cannot be used. */
  describeHash(text: string): { kind: string; isWeak: boolean }
  /** Returns the form in which another system's hash is stored. Throws UnusableHash if the hash cannot be used. */
  importHash(text: string): Promise<string>
}

export interface OutboxSignal {
  /** Starts the delivery of committed messages immediately. */
  wake(): void
}
