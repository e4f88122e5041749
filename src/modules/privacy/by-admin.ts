import { type AdminRequest, type LockedTarget, withLockedTarget } from '../../admin/locked-target.ts'
import type { Context } from '../../context.ts'
import type { AdminAction } from '../../http/access/permissions.ts'
import { AppError } from '../../lib/errors.ts'
import { cancelDeletion } from './cancel-deletion.ts'
import type { DeletionRequest } from './deletion-queries.ts'
import type { PrivacyEventOrigin } from './history.ts'
import { scheduleDeletion } from './request-deletion.ts'
import { startExport } from './request-export.ts'

export const requestDeletionByAdmin = (
  ctx: Context,
  request: AdminRequest,
  reason: string | undefined,
): Promise<DeletionRequest> =>
  forTarget(ctx, request, 'delete', ({ tx, target }, origin) => scheduleDeletion(tx, target, { ...origin, reason }))

export const cancelDeletionByAdmin = (ctx: Context, request: AdminRequest): Promise<DeletionRequest> =>
  forTarget(ctx, request, 'restore', ({ tx, target }, origin) => cancelDeletion(tx, target, origin))

/** The user receives the link by email. The administrator does not receive the data. */
export const requestExportByAdmin = (ctx: Context, request: AdminRequest): Promise<Date> =>
  forTarget(ctx, request, 'export', ({ tx, target }, origin) => startExport(tx, target, origin))

const forTarget = <Result>(
  ctx: Context,
  request: AdminRequest,
  action: AdminAction,
  work: (locked: LockedTarget, origin: PrivacyEventOrigin) => Promise<Result>,
): Promise<Result> =>
  withLockedTarget(ctx, request, async (locked) => {
    if (locked.target.deleted_at) throw new AppError('NOT_FOUND')
    await locked.allow(action)
    return work(locked, { actor: locked.actor, source: 'admin', device: request.device })
  })
