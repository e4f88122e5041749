import { invalidField } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { readPresent } from '../../../lib/read-all.ts'
import { isOidcScope } from '../oidc-scopes.ts'
import { readLifetime, readOAuthName } from '../resources/read-input.ts'
import type { ClientAuthMethod, ClientType } from '../rows.ts'
import { assertSecretText } from './secret-text.ts'
import type { SignInInput } from './sign-in-input.ts'

export const maxScopes = 200
export const maxResources = 20
const scopeForm = /^[a-z][a-z0-9_-]*(:[a-z0-9_-]+){1,3}$/

export const isScope = (text: string): boolean => isOidcScope(text) || (text.length <= 80 && scopeForm.test(text))
export const clientIdPattern = '^[A-Za-z0-9._-]{3,64}$'

export interface ClientInput extends SignInInput {
  application_id?: string
  client_id?: string
  type?: ClientType
  name?: string
  service_account_id?: string
  scopes?: string[]
  /** The ids of resources. */
  resources?: string[]
  /** In seconds. */
  access_ttl?: number | null
  enabled?: boolean
  auth_method?: ClientAuthMethod
  /** The secret that the client already has, from another authorization server. */
  secret?: string
}

/** Throws VALIDATION_ERROR with all problems. The command line has no schema. */
export const readClient = (input: ClientInput) => ({
  ...readPresent((read) => ({
    client_id: read(input.client_id, readClientId),
    name: read(input.name, readOAuthName),
    scopes: read(input.scopes, readClientScopes),
    resources: read(input.resources, readResources),
    access_ttl: read(input.access_ttl, readLifetime),
    secret: read(input.secret, assertSecretText),
  })),
  application_id: input.application_id,
  type: input.type,
  service_account_id: input.service_account_id,
  is_enabled: input.enabled,
})

/**
 * An identifier that looks like those of users could be taken for the subject of a user's token (RFC 9068, 5). Only the
 * service itself chooses such identifiers.
 */
function readClientId(text: string): string {
  if (new RegExp(clientIdPattern).test(text) && !looksLikeId(text.toLowerCase())) return text
  throw invalidField('client_id', 'must have 3 to 64 letters, digits, dots, hyphens and underscores, and not be a UUID')
}

function readClientScopes(given: readonly string[]): string[] {
  const scopes = [...new Set(given)].toSorted()
  if (scopes.length > maxScopes) throw invalidField('scopes', `must not contain more than ${maxScopes} scopes`)
  if (!scopes.every(isScope)) throw invalidField('scopes', 'must contain scopes such as invoices:read')
  return scopes
}

/** In their order: the first one is the default. */
function readResources(given: readonly string[]): string[] {
  const ids = [...new Set(given)]
  if (ids.length > maxResources || !ids.every(looksLikeId))
    throw invalidField('resources', `must contain the ids of at most ${maxResources} resources`)
  return ids
}
