import { type AdminRequest, withLockedTarget } from '../../../admin/locked-target.ts'
import { rightsOf } from '../../../admin/principal.ts'
import { findUserOrDeleted } from '../../../admin/queries.ts'
import type { Context, DetailsView } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { endGrants } from './end-grants.ts'
import { findClientOfAccess, listAccessOfUser } from './list-queries.ts'
import { shownAccess } from './shown-access.ts'

/** The devices of staff are visible only to users who have at least their permissions, as with sessions. */
export async function listUserGrants(ctx: Context, userId: string, viewer: { user_type: string }) {
  const user = looksLikeId(userId) ? await findUserOrDeleted(ctx, userId) : undefined
  if (!user) throw new AppError('NOT_FOUND')
  return accessOf(ctx, user.id, ctx.staff.covers(viewer.user_type, user.user_type))
}

async function accessOf(ctx: Context, userId: string, showsDevice: boolean) {
  const rows = (await listAccessOfUser(ctx.db, userId, ctx.clock.date())).map(shownAccess)
  return showsDevice
    ? rows
    : rows.map((row) => ({ ...row, grants: row.grants.map((grant) => ({ ...grant, device: '' })) }))
}

export interface UserAccess {
  applications: Awaited<ReturnType<typeof listUserGrants>>
  /** Whether the viewer may end the access. */
  endable: boolean
}

/** Undefined if the viewer may not see it. */
export async function accessDetails(
  ctx: Context,
  userId: string,
  { showsDevices, can }: DetailsView,
): Promise<UserAccess | undefined> {
  if (!can('grants:read')) return undefined
  return { applications: await accessOf(ctx, userId, showsDevices), endable: can('grants:end') }
}

/** Without a client, ends the access of all clients. The consents stay. Returns how many have ended. */
export const endUserGrants = (ctx: Context, request: AdminRequest, clientId?: string): Promise<number> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    await allow('end_sessions')
    if (!tx.staff.may(rightsOf(actor).user_type, 'grants:end')) throw new AppError('FORBIDDEN')
    const client = clientId === undefined ? undefined : await findClientOfAccess(tx.db, clientId)
    if (clientId !== undefined && !client) throw new AppError('OAUTH_CLIENT_NOT_FOUND')
    const ended = await endGrants(tx, {
      ...{ userId: target.id, clientRowId: client?.id },
      ...{ reason: 'ended_by_admin', actor, device: request.device },
    })
    return ended.length
  })
