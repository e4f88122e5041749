import type { StaffPermission } from '../config/staff-permissions.ts'
import type { Context, SessionView, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { recordingDenial } from './locked-target.ts'
import { type Actor, lockPrincipal, type Principal, rightsOf } from './principal.ts'

/** `session` is undefined on the command line. */
export interface StaffRequest {
  principal: Principal
  session?: Pick<SessionView, 'session'> | undefined
}

/** `deed` names the attempt in the audit trail. */
interface Attempt {
  permission: StaffPermission
  deed: string
}

/** For changes that concern all users. Requires the permission and a recent authentication. Denials are audited. */
export function asStaff<Result>(
  ctx: Context,
  { principal, session }: StaffRequest,
  { permission, deed }: Attempt,
  work: (tx: Transaction, actor: Actor) => Promise<Result>,
): Promise<Result> {
  if (session) assertRecentProof(ctx, session)
  const { actor: asking, device } = principal
  return recordingDenial(ctx, { actor: asking, device, details: () => ({ deed }) }, () =>
    transact(ctx, async (tx) => {
      const actor = await lockPrincipal(tx, principal)
      if (!ctx.staff.may(rightsOf(actor).user_type, permission)) throw new AppError('FORBIDDEN')
      return work(tx, actor)
    }),
  )
}
