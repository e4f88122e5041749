import { type AdminRequest, withLockedTarget } from '../../admin/locked-target.ts'
import { findUserOrDeleted } from '../../admin/queries.ts'
import type { Context, DetailsView } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { revokeKeys } from './change-keys.ts'
import { listKeys } from './key-queries.ts'
import { type ShownKey, shownKey } from './shapes.ts'

/** The addresses of staff are visible only to users who have at least their permissions, as with sessions. */
export async function listUserKeys(ctx: Context, userId: string, viewer: { user_type: string }) {
  const user = looksLikeId(userId) ? await findUserOrDeleted(ctx, userId) : undefined
  if (!user) throw new AppError('NOT_FOUND')
  return keysOf(ctx, user.id, ctx.staff.covers(viewer.user_type, user.user_type))
}

async function keysOf(ctx: Context, userId: string, showsAddress: boolean): Promise<ShownKey[]> {
  const now = ctx.clock.date()
  const rows = await listKeys(ctx.db, { userId, accountId: null }, now)
  return rows.map((row) => shownKey(showsAddress ? row : { ...row, last_used_ip: null }, now))
}

export interface UserKeys {
  keys: ShownKey[]
  /** Whether the viewer may revoke them. */
  revocable: boolean
}

/** Undefined if the viewer may not see keys. Hides addresses if the viewer may not see the user's devices. */
export async function keyDetails(
  ctx: Context,
  userId: string,
  { showsDevices, can }: DetailsView,
): Promise<UserKeys | undefined> {
  if (!can('service_accounts:read')) return undefined
  return { keys: await keysOf(ctx, userId, showsDevices), revocable: can('keys:manage') }
}

/** Without ids, revokes all keys of the user. Returns the number of revoked keys. */
export const revokeUserKeys = (ctx: Context, request: AdminRequest, ids?: readonly string[]): Promise<number> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    await allow('end_sessions')
    const holder = { userId: target.id, accountId: null }
    return revokeKeys(tx, { holder, actor, device: request.device, reason: 'revoked_by_admin', ids })
  })
