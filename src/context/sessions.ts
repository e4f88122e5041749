import type { Selectable } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** Columns of the core and of installed modules, without the password hash. */
export type UserRow = Omit<
  Selectable<Tables['users']>,
  'password_hash' | 'deleted_at' | 'search_text' | 'two_factor_changed_at'
> &
  Record<string, unknown>

export type SessionRow = Omit<Selectable<Tables['sessions']>, 'wrong_codes'>

/** Read by one statement. Contains no secrets. */
export interface SessionView {
  session: Omit<SessionRow, 'token_hash' | 'device_id' | 'ended_at' | 'end_reason'>
  user: UserRow
  /** `users.session_epoch` when read. */
  epoch: number
}

export interface ReadView extends SessionView {
  /** Identifies the columns and the state of both rows; changes with every write. */
  version: string
  /** By the service's clock. */
  read_at: number
}

export type SessionSource = 'memory' | 'redis' | 'database'

/** How long a cached session may be served. In milliseconds; shared by sessions that were read together. */
export interface Freshness {
  /** When it was read or last revalidated. */
  readonly readAt: number
  /** When it must be revalidated if it is used; never after `until`. */
  readonly revalidateFrom: number
  /** The end of its cache lifetime or of the session, whichever is earlier. */
  readonly until: number
}

/** A session with prepared parts of responses. */
export interface CachedSession {
  /** Changed in place when this process records a use. */
  readonly view: ReadView
  readonly tokenHash: string
  /** Of the view, which the hot path need not open. Null for sessions of the sign-in page. */
  readonly application: string | null
  freshness: Freshness
  isBeingRevalidated: boolean
  /** When the next use must be recorded. */
  noteFrom: number
  /** JSON text of the bridge's response, created on demand. */
  bridgeAnswer: string | undefined
  /** Identifies that text without the last use, so that it is not sent again. */
  bridgeTag: string | undefined
  /** Last use and expiry as JSON members. */
  bridgeTimes: string | undefined
  /** Response headers for gateways, names and values alternating, created on demand. */
  gatewayHeaders: string[] | undefined
}

/** Cached sessions in this process and in the shared cache. PostgreSQL is authoritative. */
export interface SessionCache {
  /** From memory, without I/O or a promise. */
  recall(tokenHash: string): CachedSession | undefined
  /** Only in the first half of the cache lifetime, because the caller may cache the answer as well. */
  recallYoung(tokenHash: string): CachedSession | undefined
  /** From the shared cache or the database. Undefined if there is no such session. */
  load(tokenHash: string): Promise<FoundSession | undefined>
  /** From the database. */
  loadFresh(tokenHash: string): Promise<FoundSession | undefined>
  /** By hash. One statement, and a second one for outdated copies. */
  loadAll(tokenHashes: readonly string[]): Promise<Map<string, CachedSession>>
  /** Invalidates all copies of the user, here at once and on other nodes soon. Call it after the commit. */
  invalidate(userId: string, epoch: number): Promise<void>
  /** Written in batches. */
  noteUse(cached: CachedSession, now: number): void
  /** In milliseconds since all committed revocations were known. Above `maxFeedAge`, cached copies must not be used. */
  feedAge(): number
  /** Called once per revocation, as soon as this node knows it. Returns a function that unsubscribes. */
  watchRevocations(watcher: RevocationWatcher): () => void
}

export interface RevocationWatcher {
  /** Copies with a lower epoch are outdated. */
  revoked(userId: string, epoch: number): void
  /** Everything read before is outdated, because revocations may have been missed. */
  missed(): void
}

export interface FoundSession {
  cached: CachedSession
  source: SessionSource
}
