import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { deviceOf } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { isLiveSession } from '../sessions/queries.ts'
import { findUser, isLastSuperadmin, lockUsers } from '../users/queries.ts'
import { type AdminAction, denialReason, endsRole, isSuperadmin } from './permissions.ts'
import { findUserOrDeleted, type UserOrDeleted } from './queries.ts'

export interface AdminRequest {
  actor: UserRow
  /** The actor's session. The request is refused if this session has ended in the meantime. */
  sessionId: string
  targetId: string
  device: RequestDevice
}

export interface LockedTarget {
  tx: Transaction
  actor: UserRow
  target: UserOrDeleted
  /** Throws FORBIDDEN or LAST_SUPERADMIN. */
  allow(action: AdminAction, to?: string): Promise<void>
}

/** Locks actor and target, so that permissions cannot change before the commit. A refusal writes an audit event. */
export function withLockedTarget<Result>(
  ctx: Context,
  request: AdminRequest,
  work: (locked: LockedTarget) => Promise<Result>,
): Promise<Result> {
  const { actor: asking, sessionId, targetId, device } = request
  if (!looksLikeId(targetId)) throw new AppError('NOT_FOUND')
  let requested: AdminAction | undefined
  const decideAndChange = async (tx: Transaction): Promise<Result> => {
    await lockUsers(tx.db, [asking.id, targetId])
    const actor = await findUser(tx, asking.id)
    if (!actor || !(await isLiveSession(tx.db, sessionId))) throw new AppError('INVALID_SESSION')
    const target = await findUserOrDeleted(tx, targetId)
    if (!target) throw new AppError('NOT_FOUND')
    const allow = async (action: AdminAction, to?: string) => {
      requested = action
      const mayBeLast = endsRole(action) && isSuperadmin(target) && !target.deleted_at
      const isLast = mayBeLast && (await isLastSuperadmin(tx.db, target.id))
      const refusal = denialReason(actor, target, action, { ...(to && { to }), isLastSuperadmin: isLast })
      if (refusal) throw new AppError(refusal)
    }
    return work({ tx, actor, target, allow })
  }
  const details = () => ({ deed: requested })
  return recordingDenial(ctx, { actor: asking, target: targetId, device, details }, () =>
    transact(ctx, decideAndChange),
  )
}

interface Attempt {
  actor: UserRow
  target?: string
  device: RequestDevice
  details: () => Record<string, unknown>
}

export async function recordingDenial<Result>(
  ctx: Context,
  { details, ...about }: Attempt,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.status === 403) {
      const denied = { event: 'authz_denied', outcome: 'failure', ...about } as const
      await recordAudit(ctx, { ...denied, details: { ...details(), code: error.code } })
    }
    throw error
  }
}

export const aboutUser = (request: FastifyRequest, { user_id }: { user_id: string }): AdminRequest => ({
  actor: request.auth.user,
  sessionId: request.auth.session.id,
  targetId: user_id,
  device: deviceOf(request),
})
