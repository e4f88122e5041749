import type { StaffPermission } from '../../config/staff-permissions.ts'
import type { BridgeRight } from '../../db/rows/applications.ts'
import type { OwnScope } from '../credentials/scopes.ts'

/** For what a key may know about itself. */
export const anyScope = 'any'

export interface RouteAccess {
  /** A back end's secret in X-Bridge-Secret. `optional` accepts a missing secret but rejects a wrong one. */
  bridge: 'none' | 'optional' | 'required'
  /** The right that the secret of an application must have. Required unless `bridge` is `none`. */
  right?: BridgeRight
  /**
   * `optional`: a full session is used if sent. `any`: full or partial. `full`: a partial session is rejected.
   * `recovery`: only the partial session of a recovery is accepted.
   */
  session: 'none' | 'optional' | 'any' | 'full' | 'recovery'
  /** Also accepts the partial session of a recovery, which other routes reject. */
  recovery?: true
  /** The permission that the user's type must have. If set, the type is read from the database on every request. */
  permission?: StaffPermission
  /** The `user_type`s that may call the route without the permission. The type is read from the database as well. */
  roles?: readonly string[]
  /** The scope with which API keys and access tokens may call the route. Without it, only sessions may. */
  scope?: OwnScope | typeof anyScope
  /** Rejects application sessions, regardless of the user's role. */
  notForApplications?: true
  /** With ADMIN_REAUTH, requires an authentication within REAUTH_WINDOW. */
  adminReauth?: true
  /** A request with a `token` in its body is authorized by the token; sessions are ignored. */
  unlessToken?: true
  /** Only requests with `link=true` in the query need a session. Other requests ignore the session. */
  onlyToLink?: true
  description: string
}

export const anyone: RouteAccess = { bridge: 'none', session: 'none', description: 'anyone' }
export const visitor: RouteAccess = {
  bridge: 'none',
  session: 'optional',
  description: 'anyone; a full session is used if sent',
}
export const signedIn: RouteAccess = { bridge: 'none', session: 'full', description: 'a full session' }
/** For reading the user's own data. */
export const signedInReading: RouteAccess = {
  ...signedIn,
  scope: 'wardenry:profile:read',
  description: 'a full session; or an API key with the scope wardenry:profile:read',
}
/** For changes to the user's own data, but not to the ways in which the user signs in. */
export const signedInWriting: RouteAccess = {
  ...signedIn,
  scope: 'wardenry:profile:write',
  description: 'a full session; or an API key with the scope wardenry:profile:write',
}
/** For routes about the key that was sent. The route rejects sessions. */
export const keyItself: RouteAccess = { ...signedIn, scope: anyScope, description: 'an API key' }
/** For changes to the ways in which the user signs in. */
export const browserSession: RouteAccess = {
  ...signedIn,
  notForApplications: true,
  description: 'a full session, but not of an application',
}
/** For administration. The permission is that of the user's type. */
export const staffWith = (permission: StaffPermission): RouteAccess => ({
  bridge: 'none',
  session: 'full',
  permission,
  notForApplications: true,
  description: `a full session of a user with the permission ${permission}, but not of an application`,
})
/** For reading. API keys and access tokens may read as well, with the scope of the permission. */
export const staffReading = (permission: StaffPermission): RouteAccess => {
  const access = staffWith(permission)
  const scope: OwnScope = `wardenry:${permission}`
  return { ...access, scope, description: `${access.description}; or an API key with the scope ${scope}` }
}
/** For changes to single users and for module runs. */
export const staffWithReauth = (permission: StaffPermission): RouteAccess => {
  const access = staffWith(permission)
  const description = `${access.description}; with ADMIN_REAUTH, authenticated within REAUTH_WINDOW`
  return { ...access, adminReauth: true, description }
}
export const signedInOrPending: RouteAccess = {
  bridge: 'none',
  session: 'any',
  description: 'a full or partial session',
}
export const signedInOrToken: RouteAccess = {
  bridge: 'none',
  session: 'full',
  unlessToken: true,
  description: 'anyone with a token; without one, a full session',
}
export const signedInToLink: RouteAccess = {
  bridge: 'none',
  session: 'full',
  onlyToLink: true,
  notForApplications: true,
  description: 'anyone; with link=true, a full session, but not of an application',
}
const secretFor = (right: BridgeRight) => `the bridge secret (of an application: with the right \`${right}\`)`

export const bridge: RouteAccess = {
  bridge: 'required',
  right: 'sessions',
  session: 'none',
  description: `a back end with ${secretFor('sessions')}`,
}
/** For creating users. */
export const bridgeForUsers: RouteAccess = {
  ...bridge,
  right: 'users',
  description: `a back end with ${secretFor('users')}`,
}
/** For declaring the permissions of an application. */
export const bridgeForPermissions: RouteAccess = {
  ...bridge,
  right: 'permissions',
  description: `a back end with ${secretFor('permissions')}`,
}
/** For reading a user. */
export const bridgeWithSession: RouteAccess = {
  bridge: 'required',
  right: 'users',
  session: 'any',
  description: `a back end with ${secretFor('users')}, for a full or partial session`,
}
/** For back-end routes that CLIENT_COMPAT opens to requests without a secret. */
export const anyoneOrBridge: RouteAccess = {
  bridge: 'optional',
  right: 'sessions',
  session: 'none',
  description: `anyone; back ends add ${secretFor('sessions')}`,
}
/** For back-end routes that, with CLIENT_COMPAT, also accept a session without the bridge secret. */
export const sessionWithOptionalBridge: RouteAccess = {
  bridge: 'optional',
  right: 'users',
  session: 'any',
  description: `a full or partial session; back ends add ${secretFor('users')}`,
}
/** For signing out. */
export const anySession: RouteAccess = {
  bridge: 'optional',
  right: 'sessions',
  session: 'any',
  recovery: true,
  description: `a full or partial session; back ends add ${secretFor('sessions')}`,
}
/** For users who lost their passkeys, or who must have one. The session allows nothing else. */
export const recoverySession: RouteAccess = {
  bridge: 'none',
  session: 'recovery',
  description: 'a partial session in which a passkey must be added',
}

/** Whether only certain types of users may call the route. */
export const isPrivileged = ({ permission, roles }: RouteAccess): boolean =>
  permission !== undefined || roles !== undefined
