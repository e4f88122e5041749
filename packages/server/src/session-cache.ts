import type { KnownSession } from './ask-service.ts'
import type { ValidatedSession } from './session.ts'

/** Within so many milliseconds of a commit every node of the service refuses what the commit revoked. */
const nodeDelay = 1_000
/** Longer than any question to the service is under way, and `nodeDelay`. */
const revocationMemory = 20_000
/** More revocations than that at a time, and outdating everything is cheaper. */
const maxRevocations = 10_000
/** The share of its lifetime after which a session in use is revalidated. */
const revalidateAfter = 0.85

interface Entry {
  readonly value: ValidatedSession
  readonly tag: string
  readonly userId: string
  /** From then on a use is worth a revalidation. Whole milliseconds are quicker to read. */
  readonly plainUntil: number
  readonly freshUntil: number
  isNoted: boolean
}

/**
 * ValidatedSession sessions in this process. A session is served while three things hold: it was read at most `max_age` ago, no
 * revocation of its user was heard of, and every revocation older than 0.9 s was (`proveUntil`). Times are of the
 * monotonic clock, which the caller gives.
 */
export class SessionCache {
  readonly #entries = new Map<string, Entry>()
  readonly #byUser = new Map<string, Set<string>>()
  readonly #revokedAt = new Map<string, number>()
  readonly #maxSessions: number
  /** What was asked for before is not kept: the answer may be from before a revocation that nobody will send again. */
  #keepFrom = Number.POSITIVE_INFINITY
  #provenUntil = Number.NEGATIVE_INFINITY
  /** The same on the clock of the calendar, which goes on while a machine sleeps. It is looked at once a millisecond. */
  #provenUntilDate = Number.NEGATIVE_INFINITY
  #dateCheckedAt = Number.NEGATIVE_INFINITY
  #used: string[] = []

  constructor(maxSessions: number) {
    this.#maxSessions = maxSessions
  }

  /** The session, or undefined when the service must be asked. Most requests of a back end come by here. */
  get(token: string): ValidatedSession | undefined {
    const entry = this.#entries.get(token)
    if (entry === undefined) return undefined
    const now = performance.now()
    // Written so that no number at all, whatever went wrong, means asking.
    if (now < entry.plainUntil && now < this.#provenUntil && now < this.#dateCheckedAt + 1) return entry.value
    return this.#checked(token, entry, now)
  }

  #checked(token: string, entry: Entry, now: number): ValidatedSession | undefined {
    const isProven = now < this.#provenUntil && Date.now() < this.#provenUntilDate
    if (!(isProven && now < entry.freshUntil)) return undefined
    this.#dateCheckedAt = now
    if (now >= entry.plainUntil && !entry.isNoted) {
      entry.isNoted = true
      this.#used.push(token)
    }
    return entry.value
  }

  /** Keeps what the service answered to a question that was sent at `askedAt`. */
  set(token: string, { value, tag }: KnownSession, askedAt: number, lifetime: number): void {
    const revokedAt = this.#revokedAt.get(value.user.id) ?? Number.NEGATIVE_INFINITY
    this.delete(token)
    if (askedAt < this.#keepFrom || askedAt < revokedAt + nodeDelay || !(lifetime > 0)) return
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#maxSessions) break
      this.delete(oldest)
    }
    const userId = value.user.id
    const plainUntil = Math.floor(askedAt + lifetime * revalidateAfter)
    const freshUntil = Math.floor(askedAt + lifetime)
    this.#entries.set(token, { value, tag, userId, plainUntil, freshUntil, isNoted: false })
    const tokens = this.#byUser.get(userId)
    if (tokens) tokens.add(token)
    else this.#byUser.set(userId, new Set([token]))
  }

  /** What the next answer about this session need not repeat. */
  known(token: string): KnownSession | undefined {
    return this.#entries.get(token)
  }

  delete(token: string): void {
    const entry = this.#entries.get(token)
    if (!entry) return
    this.#entries.delete(token)
    const tokens = this.#byUser.get(entry.userId)
    tokens?.delete(token)
    if (tokens?.size === 0) this.#byUser.delete(entry.userId)
  }

  /** A stream has begun, or has missed something. */
  restart(now: number): void {
    this.#clear()
    this.#keepFrom = now + nodeDelay
  }

  /** There is no stream. */
  lose(): void {
    this.#clear()
    this.#keepFrom = Number.POSITIVE_INFINITY
    this.#provenUntil = Number.NEGATIVE_INFINITY
  }

  /** Every revocation older than 0.9 s will be known until then. */
  proveUntil(until: number, now: number): void {
    this.#provenUntil = Math.floor(until)
    this.#provenUntilDate = Date.now() + (until - now)
    this.#dateCheckedAt = Number.NEGATIVE_INFINITY
  }

  revoke(userId: string, now: number): void {
    for (const token of this.#byUser.get(userId) ?? []) this.delete(token)
    for (const [id, revokedAt] of this.#revokedAt) {
      if (now < revokedAt + revocationMemory) break
      this.#revokedAt.delete(id)
    }
    if (this.#revokedAt.size >= maxRevocations) this.restart(now)
    this.#revokedAt.delete(userId)
    this.#revokedAt.set(userId, now)
  }

  /** The sessions in use whose lifetime is nearly over, each once. */
  takeUsed(): string[] {
    const used = this.#used
    this.#used = []
    return used.filter((token) => this.#entries.has(token))
  }

  /** Frees what nobody used within its lifetime. Entries stand in the order in which they were read. */
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
    this.#byUser.clear()
    this.#revokedAt.clear()
    this.#used = []
  }
}
