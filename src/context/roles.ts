/** The owner of all application roles together in `session_revocations`. Also in 015_roles.sql. */
export const allRoles = 'a0000000-0000-4000-8000-000000000002'

/** The application roles that a user was given, as the statement that read the user saw them. */
export interface RoleGrants {
  /** The version of all roles in the snapshot of the statement. */
  readonly version: number
  /** The ids of the roles, in their order, without those that were given until an earlier time. */
  readonly ids: readonly string[]
  /** When the first of them ends, in milliseconds since 1970. Null if none ends. */
  readonly until: number | null
}

/** The roles and permissions that a user has, and that a response may contain. */
export interface EffectiveRoles {
  /** A later epoch of one of them invalidates the response. */
  readonly ids: readonly string[]
  /** Keys of roles, after the key of their application and a colon if they may be of several applications. */
  readonly roles: readonly string[]
  /** Without patterns, and in order. */
  readonly permissions: readonly string[]
  /** The text of the members `owners`, after the first ones, `roles` and `permissions`. Shared by users with the same roles. */
  readonly text: string
  /** Identifies the text. */
  readonly tag: string
  /** Undefined if the value would be too long. */
  readonly header: string | undefined
  has(permission: string): boolean
}

/** All application roles at one point in time. */
export interface RoleSet {
  readonly version: number
  readonly isEmpty: boolean
  /** Such as `billing:accountant`, in order, without the roles that every user has. */
  readonly names: readonly string[]
  /**
   * Also contains the roles that every user has. Undefined if the user has none. With the id of an application, contains
   * only its roles.
   */
  of(ids: readonly string[], applicationId?: string): EffectiveRoles | undefined
  /** The id of the application that declares the permission, unless the permission is retired. */
  applicationOf(permission: string): string | undefined
  /** The permissions that the application declares and has not retired, in order. */
  permissionsOf(applicationId: string): readonly string[]
}

/**
 * Combine grants only with a set whose version is not lower. Code that caches grants must know all raised epochs of users
 * that are visible to a set before it is used, which `current` ensures for cached sessions.
 */
export interface ApplicationRoles {
  /** The version of `current()`. -1 if a later version is known, and the roles must be read first. */
  readonly version: number
  /** The latest version that this node has heard of. */
  readonly latest: number
  current(): RoleSet
  /** Undefined if the roles in memory have at least this version. Otherwise, reads them. Never rejects. */
  whenCurrent(version: number): Promise<void> | undefined
  /** Call this after the commit of a change. Takes effect immediately here, and within a second on other nodes. */
  invalidate(version: number): Promise<void>
}
