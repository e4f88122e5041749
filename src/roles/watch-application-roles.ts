import { within } from '../adapters/within.ts'
import { allRoles } from '../context/roles.ts'
import type { ApplicationRoles, SessionCache } from '../context.ts'
import type { Db } from '../db/tables.ts'
import type { Logger } from '../lib/log.ts'
import { minute, second } from '../lib/time.ts'
import { findStoredRoles } from './application-queries.ts'
import { createRoleSet } from './role-set.ts'

interface Parts {
  db: Db
  log: Logger
  sessions: Pick<SessionCache, 'catchUp' | 'invalidate' | 'watchRevocations'>
}

/** How long a request waits for the roles. */
const maxWait = 2 * second
/** Bounds the effect of changes that the database did not announce, for example by TRUNCATE. */
const refreshEvery = minute

/**
 * Keeps all application roles in memory, so that a change of a role costs each node one query. Each change raises the
 * version of all roles, which sessions also contain: a session that was read after a change waits for the roles.
 */
export async function watchApplicationRoles({
  db,
  log,
  sessions,
}: Parts): Promise<ApplicationRoles & { stop(): void }> {
  let known = createRoleSet(-1, [], [])
  /** The latest version that this node has heard of. */
  let latest = 0
  let reading: Promise<void> | undefined
  const showVersion = () => {
    port.version = known.version >= latest ? known.version : -1
    port.latest = latest
  }

  async function read(): Promise<void> {
    const heard = latest
    const { version, roles, permissions } = await findStoredRoles(db)
    const next = createRoleSet(version, roles, permissions)
    // A response must not combine the new permissions with grants that were removed before.
    await sessions.catchUp()
    known = next
    // Versions are announced after the commit, so a lower version in the database means that it was replaced.
    if (latest === heard) latest = version
    showVersion()
  }

  const refresh = (): Promise<void> => {
    reading ??= read().then(
      () => finish(),
      (error) => {
        reading = undefined
        log.warn({ err: error }, 'could not read the roles of applications')
      },
    )
    return reading
  }
  /** The roles may have changed again while they were read. */
  const finish = () => {
    reading = undefined
    if (known.version < latest) void refresh()
  }

  const unwatch = sessions.watchRevocations({
    revoked(owner, version) {
      if (owner !== allRoles) return
      latest = Math.max(latest, version)
      showVersion()
      void refresh()
    },
    missed: () => void refresh(),
  })
  const timer = setInterval(() => void refresh(), refreshEvery).unref()

  const port = {
    version: -1,
    latest: 0,
    current: () => known,
    whenCurrent(version: number) {
      if (known.version >= version) return undefined
      // The first read may have begun before the change.
      const refreshed = refresh().then(() => (known.version >= version ? undefined : refresh()))
      return within(maxWait, refreshed).catch(() => {})
    },
    invalidate: (version: number) => sessions.invalidate(allRoles, version),
    stop() {
      clearInterval(timer)
      unwatch()
    },
  }
  await refresh()
  return port
}
