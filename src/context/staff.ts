import type { StaffPermission } from '../config/staff-permissions.ts'

/** The permissions that users have by their types. */
export interface StaffRoles {
  /** Whether users of this type have the permission. Unknown types have none. */
  may(userType: string, permission: StaffPermission): boolean
  /** Whether a user of this type passes: with the permission, or with one of the types. */
  admits(required: StaffRequirement, userType: string): boolean
  /**
   * Whether users of this type have at least the permissions of the other type. Only superadmins cover superadmins,
   * whatever the permissions of other roles are.
   */
  covers(userType: string, other: string): boolean
  /** The types of users that have the permission, the one with the fewest permissions first. */
  typesWith(permission: StaffPermission): readonly string[]
  isDeclared(permission: string): boolean
  /** Also true for unknown types. */
  isStaff(userType: string): boolean
}

export interface StaffRequirement {
  permission?: StaffPermission | undefined
  /** User types that need no permission. */
  roles?: readonly string[] | undefined
}
