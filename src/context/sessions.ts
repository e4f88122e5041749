import type { FastifyRequest } from 'fastify'
import type { Selectable } from 'kysely'
import type { InternalUserColumn } from '../db/rows/users.ts'
import type { Tables } from '../db/tables.ts'
import type { Owner, Versioned } from '../lib/versioned-cache.ts'
import type { PreparedResponse } from './prepared-response.ts'
import type { EffectiveRoles, RoleGrants, RoleSet } from './roles.ts'

export type UserRow = Omit<Selectable<Tables['users']>, InternalUserColumn> & Record<string, unknown>

export type SessionRow = Omit<Selectable<Tables['sessions']>, 'wrong_codes' | 'passkey_proved_at'>

/** Contains no secrets. */
export interface SessionView {
  session: Omit<
    SessionRow,
    'token_hash' | 'device_id' | 'ended_at' | 'end_reason' | 'impersonator_session_id' | 'application_epoch'
  >
  user: UserRow
  /** The user first, then the application, if it is stored. */
  owners: readonly Owner[]
  /** Undefined for a session that was just created. */
  grants?: RoleGrants
}

export interface ReadView extends SessionView {
  grants: RoleGrants
  /** Changes with every write to the session row or the user row, and whenever the set of columns changes. */
  version: string
  /** The time at which the rows were read, according to the service's clock. */
  read_at: number
}

export type SessionSource = 'memory' | 'redis' | 'database'

export interface CachedSession extends Versioned {
  /** Updated in place when this process records a use of the session. */
  readonly view: ReadView
  /** Copied from the view for the hot path, as the next two. Null for browser sessions. */
  readonly application: string | null
  readonly isImpersonated: boolean
  /** The version of all roles that the grants in the view belong to. */
  readonly rolesVersion: number
  /** The time after which the next use must be recorded. */
  noteFrom: number
  /** The JSON text of a bridge response, created on demand. */
  bridgeResponse: string | undefined
  /** An entity tag for `bridgeResponse` that ignores the last-use time, so that an unchanged answer is not sent again. */
  bridgeTag: string | undefined
  bridgeTimes: string | undefined
  /** The bridge response to a request that sends the session as a credential, and the roles that it contains. */
  asCredential: { roles: EffectiveRoles | undefined; response: PreparedResponse } | undefined
  /** Response headers for gateways, as alternating names and values, created on demand. */
  gatewayHeaders: string[] | undefined
  /** The user's roles in a set, created on demand. */
  effectiveRoles: { set: RoleSet; application: string | undefined; effective: EffectiveRoles | undefined } | undefined
}

/** Caches sessions. The rows in PostgreSQL are authoritative. */
export interface SessionCache {
  recall(tokenHash: string): CachedSession | undefined
  /** Like `recall`, but only in the first half of the cache lifetime, because the caller may also cache the result. */
  recallYoung(tokenHash: string): CachedSession | undefined
  load(tokenHash: string): Promise<LookedUp | undefined>
  loadFresh(tokenHash: string): Promise<LookedUp | undefined>
  loadAll(tokenHashes: readonly string[]): Promise<Map<string, CachedSession>>
  /** Whether no later epoch of an owner is known. */
  isCurrent(cached: CachedSession): boolean
  /**
   * Invalidates the cached sessions of an owner. Takes effect immediately on this node and within a second on other
   * nodes. Call this after the commit.
   */
  invalidate(ownerId: string, epoch: number): Promise<void>
  noteUse(cached: CachedSession, now: number): void
  /**
   * Milliseconds since this node was last known to have all revocations. Above `maxFeedAge`, caches must not be used.
   */
  feedAge(): number
  /**
   * Resolves when this node knows all revocations that were committed before the call. If it cannot know them, it
   * forgets all cached sessions. Never rejects.
   */
  catchUp(): Promise<void>
  /** Calls the watcher once per revocation, as soon as it reaches this node. Returns an unsubscribe function. */
  watchRevocations(watcher: RevocationWatcher): () => void
}

export interface RevocationWatcher {
  /** The owner's cached sessions with a lower epoch are outdated. */
  revoked(ownerId: string, epoch: number): void
  /** All sessions cached so far are outdated because revocations may have been missed. */
  missed(): void
}

export type LookedUp = Omit<FoundSession, 'roles'>

export interface FoundSession {
  cached: CachedSession
  source: SessionSource
  /** The roles that belong to the grants of the session. */
  roles: RoleSet
}

/** Compares the user of a request with the user who signed in (SESSION_BINDING). */
export interface SessionBinding {
  /**
   * Returns undefined if the session is accepted. Otherwise, rejects with INVALID_SESSION. `endUser` contains what the
   * request states about its user, and `door` the route and what it must send.
   */
  check(
    view: SessionView,
    endUser: { ip?: string | undefined; user_agent?: string | undefined; compare?: 'user_agent' | undefined },
    door: { name?: string; needs: string },
    request: FastifyRequest,
  ): Promise<void> | undefined
}
