import { type LockedTarget, type Request, withLockedTarget } from '../../admin/locked-target.ts'
import type { AdminAction } from '../../admin/roles.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { cancelDeletion } from './cancel-deletion.ts'
import type { DeletionRequest } from './deletion-queries.ts'
import type { Origin } from './origin.ts'
import { scheduleDeletion } from './request-deletion.ts'
import { startExport } from './request-export.ts'

export const requestDeletionByAdmin = (
  ctx: Context,
  request: Request,
  reason: string | undefined,
): Promise<DeletionRequest> =>
  onBehalf(ctx, request, 'delete', ({ tx, target }, origin) => scheduleDeletion(tx, target, { ...origin, reason }))

export const cancelDeletionByAdmin = (ctx: Context, request: Request): Promise<DeletionRequest> =>
  onBehalf(ctx, request, 'restore', ({ tx, target }, origin) => cancelDeletion(tx, target, origin))

/** The link is mailed to the user. The administrator never sees the data. */
export const requestExportByAdmin = (ctx: Context, request: Request): Promise<Date> =>
  onBehalf(ctx, request, 'export', ({ tx, target }, origin) => startExport(tx, target, origin))

const onBehalf = <Result>(
  ctx: Context,
  request: Request,
  deed: AdminAction,
  work: (held: LockedTarget, origin: Origin) => Promise<Result>,
): Promise<Result> =>
  withLockedTarget(ctx, request, async (held) => {
    if (held.target.deleted_at) throw new AppError('NOT_FOUND')
    await held.allow(deed)
    return work(held, { actor: held.actor, source: 'admin', device: request.device })
  })
