import type { Transaction } from '../../../context.ts'
import { ownPrefix, profileScopes } from '../../../http/credentials/scopes.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { findStoredRoles } from '../../../roles/application-queries.ts'
import { lockServiceAccount } from '../../api-keys/account-queries.ts'
import { assertScopes } from '../../api-keys/scopes.ts'
import { findResources, type ResourceRow } from '../directory-queries.ts'
import { isOidcScope, offeredOidcScopes } from '../oidc-scopes.ts'
import type { ClientType } from '../rows.ts'
import type { ClientManager } from './as-client-manager.ts'
import { isUserClient } from './sign-in-input.ts'

export interface ClientTerms {
  application_id: string
  type: ClientType
  service_account_id: string | null
  scopes: readonly string[]
  resources: readonly string[]
  redirect_uris?: readonly string[] | undefined
  refresh_idle_ttl?: number | null | undefined
  refresh_absolute_ttl?: number | null | undefined
  required_permission?: string | null | undefined
}

/** The actor must be able to give the scopes, as for the keys of service accounts. */
export async function assertTerms({ tx, allowed }: ClientManager, terms: ClientTerms): Promise<void> {
  if ((terms.type === 'machine') !== (terms.service_account_id !== null))
    throw invalidField(
      'service_account_id',
      terms.type === 'machine' ? 'is required' : 'is only for clients of the type machine',
    )
  const resources = await resourcesOf(tx, terms)
  if (isUserClient(terms.type)) return assertUserClient(tx, allowed, terms, resources)
  if (terms.type === 'machine') return assertMachine(tx, allowed, terms)
  if (terms.scopes.length > 0) throw invalidField('scopes', 'are not for clients of the type resource_server')
  // Otherwise, an application could read the tokens of others.
  const foreign = resources.find((one) => one.application_id !== terms.application_id)
  if (foreign) throw invalidField('resources', `must belong to the application, which ${foreign.identifier} does not`)
}

async function resourcesOf(tx: Transaction, terms: ClientTerms): Promise<ResourceRow[]> {
  const found = (await findResources(tx.db)).filter(({ id }) => terms.resources.includes(id))
  if (found.length < terms.resources.length) throw invalidField('resources', 'must contain ids of resources')
  return found
}

async function assertMachine(
  tx: Transaction,
  allowed: readonly string[],
  { service_account_id, scopes }: ClientTerms,
): Promise<void> {
  const account = looksLikeId(service_account_id ?? '')
    ? await lockServiceAccount(tx.db, service_account_id ?? '')
    : undefined
  if (!account) throw invalidField('service_account_id', 'must be the id of a service account')
  const excess = scopes.find((scope) => !account.scopes.includes(scope))
  if (excess !== undefined)
    throw new AppError('OAUTH_SCOPE_UNKNOWN', { sentence: `The service account lacks the scope ${excess}` })
  assertScopes(allowed, scopes)
}

/** A token has only what its user may do as well, so that the scopes need no account that bounds them. */
async function assertUserClient(
  tx: Transaction,
  allowed: readonly string[],
  terms: ClientTerms,
  resources: readonly ResourceRow[],
): Promise<void> {
  if (!terms.redirect_uris?.length) throw invalidField('redirect_uris', 'must contain an address')
  const { refresh_idle_ttl: idle, refresh_absolute_ttl: absolute } = terms
  if (idle != null && absolute != null && idle > absolute)
    throw invalidField('refresh_idle_ttl', 'must not be longer than refresh_absolute_ttl')
  const { permissions } = await findStoredRoles(tx.db)
  const permissionsOf = (ids: readonly string[]) =>
    permissions.filter(({ applicationId }) => ids.includes(applicationId)).map(({ key }) => key)
  const { required_permission: required } = terms
  if (required != null && !permissionsOf([terms.application_id]).includes(required))
    throw invalidField('required_permission', 'must be a permission that the application declares')
  const known: string[] = [
    ...offeredOidcScopes(tx),
    ...permissionsOf(resources.map(({ application_id }) => application_id)),
  ]
  const unknown = terms.scopes.find((scope) => !scope.startsWith(ownPrefix) && !known.includes(scope))
  if (unknown !== undefined)
    throw new AppError('OAUTH_SCOPE_UNKNOWN', {
      sentence: `None of the resources of the client has the scope ${unknown}`,
    })
  assertScopes(
    [...allowed, ...profileScopes],
    terms.scopes.filter((scope) => !isOidcScope(scope)),
  )
}
