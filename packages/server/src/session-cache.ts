import type { KnownSession, Question } from './ask-service.ts'
import { type Binding, isBoundTo } from './binding.ts'
import type { EndUser } from './end-user.ts'

/** In milliseconds. All of the service's nodes reject a revoked session within this time after the commit. */
const nodeDelay = 1_000
/**
 * How long a revocation is remembered, in milliseconds. Must be longer than `nodeDelay` and longer than any request to
 * the service can take.
 */
const revocationMemory = 20_000
/** If this many revocations are remembered, the next one clears the entire cache. */
const maxRevocations = 10_000
/** A session with more owners is not cached. */
const maxOwners = 24
/** A session in use is revalidated after this fraction of its time in the cache. */
const revalidateAfter = 0.85

interface Entry {
  readonly value: KnownSession['value']
  readonly tag: string
  readonly binding: Binding | undefined
  readonly owners: readonly string[]
  /**
   * A use after this time triggers a revalidation. Stored in whole milliseconds because integers are faster to read.
   */
  readonly plainUntil: number
  readonly freshUntil: number
  isNoted: boolean
}

/**
 * This process's validated sessions, keys and tokens, whose forms differ. One is served if it was read at most `max_age`
 * ago, no later revocation of any of its owners is known, and every revocation older than 0.9 s is known (`proveUntil`). All times are on the
 * monotonic clock.
 */
export class SessionCache {
  readonly #entries = new Map<string, Entry>()
  readonly #byOwner = new Map<string, Set<string>>()
  readonly #revokedAt = new Map<string, number>()
  readonly #maxSessions: number
  /**
   * Responses to requests sent before this time are not stored, because they may predate a revocation that the stream
   * has not reported.
   */
  #keepFrom = Number.POSITIVE_INFINITY
  #provenUntil = Number.NEGATIVE_INFINITY
  /**
   * `#provenUntil` on the wall clock, which keeps running while a machine is suspended. The wall clock is read at most
   * once per millisecond.
   */
  #provenUntilDate = Number.NEGATIVE_INFINITY
  #dateCheckedAt = Number.NEGATIVE_INFINITY
  #used: Question[] = []

  constructor(maxSessions: number) {
    this.#maxSessions = maxSessions
  }

  /**
   * The session, or undefined if the service must be queried, also because the session is bound to another visitor: the
   * service then refuses the request and records it. Optimized for speed because most back-end requests call
   * this method.
   */
  get(
    token: string,
    endUser?: EndUser,
    scopes?: readonly string[],
    resource?: string,
  ): KnownSession['value'] | undefined {
    const entry = this.#entries.get(token)
    if (entry === undefined) return undefined
    if (entry.binding !== undefined && !isBoundTo(entry.binding, token, endUser)) return undefined
    const now = performance.now()
    // If one of the times is NaN, any comparison with it is false, and the service is queried.
    if (now < entry.plainUntil && now < this.#provenUntil && now < this.#dateCheckedAt + 1) return entry.value
    return this.#checked({ token, endUser, scopes, resource }, entry, now)
  }

  #checked(question: Question, entry: Entry, now: number): KnownSession['value'] | undefined {
    const isProven = now < this.#provenUntil && Date.now() < this.#provenUntilDate
    if (!(isProven && now < entry.freshUntil)) return undefined
    this.#dateCheckedAt = now
    if (now >= entry.plainUntil && !entry.isNoted) {
      entry.isNoted = true
      this.#used.push(question)
    }
    return entry.value
  }

  /** Stores the response to a request that was sent at `askedAt`. */
  set(token: string, { value, owners, tag, binding }: KnownSession, askedAt: number, lifetime: number): void {
    this.delete(token)
    if (askedAt < this.#keepFrom || !(lifetime > 0) || owners.length > maxOwners) return
    for (const owner of owners) {
      const revokedAt = this.#revokedAt.get(owner)
      if (revokedAt !== undefined && askedAt < revokedAt + nodeDelay) return
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#maxSessions) break
      this.delete(oldest)
    }
    const plainUntil = Math.floor(askedAt + lifetime * revalidateAfter)
    const freshUntil = Math.floor(askedAt + lifetime)
    this.#entries.set(token, { value, owners, tag, binding, plainUntil, freshUntil, isNoted: false })
    for (const owner of owners) {
      const tokens = this.#byOwner.get(owner)
      if (tokens) tokens.add(token)
      else this.#byOwner.set(owner, new Set([token]))
    }
  }

  /** The cached content and its tag. If the content has not changed, the service omits it from the next response. */
  known(token: string): KnownSession | undefined {
    return this.#entries.get(token)
  }

  delete(token: string): void {
    const entry = this.#entries.get(token)
    if (!entry) return
    this.#entries.delete(token)
    for (const owner of entry.owners) {
      const tokens = this.#byOwner.get(owner)
      tokens?.delete(token)
      if (tokens?.size === 0) this.#byOwner.delete(owner)
    }
  }

  /** Call this when a stream has started or has missed events. */
  restart(now: number): void {
    this.#clear()
    this.#keepFrom = now + nodeDelay
  }

  /** Call this when the stream has ended. */
  lose(): void {
    this.#clear()
    this.#keepFrom = Number.POSITIVE_INFINITY
    this.#provenUntil = Number.NEGATIVE_INFINITY
  }

  /** Records that, until the time `until`, every revocation older than 0.9 s is known. */
  proveUntil(until: number, now: number): void {
    this.#provenUntil = Math.floor(until)
    this.#provenUntilDate = Date.now() + (until - now)
    this.#dateCheckedAt = Number.NEGATIVE_INFINITY
  }

  /** Removes the sessions of an owner. Sessions that are being read are not stored. */
  revoke(owner: string, now: number): void {
    for (const token of this.#byOwner.get(owner) ?? []) this.delete(token)
    for (const [id, revokedAt] of this.#revokedAt) {
      if (now < revokedAt + revocationMemory) break
      this.#revokedAt.delete(id)
    }
    if (this.#revokedAt.size >= maxRevocations) this.restart(now)
    this.#revokedAt.delete(owner)
    this.#revokedAt.set(owner, now)
  }

  /** Returns the sessions to revalidate with their last visitors, and clears the list. */
  takeUsed(): Question[] {
    const used = this.#used
    this.#used = []
    return used.filter(({ token }) => this.#entries.has(token))
  }

  /** Removes expired entries from the start of the map, which is in insertion order. */
  sweep(now: number): void {
    for (const [token, { freshUntil }] of this.#entries) {
      if (now < freshUntil) break
      this.delete(token)
    }
  }

  get size(): number {
    return this.#entries.size
  }

  #clear(): void {
    this.#entries.clear()
    this.#byOwner.clear()
    this.#revokedAt.clear()
    this.#used = []
  }
}
