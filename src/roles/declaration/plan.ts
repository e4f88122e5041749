import { invalidField } from '../../lib/errors.ts'
import { permissionsOf, type StoredPermission } from '../expand-permissions.ts'
import { maxPermissions } from '../read-input.ts'
import type { Declaration, DeclaredPermission, DeclaredRole } from './read-declaration.ts'
import { maxDeclaredRoles } from './schemas.ts'

/** Permissions of an application, with those that are retired. */
const maxKept = 2_000

export interface KnownPermission extends DeclaredPermission {
  retired_at: Date | null
}

export interface KnownRole extends DeclaredRole {
  id: string
  /** Users who were given the role. */
  users: number
}

export interface Known {
  permissions: readonly KnownPermission[]
  roles: readonly KnownRole[]
}

interface Losing {
  role: string
  permissions: string[]
  users: number | null
}

export interface DeclarationPlan {
  permissions: { added: string[]; changed: string[]; retired: string[]; removed: string[] }
  roles: { added: string[]; changed: string[]; removed: string[] }
  losing: Losing[]
  /** The roles as they will be. */
  target: readonly DeclaredRole[]
}

/** Compares what an application declares with what it declared before. */
export function planDeclarationOf(known: Known, { permissions, roles }: Declaration, prune: boolean): DeclarationPlan {
  const declared = new Map(permissions.map((one) => [one.key, one]))
  const before = new Map(known.permissions.map((one) => [one.key, one]))
  const missing = known.permissions.filter(({ key }) => !declared.has(key))
  const gone = missing.map(({ key }) => key)
  const target = rolesAfter(known, roles, { gone, prune })
  const after = new Map(target.map((role) => [role.key, role]))
  const same = new Map(known.roles.map((role) => [role.key, role]))
  return {
    permissions: {
      added: keysOf(permissions.filter(({ key }) => !before.has(key) || before.get(key)?.retired_at !== null)),
      changed: keysOf(permissions.filter((one) => hasOtherText(before.get(one.key), one))),
      retired: prune ? [] : keysOf(missing.filter(({ retired_at }) => retired_at === null)),
      removed: prune ? gone : [],
    },
    roles: {
      added: keysOf(target.filter(({ key }) => !same.has(key))),
      changed: keysOf(target.filter((role) => isOther(same.get(role.key), role))),
      removed: keysOf(known.roles.filter(({ key }) => !after.has(key))),
    },
    losing: known.roles.flatMap((role) => losesOf(role, after.get(role.key), { known, permissions })),
    target,
  }
}

/** Roles keep retired permissions, which have an effect again when they are declared again. */
function rolesAfter(
  known: Known,
  declared: readonly DeclaredRole[],
  { gone, prune }: { gone: readonly string[]; prune: boolean },
): DeclaredRole[] {
  const kept = (role: DeclaredRole | undefined) =>
    prune ? [] : (role?.permissions ?? []).filter((key) => gone.includes(key))
  const others = prune ? [] : known.roles.filter((role) => !declared.some(({ key }) => key === role.key))
  const ofDeclared = declared.map((role) => {
    const former = known.roles.find(({ key }) => key === role.key)
    return { ...role, permissions: [...new Set([...role.permissions, ...kept(former)])].toSorted() }
  })
  return [...ofDeclared, ...others]
}

function losesOf(
  role: KnownRole,
  after: DeclaredRole | undefined,
  { known, permissions }: { known: Known; permissions: readonly DeclaredPermission[] },
): Losing[] {
  const live = known.permissions.filter(({ retired_at }) => retired_at === null)
  const left = new Set(after ? effectiveOf(after, permissions) : [])
  const lost = effectiveOf(role, live).filter((key) => !left.has(key))
  return lost.length > 0 ? [{ role: role.key, permissions: lost, users: role.is_default ? null : role.users }] : []
}

/** All are of one application. */
const effectiveOf = ({ permissions }: DeclaredRole, declared: readonly DeclaredPermission[]): string[] =>
  permissionsOf({ permissions, applicationId: '' }, declared.map(withoutApplication))

const withoutApplication = ({ key, sensitive }: DeclaredPermission): StoredPermission => ({
  ...{ key, sensitive, applicationId: '' },
})

const keysOf = (all: readonly { key: string }[]): string[] => all.map(({ key }) => key).toSorted()

const hasOtherText = (before: KnownPermission | undefined, { title, description, sensitive }: DeclaredPermission) =>
  before !== undefined &&
  before.retired_at === null &&
  textOf([before.title, before.description, before.sensitive]) !== textOf([title, description, sensitive])

const isOther = (before: KnownRole | undefined, role: DeclaredRole): boolean =>
  before !== undefined && textOf(membersOf(before)) !== textOf(membersOf(role))

const membersOf = ({ name, description, is_default, permissions }: DeclaredRole) => [
  ...[name, description, is_default],
  permissions.toSorted(),
]

/** The database stores the members of objects in another order. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )

/** Including what the application no longer declares, which is kept until it is pruned. Throws VALIDATION_ERROR. */
export function assertBounds({ target, permissions }: DeclarationPlan, known: Known): void {
  const before = new Set(known.permissions.map(({ key }) => key))
  const count = before.size + permissions.added.filter((key) => !before.has(key)).length - permissions.removed.length
  if (count > maxKept) throw tooMany('permissions', count, maxKept)
  if (target.length > maxDeclaredRoles) throw tooMany('roles', target.length, maxDeclaredRoles)
  const large = target.find((role) => role.permissions.length > maxPermissions)
  if (large) throw tooMany(`roles.${large.key}`, large.permissions.length, maxPermissions)
}

const tooMany = (field: string, count: number, allowed: number) =>
  invalidField(
    field,
    `would be ${count} with those that are no longer declared, and at most ${allowed} are allowed: prune`,
  )

export const isEmptyPlan = ({ permissions, roles }: DeclarationPlan): boolean =>
  [...Object.values(permissions), ...Object.values(roles)].every((keys) => keys.length === 0)
