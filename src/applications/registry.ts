import { within } from '../adapters/within.ts'
import { allApplications } from '../context/applications.ts'
import type { Applications, SessionCache } from '../context.ts'
import type { Db } from '../db/tables.ts'
import type { Logger } from '../lib/log.ts'
import { minute, second } from '../lib/time.ts'
import { maxFeedAge } from '../lib/versioned-cache.ts'
import { createApplicationSet, onlyRejecting } from './application-set.ts'
import { findStoredApplications } from './queries.ts'

interface Parts {
  db: Db
  log: Logger
  sessions: Pick<SessionCache, 'feedAge' | 'invalidate' | 'watchRevocations'>
}

const none = createApplicationSet(-1, [])

/** In milliseconds. Bounds the effect of changes that the database did not announce, for example by TRUNCATE. */
const maxSetAge = minute
/** How long a request waits for the applications, in milliseconds. Afterwards, it is handled without them. */
const maxWait = 2 * second

/**
 * Keeps all stored applications in memory. A change takes effect like the end of a session: immediately on the node that
 * made it, and within a second on the others, even if messages are lost. A set that may be outdated only rejects addresses.
 */
export function watchApplications({ db, log, sessions }: Parts): Applications & { stop(): Promise<void> } {
  let known = none
  /** The latest version that this node has heard of. */
  let latest = 0
  const reads = readTimes(sessions)
  let reading: Promise<void> | undefined

  const isCurrent = () => known.version >= latest && reads.areRecent()

  async function read(): Promise<void> {
    const [startedAt, heard] = [reads.start(), latest]
    try {
      const { version, applications } = await findStoredApplications(db)
      known = createApplicationSet(version, applications)
      reads.succeed(startedAt)
      // Versions are announced after the commit, so a lower version in the database means that it was replaced.
      if (latest === heard) latest = version
    } catch (error) {
      reads.fail()
      log.warn({ err: error }, 'could not read the applications')
    }
  }

  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => (reading = undefined))
    return reading
  }

  /** The first read may be one that other requests wait for, and may have begun before the change. */
  const refreshUntilCurrent = () => refresh().then(() => (isCurrent() ? undefined : refresh()))

  const unwatch = sessions.watchRevocations({
    revoked(owner, version) {
      if (owner !== allApplications) return
      latest = Math.max(latest, version)
      void refresh()
    },
    missed() {
      reads.expire()
      void refresh()
    },
  })
  // The rest of the start continues during this read.
  void refresh()

  return {
    current: () => (isCurrent() ? known : onlyRejecting(known)),
    latest: () => known,
    whenCurrent: () => (isCurrent() ? undefined : within(maxWait, refreshUntilCurrent()).catch(() => {})),
    invalidate(version) {
      // The feed does not report a version that is not later, which the database has after it was replaced.
      reads.expire()
      return sessions.invalidate(allApplications, version)
    },
    async stop() {
      unwatch()
      await reading
    },
  }
}

/** Knows whether the last read may be outdated. Times are on the monotonic clock. */
function readTimes({ feedAge }: Pick<SessionCache, 'feedAge'>) {
  /** The time at which the last successful read began. */
  let readAt = Number.NEGATIVE_INFINITY
  /** Whether the feed has reported every change since then. */
  let isFollowed = false

  return {
    start(): number {
      isFollowed = true
      return performance.now()
    },
    succeed(startedAt: number): void {
      readAt = startedAt
    },
    fail(): void {
      isFollowed = false
    },
    expire(): void {
      isFollowed = false
      readAt = Number.NEGATIVE_INFINITY
    },
    areRecent(): boolean {
      const age = performance.now() - readAt
      return age <= (isFollowed && feedAge() <= maxFeedAge ? maxSetAge : maxFeedAge)
    },
  }
}
