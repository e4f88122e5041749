import type { Context } from '../../../context.ts'
import { invalidField } from '../../../lib/errors.ts'
import { readPresent } from '../../../lib/read-all.ts'
import { day, hour, second } from '../../../lib/time.ts'
import { userTypeField } from '../../../users/fields.ts'
import {
  type ClientAuthMethod,
  type ClientType,
  type SigningAlg,
  signingAlgs,
  type UserClientType,
  userClientTypes,
} from '../rows.ts'
import { readAllowedOrigin, readBackchannelUri } from './client-addresses.ts'
import { readRedirectUri } from './redirect-uri.ts'

export const maxAddressesOfClient = 20
export const maxAllowedTypes = 50

/** How a client signs users in. */
export interface SignInInput {
  redirect_uris?: string[]
  post_logout_uris?: string[]
  allowed_origins?: string[]
  require_pkce?: boolean
  trusted?: boolean
  id_token_alg?: SigningAlg | null
  id_token_claims?: boolean
  groups_claim?: boolean
  offline_default?: boolean
  /** In seconds. */
  refresh_idle_ttl?: number | null
  refresh_absolute_ttl?: number | null
  allowed_types?: string[]
  required_permission?: string | null
  backchannel_uri?: string | null
}

/** The types whose clients can have another value than the default. */
const typesWith: Readonly<Record<keyof SignInInput, readonly UserClientType[]>> = {
  redirect_uris: userClientTypes,
  post_logout_uris: userClientTypes,
  allowed_origins: ['spa'],
  // Without a secret, only PKCE proves that a code is redeemed by the program that asked for it (RFC 9700, 2.1.1).
  require_pkce: ['web'],
  // Any program on the user's device can claim to be a native client (RFC 8252, 8.6).
  trusted: ['web', 'spa'],
  id_token_alg: userClientTypes,
  id_token_claims: userClientTypes,
  groups_claim: userClientTypes,
  offline_default: ['web', 'native'],
  refresh_idle_ttl: userClientTypes,
  refresh_absolute_ttl: userClientTypes,
  allowed_types: userClientTypes,
  required_permission: userClientTypes,
  backchannel_uri: ['web', 'spa'],
}

export const signInMembers = Object.keys(typesWith) as (keyof SignInInput)[]

export const isUserClient = (type: ClientType): type is UserClientType =>
  userClientTypes.some((known) => known === type)

export const authMethodOf = (type: ClientType): ClientAuthMethod =>
  type === 'spa' || type === 'native' ? 'none' : 'client_secret'

/** The columns of the members that are given. Throws OAUTH_REDIRECT_INVALID, or VALIDATION_ERROR with all problems. */
export function readSignInRules(ctx: Context, input: SignInInput, type: ClientType) {
  assertMembersOfType(input, type)
  if (!isUserClient(type)) return {}
  const { isProduction } = ctx.config
  const redirects = (field: 'redirect_uris' | 'post_logout_uris') =>
    input[field] && addressesIn(field, input[field], (text) => readRedirectUri(text, type, { isProduction, field }))
  return {
    redirect_uris: redirects('redirect_uris'),
    post_logout_uris: redirects('post_logout_uris'),
    ...readPresent((read) => ({
      allowed_origins: read(input.allowed_origins, (all) => addressesIn('allowed_origins', all, readAllowedOrigin)),
      id_token_alg: read(input.id_token_alg, readIdTokenAlg),
      refresh_idle_ttl: read(input.refresh_idle_ttl, (value) => readRefreshLifetime('refresh_idle_ttl', value)),
      refresh_absolute_ttl: read(input.refresh_absolute_ttl, (value) =>
        readRefreshLifetime('refresh_absolute_ttl', value),
      ),
      allowed_types: read(input.allowed_types, (types) =>
        [...new Set(types.map((one) => userTypeField('allowed_types', one, ctx)))].toSorted(),
      ),
      backchannel_uri: read(input.backchannel_uri, (text) => text && readBackchannelUri(text, { isProduction })),
    })),
    require_pkce: input.require_pkce,
    is_trusted: input.trusted,
    id_token_claims: input.id_token_claims,
    groups_claim: input.groups_claim,
    offline_default: input.offline_default,
    required_permission: input.required_permission,
  }
}

/** Programs on devices are expected to keep their access after a sign-out in the browser. */
export const signInDefaults = (type: ClientType) => ({ offline_default: type === 'native' })

function assertMembersOfType(input: SignInInput, type: ClientType): void {
  for (const name of signInMembers) {
    const types: readonly ClientType[] = typesWith[name]
    const isHarmless = input[name] === undefined || (isUserClient(type) && isDefault(name, input[name]))
    if (!isHarmless && !types.includes(type))
      throw invalidField(name, `is only for clients of the type ${types.join(' or ')}`)
  }
}

const isDefault = (name: keyof SignInInput, value: unknown): boolean =>
  value === null || value === (name === 'require_pkce') || (Array.isArray(value) && value.length === 0)

function addressesIn(field: string, given: readonly string[], read: (text: string) => string): string[] {
  const addresses = [...new Set(given.map((text) => read(text)))]
  if (addresses.length <= maxAddressesOfClient) return addresses
  throw invalidField(field, `must not contain more than ${maxAddressesOfClient} addresses`)
}

function readIdTokenAlg(alg: SigningAlg | null): SigningAlg | null {
  if (alg === null || signingAlgs.includes(alg)) return alg
  throw invalidField('id_token_alg', `must be one of ${signingAlgs.join(', ')}`)
}

const [minRefresh, maxRefresh] = [hour / second, (365 * day) / second]

function readRefreshLifetime(field: string, seconds: number | null): number | null {
  if (seconds === null || (Number.isSafeInteger(seconds) && seconds >= minRefresh && seconds <= maxRefresh))
    return seconds
  throw invalidField(field, `must be a whole number of seconds from ${minRefresh} to ${maxRefresh}`)
}
