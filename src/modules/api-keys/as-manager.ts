import { recordingDenial } from '../../admin/locked-target.ts'
import { type Actor, lockPrincipal, type Principal, rightsOf } from '../../admin/principal.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { assertRecentProof } from '../../sessions/session.ts'
import { type AccountRow, findEpoch, lockServiceAccount } from './account-queries.ts'
import type { keyAuditEvents } from './names.ts'
import { givableScopes } from './scopes.ts'

/** `session` is undefined on the command line. */
export interface ManagerRequest {
  principal: Principal
  session?: Pick<SessionView, 'session'> | undefined
}

export interface Managing {
  tx: Transaction
  actor: Actor
  /** The scopes that the actor may give. */
  allowed: readonly string[]
  audit(event: (typeof keyAuditEvents)[number], details: Record<string, unknown>): Promise<void>
}

/** The actor, its role and these users are locked, so no permission can be lost before the commit. */
export function asManager<Result>(
  ctx: Context,
  { principal, session }: ManagerRequest,
  { deed, users = [] }: { deed: string; users?: readonly string[] },
  work: (managing: Managing) => Promise<Result>,
): Promise<Result> {
  if (session) assertRecentProof(ctx, session)
  const { actor: asking, device } = principal
  return recordingDenial(ctx, { actor: asking, device, details: () => ({ deed }) }, () =>
    transact(ctx, async (tx) => {
      const actor = await lockPrincipal(tx, principal, ...users)
      const rights = rightsOf(actor)
      await tx.staff.hold(tx.db, rights.user_type)
      if (!tx.staff.may(rights.user_type, 'keys:manage')) throw new AppError('FORBIDDEN')
      const audit: Managing['audit'] = (event, details) => recordAudit(tx, { event, actor, device, details })
      const allowed = await givableScopes(tx, { id: actor.id, user_type: rights.user_type })
      return work({ tx, actor, allowed, audit })
    }),
  )
}

/** Nodes learn of the change after the commit, even if it was made by a trigger. */
export function withAccount<Result>(
  ctx: Context,
  request: ManagerRequest & { id: string },
  attempt: { deed: string; users?: readonly string[] },
  work: (managing: Managing & { account: AccountRow }) => Promise<Result>,
): Promise<Result> {
  return asManager(ctx, request, attempt, async (managing) => {
    const { tx } = managing
    const account = looksLikeId(request.id) ? await lockServiceAccount(tx.db, request.id) : undefined
    if (!account) throw new AppError('NOT_FOUND')
    const audit: Managing['audit'] = (event, details) =>
      managing.audit(event, { service_account: account.id, name: account.name, ...details })
    const result = await work({ ...managing, audit, account })
    await invalidateAccount(tx, account)
    return result
  })
}

export async function invalidateAccount(tx: Transaction, { id, epoch }: { id: string; epoch: number }): Promise<void> {
  const raised = await findEpoch(tx.db, id)
  if (raised > Number(epoch)) tx.after(() => tx.sessions.invalidate(id, raised))
}
