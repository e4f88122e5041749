import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { deviceOf } from '../http/access/device.ts'
import { type AdminAction, denialReason, endsRole, isSuperadmin } from '../http/access/permissions.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { isLastSuperadmin } from '../sign-in-methods/last-superadmin.ts'
import { type Actor, lockPrincipal, type Principal, rightsOf, type SignedInAdmin } from './principal.ts'
import { findUserOrDeleted, type UserOrDeleted } from './queries.ts'

export type AdminRequest = Principal & { targetId: string }

export type SignedInRequest = SignedInAdmin & { targetId: string }

export interface LockedTarget {
  tx: Transaction
  actor: Actor
  target: UserOrDeleted
  /** Throws FORBIDDEN or LAST_SUPERADMIN. */
  allow(action: AdminAction, to?: string): Promise<void>
}

/** Locks the actor and the target so that permissions cannot change before the commit. Denials are audited. */
export function withLockedTarget<Result>(
  ctx: Context,
  request: AdminRequest,
  work: (locked: LockedTarget) => Promise<Result>,
): Promise<Result> {
  const { actor: asking, targetId, device } = request
  if (!looksLikeId(targetId)) throw new AppError('NOT_FOUND')
  let requested: AdminAction | undefined
  const decideAndChange = async (tx: Transaction): Promise<Result> => {
    const actor = await lockPrincipal(tx, request, targetId)
    const target = await findUserOrDeleted(tx, targetId)
    if (!target) throw new AppError('NOT_FOUND')
    const allow = async (action: AdminAction, to?: string) => {
      requested = action
      const mayBeLast = endsRole(action) && isSuperadmin(target) && !target.deleted_at
      const isLast = mayBeLast && (await isLastSuperadmin(tx, target.id))
      const rejection = denialReason(ctx.staff, rightsOf(actor), target, { action, to, isLastSuperadmin: isLast })
      if (rejection) throw new AppError(rejection)
    }
    return work({ tx, actor, target, allow })
  }
  const details = () => ({ deed: requested })
  return recordingDenial(ctx, { actor: asking, target: targetId, device, details }, () =>
    transact(ctx, decideAndChange),
  )
}

interface Attempt {
  actor: Actor
  target?: string
  device: RequestDevice | undefined
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
    // The HTTP server records REAUTH_REQUIRED for all routes.
    if (error instanceof AppError && error.status === 403 && error.code !== 'REAUTH_REQUIRED') {
      const denied = { event: 'authz_denied', outcome: 'failure', ...about } as const
      const recording = recordAudit(ctx, { ...denied, details: { ...details(), code: error.code } })
      // If the denial cannot be recorded, the error is only logged, and the caller still receives the denial.
      await recording.catch((err) => ctx.log.error({ err }, 'could not record a rejection in the audit trail'))
    }
    throw error
  }
}

export const signedInAdmin = (request: FastifyRequest): SignedInAdmin => ({
  actor: request.auth.user,
  sessionId: request.auth.session.id,
  device: deviceOf(request),
})

export const aboutUser = (request: FastifyRequest, { user_id }: { user_id: string }): SignedInRequest => ({
  ...signedInAdmin(request),
  targetId: user_id,
})
