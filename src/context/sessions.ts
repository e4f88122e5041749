import type { Selectable } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** The user record as the service reads it: core columns and those of installed modules, never the password hash. */
export type UserRow = Omit<
  Selectable<Tables['users']>,
  'password_hash' | 'deleted_at' | 'search_text' | 'two_factor_changed_at'
> &
  Record<string, unknown>

export type SessionRow = Omit<Selectable<Tables['sessions']>, 'wrong_codes'>

/** A session and its user as one query read them. Carries no secret. */
export interface SessionView {
  session: Omit<SessionRow, 'token_hash' | 'device_id' | 'ended_at' | 'end_reason'>
  user: UserRow
  /** `users.session_epoch` at the time of reading. */
  epoch: number
}

/** A view as it came from the database, for copies of it. */
export interface ReadView extends SessionView {
  /** Which columns of which state of both rows were read: another text after any write. */
  version: string
  /** Clock time of the read. */
  read_at: number
}

export type SessionSource = 'memory' | 'redis' | 'database'

/** A session as it was read, with what each answer from it would work out anew. */
export interface CachedSession {
  /** Replaced when this process has written a use of the session. */
  view: ReadView
  readonly tokenHash: string
  /** When it was read or last confirmed. */
  readAt: number
  /** End of its lifetime as a copy, or of the session: whichever comes first. Moved when the copy is confirmed. */
  freshUntil: number
  /** From then on it is to be confirmed, if it is used at all. */
  revalidateFrom: number
  /** From then on a use is worth writing down. */
  noteFrom: number
  /** The bridge's answer about it as text, made by the first one. */
  bridgeAnswer: string | undefined
  /** A tag of that text without its last use: caches that know it are not sent the text again. */
  bridgeTag: string | undefined
  /** The last use and the end of the session as members of JSON, for those caches. */
  bridgeTimes: string | undefined
  /** The headers that tell a gateway about it, names and values in turn, made by the first answer. */
  gatewayHeaders: string[] | undefined
}

/** The copies of sessions, in this process and in the shared cache. PostgreSQL stays the truth. */
export interface SessionCache {
  /** A copy young enough to be served, from this process alone: no I/O, no promise. */
  recall(tokenHash: string): CachedSession | undefined
  /** The same, but only in the first half of its lifetime: whoever is told may keep it for a while. */
  recallYoung(tokenHash: string): CachedSession | undefined
  /** Shared cache, then database. Undefined when no such session exists. */
  load(tokenHash: string): Promise<FoundSession | undefined>
  /** The row itself. */
  loadFresh(tokenHash: string): Promise<FoundSession | undefined>
  /** All of these that exist, by their hashes: one statement, and a second one for copies that are outdated. */
  loadAll(tokenHashes: readonly string[]): Promise<Map<string, CachedSession>>
  /** Outdates every copy of the user, here at once and on the other nodes soon. Call it after the commit. */
  invalidate(userId: string, epoch: number): Promise<void>
  /** Remembers that a session was used; written in batches. */
  noteUse(cached: CachedSession, now: number): void
  /** Milliseconds since every committed revocation was known here. Above `maxFeedAge` nothing may rely on a copy. */
  feedAge(): number
  /** Tells of every revocation once, as soon as this node knows it. The result ends the subscription. */
  watchRevocations(watcher: RevocationWatcher): () => void
}

export interface RevocationWatcher {
  /** Cached sessions of the user are outdated, unless they were read with this epoch. */
  revoked(userId: string, epoch: number): void
  /** Revocations may have been missed: everything that was read before is outdated. */
  missed(): void
}

export interface FoundSession {
  cached: CachedSession
  source: SessionSource
}
