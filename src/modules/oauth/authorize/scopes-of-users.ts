/**
 * The scopes with a meaning of their own (OpenID Connect Core, 5.4 and 11). All others are permissions of applications, and
 * those of this service's own API.
 */
export const openIdScopes = [
  ...['openid', 'profile', 'email', 'phone', 'address', 'business', 'roles'],
  'offline_access',
] as const

export type OpenIdScope = (typeof openIdScopes)[number]

export const isOpenIdScope = (scope: string): scope is OpenIdScope => openIdScopes.some((known) => known === scope)

/** Users can leave these out when they are asked. Without the others, applications would not work. */
export const isOptionalScope = (scope: string): boolean =>
  isOpenIdScope(scope) ? ['phone', 'address', 'business'].includes(scope) : true
