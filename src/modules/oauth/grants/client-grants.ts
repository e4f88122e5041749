import { asStaff, type StaffRequest } from '../../../admin/as-staff.ts'
import { type Actor, rightsOf } from '../../../admin/principal.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context, Transaction } from '../../../context.ts'
import { inWords } from '../../../http/access/device.ts'
import { AppError } from '../../../lib/errors.ts'
import { type PageRequest, paginationOf } from '../../../lib/paging.ts'
import { iso } from '../../../lib/time.ts'
import { existingUserTypes } from '../../../users/fields.ts'
import { findClient } from '../clients/queries.ts'
import { type ClientGrantRow, countGrantsOfClient, endGrantsOf, listGrantsOfClient } from './admin-queries.ts'

const batch = 1_000
const reason = 'ended_by_admin'

/** The devices of staff are visible only to users who have at least their permissions, as with sessions. */
export async function listClientGrants(
  ctx: Context,
  clientId: string,
  page: PageRequest,
  viewer: { user_type: string },
) {
  const client = await findClient(ctx.db, clientId)
  if (!client) throw new AppError('OAUTH_CLIENT_NOT_FOUND')
  const now = ctx.clock.date()
  const rows = await listGrantsOfClient(ctx.db, client.id, now, page)
  const shown = (row: ClientGrantRow) => ({
    ...{ id: row.id, user: { id: row.user_id, email: row.email }, scopes: row.scopes, offline: row.is_offline },
    ...{ created_at: iso(row.created_at), last_used_at: iso(row.last_used_at) },
    device: ctx.staff.covers(viewer.user_type, row.user_type) ? inWords(row.user_agent) : '',
  })
  return { grants: rows.map(shown), pagination: paginationOf(page, await countGrantsOfClient(ctx.db, client.id, now)) }
}

/** Ends all access to the client in batches with separate transactions. Returns how many have ended, and how many stay. */
export async function endClientGrants(
  ctx: Context,
  { session, ...request }: StaffRequest & { clientId: string },
): Promise<{ ended: number; kept: number }> {
  const attempt = { permission: 'grants:end', deed: 'end_grants' } as const
  for (let ended = 0; ; ) {
    // Only at the beginning: otherwise the time could run out between two batches.
    const proof = ended === 0 ? { session } : {}
    const last = await asStaff(ctx, { ...request, ...proof }, attempt, (tx, actor) => endBatch(tx, actor, request))
    ended += last.ended
    if (last.ended < batch) return { ended, kept: last.kept }
  }
}

async function endBatch(tx: Transaction, actor: Actor, { principal, clientId }: StaffRequest & { clientId: string }) {
  const client = await findClient(tx.db, clientId)
  if (!client) throw new AppError('OAUTH_CLIENT_NOT_FOUND')
  const own = rightsOf(actor).user_type
  // Administrators do not act on staff with permissions that they lack.
  const exceptTypes = existingUserTypes(tx).filter((type) => !tx.staff.covers(own, type))
  const now = tx.clock.date()
  const ended = await endGrantsOf(tx.db, { clientRowId: client.id, exceptTypes, now, reason, limit: batch })
  for (const { id, epoch } of ended) tx.after(({ sessions }) => sessions.invalidate(id, epoch))
  const details = { client: client.client_id, name: client.name, reason, grants: ended.map(({ id }) => id) }
  if (ended.length > 0) await recordAudit(tx, { event: 'oauth_grant_ended', actor, device: principal.device, details })
  return { ended: ended.length, kept: await countGrantsOfClient(tx.db, client.id, now) }
}
