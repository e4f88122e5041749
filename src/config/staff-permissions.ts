/** The built-in staff roles. Each has the permissions of the ones before it. */
export const builtInRoles = ['support', 'admin', 'superadmin'] as const

export type BuiltInRole = (typeof builtInRoles)[number]

/** The permissions of administration routes, and the first built-in role that has each. */
export const corePermissions = {
  'overview:read': 'support',
  'users:read': 'support',
  'audit:read': 'support',
  'events:read': 'support',
  'security:read': 'support',
  'users:create': 'admin',
  'users:update': 'admin',
  'users:delete': 'admin',
  'users:restore': 'admin',
  'users:block': 'admin',
  'users:end_sessions': 'admin',
  'users:set_password': 'admin',
  'users:reset_factors': 'admin',
  'users:send_message': 'admin',
  'users:set_role': 'admin',
  'users:unlock': 'admin',
  'users:bulk': 'admin',
  'users:export': 'admin',
  'audit:export': 'admin',
  'messages:read': 'admin',
  'messages:retry': 'admin',
  'settings:read': 'admin',
  'modules:read': 'admin',
  'modules:run': 'admin',
  'users:impersonate': 'superadmin',
  'templates:write': 'superadmin',
  'settings:write': 'superadmin',
  'webhooks:manage': 'superadmin',
  'applications:read': 'superadmin',
  'applications:manage': 'superadmin',
  'roles:manage': 'superadmin',
} as const satisfies Record<string, BuiltInRole>

/** With these, users can get further rights or read everything, so only superadmins put them into roles. */
export const sensitivePermissions: readonly string[] = [
  ...([
    'settings:write',
    'webhooks:manage',
    'modules:run',
    'applications:manage',
    'roles:manage',
    'users:impersonate',
    'users:set_password',
    'users:reset_factors',
    'users:create',
    'users:set_role',
    'users:export',
    'audit:export',
  ] satisfies (keyof typeof corePermissions)[]),
  // Of modules, which may be missing.
  'keys:manage',
  'clients:secrets',
  'signing_keys:manage',
]

/**
 * No route accepts an API key with these, because the changes that they allow are for signed-in users only. A scope would
 * have no effect, so it is not offered.
 */
export const permissionsWithoutScope: readonly string[] = [
  ...([
    'users:update',
    'users:delete',
    'users:restore',
    'users:block',
    'users:end_sessions',
    'users:send_message',
    'users:unlock',
    'users:bulk',
    'messages:retry',
    'templates:write',
  ] satisfies (keyof typeof corePermissions)[]),
  // Of modules, which may be missing.
  ...['blog:manage', 'post_types:manage', 'service_accounts:read', 'grants:end'],
]

/** Modules add their permissions as members. */
// biome-ignore lint/suspicious/noEmptyInterface: modules add members.
export interface ModulePermissions {}

export type StaffPermission = keyof typeof corePermissions | keyof ModulePermissions

/** The permissions that a module declares, and the first built-in role that has each. */
export type DeclaredPermissions = Readonly<Partial<Record<StaffPermission, BuiltInRole>>>

export type PermissionWords = Readonly<Partial<Record<StaffPermission, string>>>
