import type { OidcScope } from '../oidc-scopes.ts'

/** The claims that each scope contains (OpenID Connect Core, 5.4). */
export const claimsOfScope: Readonly<Partial<Record<OidcScope, readonly string[]>>> = {
  profile: [
    ...['name', 'given_name', 'family_name', 'preferred_username', 'picture', 'gender', 'birthdate', 'zoneinfo'],
    ...['locale', 'updated_at'],
  ],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
  business: ['business'],
  roles: ['roles', 'groups', 'user_type', 'permissions'],
}

/** Those that can be asked for one by one, as in `claims_supported`. */
export const claimNames: readonly string[] = Object.values(claimsOfScope).flat()
