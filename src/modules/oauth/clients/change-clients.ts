import type { StaffRequest } from '../../../admin/as-staff.ts'
import type { Context } from '../../../context.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { assertUnchanged, laterThan } from '../../../lib/expected-version.ts'
import { looksLikeId, newId } from '../../../lib/ids.ts'
import { timeField } from '../../../lib/time-field.ts'
import { changesOf } from '../changes.ts'
import { findLiveApplication } from '../resources/queries.ts'
import type { ClientAuthMethod, ClientType } from '../rows.ts'
import { asClientManager, type ClientRequest, withClient } from './as-client-manager.ts'
import { assertTerms } from './assert-terms.ts'
import { countClients, insertClient, isClientIdTaken, updateClient } from './queries.ts'
import { type ClientInput, readClient } from './read-input.ts'
import { addSecret } from './secrets.ts'
import { authMethodOf, isUserClient, readSignInRules, signInDefaults } from './sign-in-input.ts'

const maxClients = 10_000

export interface CreatedClient {
  clientId: string
  /** Cannot be read again. Undefined if the administrator brought it along, and for clients without a secret. */
  secret: string | undefined
}

export const createClient = (ctx: Context, request: StaffRequest, input: ClientInput): Promise<CreatedClient> => {
  const { secret: brought, ...read } = readClient(input)
  const { type = 'machine' } = read
  const auth_method = authMethodOf(type)
  assertAuthentication(input, { type, auth_method })
  return asClientManager(ctx, request, { deed: 'create_oauth_client' }, async (managing) => {
    const { tx, audit } = managing
    const id = newId()
    const { application_id = '', client_id = newId(), name = client_id } = read
    const { service_account_id = null, scopes = [], resources = [], access_ttl = null, is_enabled = true } = read
    const signIn = { ...signInDefaults(type), ...withoutAbsent(readSignInRules(tx, input, type)) }
    const identity = { application_id, client_id, type, name, service_account_id }
    const terms = { ...identity, scopes, resources, access_ttl, is_enabled, ...signIn }
    // Locks the service account, which comes before the application.
    await assertTerms(managing, terms)
    if (!looksLikeId(application_id) || !(await findLiveApplication(tx.db, application_id)))
      throw invalidField('application_id', 'must be the id of an application')
    if ((await countClients(tx.db)) >= maxClients)
      throw invalidField('name', `is one too many: there can be ${maxClients} clients`)
    if (await isClientIdTaken(tx.db, client_id)) throw new AppError('OAUTH_CLIENT_ID_TAKEN')
    const now = tx.clock.date()
    const grant_types = grantTypesOf(type)
    await insertClient(tx.db, { id, ...terms, auth_method, grant_types, created_at: now, updated_at: now })
    const added = auth_method === 'none' ? undefined : await addSecret(tx, id, brought)
    await audit('oauth_client_created', { client: client_id, ...terms, ...(added && { secret_hint: added.hint }) })
    return { clientId: client_id, secret: brought === undefined ? added?.secret : undefined }
  })
}

const grantTypesOf = (type: ClientType): string[] => {
  if (isUserClient(type)) return ['authorization_code', 'refresh_token']
  return type === 'machine' ? ['client_credentials'] : []
}

/** The type determines how a client authenticates, so that no program on a user's device gets a secret. */
function assertAuthentication(
  { auth_method, secret }: ClientInput,
  needed: { type: ClientType; auth_method: ClientAuthMethod },
): void {
  if (auth_method !== undefined && auth_method !== needed.auth_method)
    throw invalidField('auth_method', `must be ${needed.auth_method} for clients of the type ${needed.type}`)
  if (secret !== undefined && needed.auth_method === 'none')
    throw invalidField('secret', `is not for clients of the type ${needed.type}, which have no secret`)
}

const withoutAbsent = <Columns extends object>(columns: Columns) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Columns]?: Exclude<Columns[Name], undefined>
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
      assertAuthentication(input, client)
      const { changed, before, after, columns } = changesOf(client, {
        ...read,
        ...readSignInRules(tx, input, client.type),
      })
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
