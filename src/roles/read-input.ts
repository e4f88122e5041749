import { sensitivePermissions } from '../config/staff-permissions.ts'
import type { StaffRoles } from '../context.ts'
import { isSuperadmin } from '../http/access/permissions.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { readPresent } from '../lib/read-all.ts'
import { lineField } from '../users/fields.ts'
import { visibleNameField } from '../users/visible-name.ts'

export interface RoleInput {
  key?: string
  name?: string
  description?: string
  permissions?: string[]
}

export const keyPattern = '^[a-z][a-z0-9_-]{1,39}$'
export const maxName = 80
export const maxDescription = 300
export const maxPermissions = 200

/** Throws VALIDATION_ERROR with all problems. */
export const readRole = (staff: StaffRoles, input: RoleInput) =>
  readPresent((read) => ({
    key: read(input.key, readKey),
    name: read(input.name, readName),
    description: read(input.description, (text) => lineField('description', text, maxDescription)),
    permissions: read(input.permissions, (given) => readPermissions(staff, given)),
  }))

/** The command line has no schema. */
function readKey(text: string): string {
  if (new RegExp(keyPattern).test(text)) return text
  throw invalidField('key', 'must have 2 to 40 lowercase letters, digits, _ and -, and begin with a letter')
}

/** Superadmins read the name in emails. */
const readName = (text: string): string => visibleNameField('name', text, maxName)

/** A permission that is misspelt would have no effect. */
function readPermissions(staff: StaffRoles, given: readonly string[]): string[] {
  const unknown = given.filter((name) => !staff.isDeclared(name))
  if (unknown.length > 0)
    throw invalidField('permissions', `must contain permissions, which ${unknown.slice(0, 10).join(', ')} is not`)
  return [...new Set(given)].toSorted()
}

/** Nobody gives what they do not have, and sensitive permissions are given only by superadmins. */
export function assertGivable(staff: StaffRoles, actor: { user_type: string }, added: readonly string[]): void {
  const own = staff.permissionsOf(actor.user_type)
  const missing = added.filter((name) => !own.includes(name))
  if (missing.length > 0)
    throw new AppError('FORBIDDEN', { sentence: `You cannot give ${missing.join(', ')}, which you do not have` })
  const sensitive = added.filter((name) => sensitivePermissions.includes(name))
  if (sensitive.length > 0 && !isSuperadmin(actor))
    throw new AppError('FORBIDDEN', { sentence: `Only superadmins can give ${sensitive.join(', ')}` })
}
