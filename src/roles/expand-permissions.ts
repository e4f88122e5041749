export interface StoredRole {
  readonly id: string
  readonly key: string
  readonly applicationId: string
  /** The key of the application. */
  readonly application: string
  readonly isDefault: boolean
  /** May contain patterns, and permissions that no longer exist. */
  readonly permissions: readonly string[]
}

/** A permission that its application declares. */
export interface StoredPermission {
  readonly key: string
  readonly applicationId: string
  readonly sensitive: boolean
}

/** Ends a permission of a role that covers all permissions with the same beginning. */
const wildcard = ':*'

export const isPattern = (permission: string): boolean => permission.endsWith(wildcard)

/** Whether the pattern covers the key. Also in 015_roles.sql. */
export const coversPermission = (pattern: string, key: string): boolean =>
  isPattern(pattern) && key.startsWith(pattern.slice(0, -1))

/** The permissions that a role gives: only those that its own application declares, and none that is retired. */
export function permissionsOf(
  { permissions, applicationId }: Pick<StoredRole, 'permissions' | 'applicationId'>,
  declared: readonly StoredPermission[],
): string[] {
  const listed = new Set(permissions)
  const patterns = permissions.filter(isPattern)
  return declared
    .filter((one) => one.applicationId === applicationId)
    .filter(
      ({ key, sensitive }) =>
        listed.has(key) || (!sensitive && patterns.some((pattern) => coversPermission(pattern, key))),
    )
    .map(({ key }) => key)
}
