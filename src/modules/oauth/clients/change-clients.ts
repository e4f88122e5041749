import type { StaffRequest } from '../../../admin/as-staff.ts'
import type { Context, Transaction } from '../../../context.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { assertUnchanged, laterThan } from '../../../lib/expected-version.ts'
import { looksLikeId, newId } from '../../../lib/ids.ts'
import { timeField } from '../../../lib/time-field.ts'
import { lockServiceAccount } from '../../api-keys/account-queries.ts'
import { assertScopes } from '../../api-keys/scopes.ts'
import { changesOf } from '../changes.ts'
import { findResources } from '../directory-queries.ts'
import { findLiveApplication } from '../resources/queries.ts'
import type { ClientType } from '../rows.ts'
import { asClientManager, type ClientManager, type ClientRequest, withClient } from './as-client-manager.ts'
import { countClients, insertClient, isClientIdTaken, updateClient } from './queries.ts'
import { type ClientInput, readClient } from './read-input.ts'
import { addSecret } from './secrets.ts'

const maxClients = 10_000

/** Cannot be read again. Undefined if the administrator brought it along. */
export interface CreatedClient {
  clientId: string
  secret: string | undefined
}

export const createClient = (ctx: Context, request: StaffRequest, input: ClientInput): Promise<CreatedClient> => {
  const { secret: brought, ...read } = readClient(input)
  return asClientManager(ctx, request, { deed: 'create_oauth_client' }, async (managing) => {
    const { tx, audit } = managing
    const id = newId()
    const { application_id = '', client_id = newId(), type = 'machine', name = client_id } = read
    const { service_account_id = null, scopes = [], resources = [], access_ttl = null, is_enabled = true } = read
    const terms = {
      application_id,
      client_id,
      type,
      name,
      service_account_id,
      scopes,
      resources,
      access_ttl,
      is_enabled,
    }
    // Locks the service account, which comes before the application.
    await assertTerms(managing, terms)
    if (!looksLikeId(application_id) || !(await findLiveApplication(tx.db, application_id)))
      throw invalidField('application_id', 'must be the id of an application')
    if ((await countClients(tx.db)) >= maxClients)
      throw invalidField('name', `is one too many: there can be ${maxClients} clients`)
    if (await isClientIdTaken(tx.db, client_id)) throw new AppError('OAUTH_CLIENT_ID_TAKEN')
    const now = tx.clock.date()
    const grant_types = type === 'machine' ? ['client_credentials'] : []
    await insertClient(tx.db, { id, ...terms, grant_types, created_at: now, updated_at: now })
    const added = await addSecret(tx, id, brought)
    await audit('oauth_client_created', { client: client_id, ...terms, secret_hint: added.hint })
    return { clientId: client_id, secret: brought === undefined ? added.secret : undefined }
  })
}

type ClientChanges = Omit<ClientInput, 'application_id' | 'client_id' | 'type' | 'secret'>

/** Members that are not given stay as they are. */
export const updateClientOf = (
  ctx: Context,
  request: ClientRequest,
  { expected_updated_at, ...input }: ClientChanges & { expected_updated_at?: string },
): Promise<void> => {
  const { secret: _, application_id: __, client_id: ___, type: ____, ...read } = readClient(input)
  const expected = timeField('expected_updated_at', expected_updated_at)
  return withClient(
    ctx,
    request,
    { deed: 'update_oauth_client', accountId: read.service_account_id },
    async (managing) => {
      const { tx, audit, client } = managing
      assertUnchanged(client, expected)
      const { changed, before, after, columns } = changesOf(client, read)
      if (changed.length === 0) return
      const isOnlyDisabled = changed.join() === 'is_enabled' && columns.is_enabled === false
      if (!isOnlyDisabled) await assertTerms(managing, { ...client, ...columns })
      await updateClient(tx.db, client.id, { ...columns, updated_at: laterThan(client, tx.clock.date()) })
      await audit(isOnlyDisabled ? 'oauth_client_disabled' : 'oauth_client_updated', { changed, before, after })
    },
  )
}

/** Its identifier stays taken, so that no other program inherits what resource servers know about it. */
export const deleteClient = (ctx: Context, request: ClientRequest): Promise<void> =>
  withClient(ctx, request, { deed: 'delete_oauth_client' }, async ({ tx, audit, client }) => {
    const now = tx.clock.date()
    await updateClient(tx.db, client.id, { is_enabled: false, deleted_at: now, updated_at: now })
    await audit('oauth_client_deleted', {})
  })

interface Terms {
  application_id: string
  type: ClientType
  service_account_id: string | null
  scopes: readonly string[]
  resources: readonly string[]
}

/** The actor must be able to give the scopes, as for the keys of service accounts. */
async function assertTerms({ tx, allowed }: ClientManager, terms: Terms): Promise<void> {
  if ((terms.type === 'machine') !== (terms.service_account_id !== null))
    throw invalidField(
      'service_account_id',
      terms.type === 'machine' ? 'is required' : 'is only for clients of the type machine',
    )
  const resources = await findResources(tx.db)
  const missing = terms.resources.find((id) => !resources.some((one) => one.id === id))
  if (missing !== undefined) throw invalidField('resources', 'must contain ids of resources')
  if (terms.type === 'resource_server') {
    if (terms.scopes.length > 0) throw invalidField('scopes', 'are only for clients of the type machine')
    // Otherwise, an application could read the tokens of others.
    const foreign = resources.find(
      (one) => terms.resources.includes(one.id) && one.application_id !== terms.application_id,
    )
    if (foreign) throw invalidField('resources', `must belong to the application, which ${foreign.identifier} does not`)
    return
  }
  await assertMachine(tx, allowed, terms)
}

async function assertMachine(tx: Transaction, allowed: readonly string[], { service_account_id, scopes }: Terms) {
  const account = looksLikeId(service_account_id ?? '')
    ? await lockServiceAccount(tx.db, service_account_id ?? '')
    : undefined
  if (!account) throw invalidField('service_account_id', 'must be the id of a service account')
  const excess = scopes.find((scope) => !account.scopes.includes(scope))
  if (excess !== undefined)
    throw new AppError('OAUTH_SCOPE_UNKNOWN', { sentence: `The service account lacks the scope ${excess}` })
  assertScopes(allowed, scopes)
}
