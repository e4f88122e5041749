import type { StaffPermission } from '../config/staff-permissions.ts'
import type { Db } from '../db/tables.ts'

/** A role that superadmins have added. Its key is a user type. */
export interface CustomRole {
  key: string
  name: string
  permissions: readonly string[]
}

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
  /** The built-in roles that have the permission, the one with the fewest permissions first. */
  typesWith(permission: StaffPermission): readonly string[]
  isDeclared(permission: string): boolean
  /** Also true for unknown types. */
  isStaff(userType: string): boolean
  /** All permissions, or those that users of the type have. */
  permissionsOf(userType?: string): readonly string[]
  /** In the order of their keys. */
  customRoles(): readonly CustomRole[]
}

export interface WatchedStaffRoles extends StaffRoles {
  /** Reads the custom roles. Called before every decision, because a change takes effect with the next request. */
  refresh(db: Db): Promise<void>
  /** Like `refresh`. A change of this role then waits for the end of the transaction. */
  hold(db: Db, userType: string): Promise<void>
  /** Call this after committing a change. */
  refreshAll(): Promise<void>
}

export interface StaffRequirement {
  permission?: StaffPermission | undefined
  /** User types that need no permission, except those of added roles. */
  roles?: readonly string[] | undefined
}
