import type { EffectiveRoles, RoleSet } from '../context.ts'
import { sha256 } from '../lib/hash.ts'
import { permissionsOf, type StoredPermission, type StoredRole } from './expand-permissions.ts'

interface Role extends StoredRole {
  readonly effective: readonly string[]
}

export const maxShownPermissions = 500
/** In bytes. Servers limit the size of all headers together. */
const maxHeader = 4_096
/** Users have few different sets of roles. This only bounds the memory if they do not. */
const maxPrepared = 10_000

export function createRoleSet(
  version: number,
  stored: readonly StoredRole[],
  permissions: readonly StoredPermission[],
): RoleSet {
  const roles = stored.map((role): Role => ({ ...role, effective: permissionsOf(role, permissions) }))
  const byId = new Map(roles.map((role) => [role.id, role]))
  const defaults = roles.filter(({ isDefault }) => isDefault)
  const declaredBy = new Map(permissions.map(({ key, applicationId }) => [key, applicationId]))
  const prepared = new Map<string, EffectiveRoles | undefined>()

  function prepare(ids: readonly string[], applicationId: string | undefined): EffectiveRoles | undefined {
    const given = ids.map((id) => byId.get(id)).filter((role) => role !== undefined)
    const all = [...new Set([...defaults, ...given])]
    const visible = all.filter((role) => applicationId === undefined || role.applicationId === applicationId)
    return visible.length > 0 ? effectiveOf(visible, applicationId) : undefined
  }

  return {
    version,
    isEmpty: roles.length === 0,
    names: roles.filter(({ isDefault }) => !isDefault).map(nameOf),
    applicationOf: (permission) => declaredBy.get(permission),
    permissionsOf: (id) =>
      permissions
        .filter(({ applicationId }) => applicationId === id)
        .map(({ key }) => key)
        .toSorted(),
    of(ids, applicationId) {
      if (roles.length === 0) return undefined
      const key = `${applicationId} ${ids.join()}`
      if (prepared.has(key)) return prepared.get(key)
      if (prepared.size >= maxPrepared) prepared.clear()
      const effective = prepare(ids, applicationId)
      prepared.set(key, effective)
      return effective
    },
  }
}

const nameOf = ({ application, key }: StoredRole): string => `${application}:${key}`

function effectiveOf(visible: readonly Role[], applicationId: string | undefined): EffectiveRoles {
  const ids = visible.map(({ id }) => id)
  const roles = visible.map((role) => (applicationId === undefined ? nameOf(role) : role.key)).toSorted()
  const all = new Set(visible.flatMap(({ effective }) => effective))
  const permissions = [...all].toSorted().slice(0, maxShownPermissions)
  const members = `"roles":${JSON.stringify(roles)},"permissions":${JSON.stringify(permissions)},`
  const text = `${JSON.stringify(ids).slice(1)},${members}`
  const header = permissions.join()
  return {
    ids,
    roles,
    permissions,
    text,
    tag: sha256(text).slice(0, 22),
    header: header.length <= maxHeader ? header : undefined,
    has: (permission) => all.has(permission),
  }
}
