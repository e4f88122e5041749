import { keepCurrent } from '../adapters/bus/keep-current.ts'
import type { Config } from '../config/load.ts'
import type { DeclaredPermissions } from '../config/staff-permissions.ts'
import { userTypesOf } from '../config/user-types.ts'
import type { Context, WatchedStaffRoles } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { createStaffRoles } from '../http/access/staff-roles.ts'
import { second } from '../lib/time.ts'
import { findStaffRoles, holdStaffRole } from './queries.ts'

type Parts = Pick<Context, 'db' | 'log' | 'bus'> & { config: Pick<Config, 'USER_TYPES'> }

/**
 * The scopes of a key whose user has an added role change after this time at the latest, even if messages are lost. Own
 * routes read the roles before each decision.
 */
const refreshEvery = 0.8 * second

/** Keeps the roles in memory. Throws if a role has the name of a user type in the settings. */
export async function watchStaffRoles(
  { db, log, bus, config }: Parts,
  ofModules: readonly DeclaredPermissions[],
): Promise<WatchedStaffRoles & { stop(): void }> {
  let current = createStaffRoles(config, ofModules)
  let reads = 0
  let latest = 0
  let known = ''
  const refresh = async (from: Db) => {
    const read = ++reads
    const custom = await findStaffRoles(from)
    // A read that began later may have been faster.
    if (read < latest) return
    latest = read
    const text = JSON.stringify(custom)
    if (text === known) return
    known = text
    current = createStaffRoles(config, ofModules, custom)
  }
  await refresh(db)
  const types = userTypesOf(config)
  const clashing = current.customRoles().filter(({ key }) => types.includes(key))
  if (clashing.length > 0)
    throw new Error(
      `USER_TYPES contains ${clashing.map(({ key }) => key).join(', ')}: there are roles with this name. Choose another ` +
        'name for the user type, or delete the role',
    )
  const source = { channel: 'roles', every: refreshEvery, what: 'the roles', read: () => refresh(db) }
  const { refreshAll, stop } = keepCurrent({ bus, log }, source)
  return {
    may: (userType, permission) => current.may(userType, permission),
    admits: (required, userType) => current.admits(required, userType),
    covers: (userType, other) => current.covers(userType, other),
    typesWith: (permission) => current.typesWith(permission),
    isDeclared: (permission) => current.isDeclared(permission),
    isStaff: (userType) => current.isStaff(userType),
    permissionsOf: (userType) => current.permissionsOf(userType),
    customRoles: () => current.customRoles(),
    refresh,
    async hold(db, userType) {
      await holdStaffRole(db, userType)
      await refresh(db)
    },
    refreshAll,
    stop,
  }
}
