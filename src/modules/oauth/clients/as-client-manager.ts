import { asStaff, type StaffRequest } from '../../../admin/as-staff.ts'
import { rightsOf } from '../../../admin/principal.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { StaffPermission } from '../../../config/staff-permissions.ts'
import type { Context, Transaction } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { lockServiceAccount } from '../../api-keys/account-queries.ts'
import { givableScopes } from '../../api-keys/scopes.ts'
import { invalidateDirectory } from '../directory.ts'
import { findDirectoryVersion } from '../directory-queries.ts'
import type { oauthAuditEvents } from '../names.ts'
import { type ClientRow, findClient, findClientEpoch, lockClient } from './queries.ts'

export type ClientRequest = StaffRequest & { clientId: string }

export interface ClientManager {
  tx: Transaction
  /** The scopes that the actor may give. */
  allowed: readonly string[]
  audit(event: (typeof oauthAuditEvents)[number], details: Record<string, unknown>): Promise<void>
}

interface Attempt {
  deed: string
  permission?: StaffPermission
  /** The id of the service account that the client is to have. */
  accountId?: string | undefined
}

/** Requires the permission and a recent authentication. */
export const asClientManager = <Result>(
  ctx: Context,
  request: StaffRequest,
  { deed, permission = 'applications:manage' }: Attempt,
  work: (managing: ClientManager) => Promise<Result>,
): Promise<Result> =>
  asStaff(ctx, request, { permission, deed }, async (tx, actor) => {
    const { user_type } = rightsOf(actor)
    await tx.staff.hold(tx.db, user_type)
    const { device } = request.principal
    const audit: ClientManager['audit'] = (event, details) => recordAudit(tx, { event, actor, device, details })
    const result = await work({ tx, audit, allowed: await givableScopes(tx, { id: actor.id, user_type }) })
    // A trigger raises it if the client's origins change.
    const version = await findDirectoryVersion(tx.db)
    tx.after(() => invalidateDirectory(tx, version))
    return result
  })

/** Nodes learn of the change after the commit, even if it was made by a trigger. */
export const withClient = <Result>(
  ctx: Context,
  request: ClientRequest,
  attempt: Attempt,
  work: (managing: ClientManager & { client: ClientRow }) => Promise<Result>,
): Promise<Result> =>
  asClientManager(ctx, request, attempt, async (managing) => {
    const { tx } = managing
    const client = await lockWithAccounts(tx, request.clientId, attempt.accountId)
    const audit: ClientManager['audit'] = (event, details) =>
      managing.audit(event, { client: client.client_id, name: client.name, ...details })
    const result = await work({ ...managing, audit, client })
    const epoch = await findClientEpoch(tx.db, client.id)
    if (epoch > Number(client.epoch)) tx.after(() => tx.sessions.invalidate(client.id, epoch))
    return result
  })

/** Accounts are locked before clients, as by the trigger that ends the tokens of an account's clients. */
async function lockWithAccounts(tx: Transaction, clientId: string, accountId: string | undefined): Promise<ClientRow> {
  const accounts = [(await findClient(tx.db, clientId))?.service_account_id, accountId]
  for (const id of new Set(accounts.filter((one) => typeof one === 'string' && looksLikeId(one)).toSorted()))
    await lockServiceAccount(tx.db, id ?? '')
  const client = await lockClient(tx.db, clientId)
  if (!client) throw new AppError('OAUTH_CLIENT_NOT_FOUND')
  return client
}
