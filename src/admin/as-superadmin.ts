import type { Context, SessionView, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { isSuperadmin } from '../http/access/permissions.ts'
import { AppError } from '../lib/errors.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { recordingDenial } from './locked-target.ts'
import { type Actor, lockPrincipal, type Principal, rightsOf } from './principal.ts'

/** `session` is undefined on the command line. */
export interface SuperadminRequest {
  principal: Principal
  session?: Pick<SessionView, 'session'> | undefined
}

/** For changes that concern all users. Requires a superadmin with recent authentication. Denials are audited. */
export function asSuperadmin<Result>(
  ctx: Context,
  { principal, session }: SuperadminRequest,
  deed: string,
  work: (tx: Transaction, actor: Actor) => Promise<Result>,
): Promise<Result> {
  if (session) assertRecentProof(ctx, session)
  const { actor: asking, device } = principal
  return recordingDenial(ctx, { actor: asking, device, details: () => ({ deed }) }, () =>
    transact(ctx, async (tx) => {
      const actor = await lockPrincipal(tx, principal)
      if (!isSuperadmin(rightsOf(actor))) throw new AppError('FORBIDDEN')
      return work(tx, actor)
    }),
  )
}
