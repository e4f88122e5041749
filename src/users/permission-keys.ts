/** A permission of an application. Also in 015_roles.sql. */
export const permissionPattern = '^[a-z][a-z0-9_-]*(:[a-z0-9_-]+){1,3}$'
export const maxPermissionKey = 80

/** Permissions that begin with this are those of this service. */
export const ownPermissions = 'wardenry:'
