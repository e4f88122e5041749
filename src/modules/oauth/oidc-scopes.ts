import type { ModuleState } from '../../context.ts'

/** Those of OpenID Connect Core, 5.4 and 11, and `business` and `roles`, whose claims are this service's own. */
export const oidcScopes = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'business',
  'roles',
  'offline_access',
] as const
export type OidcScope = (typeof oidcScopes)[number]

/** Their claims are columns of this module. */
const onboardingScopes: readonly string[] = ['address', 'business']

/** The scopes that this installation has. */
export const offeredOidcScopes = ({ modules }: { modules: ModuleState }): OidcScope[] =>
  oidcScopes.filter((scope) => !onboardingScopes.includes(scope) || modules.isInstalled('onboarding'))

export const isOidcScope = (scope: string): scope is OidcScope => oidcScopes.some((known) => known === scope)

/** Users can leave these out when they are asked. Without the others, applications would not work. */
export const isOptionalScope = (scope: string): boolean =>
  isOidcScope(scope) ? ['phone', ...onboardingScopes].includes(scope) : true
