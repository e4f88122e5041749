import { recordAudit } from '../../audit/record.ts'
import type { Context, Device, SessionView } from '../../context.ts'
import { type Transaction, transact } from '../../db/transact.ts'
import { AppError, limitEnd } from '../../lib/errors.ts'
import { type CodeCharge, chargeCode, guesses } from '../../secrets/code-counter.ts'
import { chargeWrongCode } from '../../sessions/end-sessions.ts'
import type { UserWithPassword } from '../../users/queries.ts'
import { chooseMethod, type Named } from './choose-method.ts'
import { methodsOf } from './find-methods.ts'
import { hold } from './hold.ts'
import { methodOf } from './methods/index.ts'
import type { Action, Occasion, Verdict } from './methods/method.ts'
import { hasPromoted } from './promoting-proof.ts'
import { type MethodRow, noteUse } from './queries.ts'

export interface Attempt {
  view: SessionView
  action: Action
  proof: Named
  device: Device
  /** Which of the user's methods may prove it; all when absent. Throws for one that is named and may not. */
  among?: (rows: readonly MethodRow[]) => readonly MethodRow[]
}

export interface Proven {
  user: UserWithPassword
  /** The method that was right. */
  row: MethodRow
  rows: readonly MethodRow[]
  occasion: Occasion
}

/**
 * Looks at a second factor and, when it is right, does what it was shown for, all in one transaction: a failure of ours
 * spends neither the code nor a try. A wrong one is counted for the code, for the partial session and for the account.
 */
export async function prove<Result>(
  ctx: Context,
  attempt: Attempt,
  effect: (tx: Transaction, proven: Proven) => Promise<Result>,
): Promise<Result> {
  const outcome = await transact(ctx.db, async (tx) => {
    const { user, occasion } = await hold(ctx, tx, attempt)
    const rows = await methodsOf(ctx, tx.db, user.id)
    const row = findRow(attempt, rows)
    methodOf(row.method).assertForm(attempt.proof)
    const charge = await chargeCode(ctx, tx.db, 'two_factor', user.id)
    // Refused only once it is committed: what was wrong is counted.
    if (charge.isOver) return { refused: await tooMany(ctx, tx, row, occasion, charge) }
    // Not looked at again, so that it tells nothing and spends nothing.
    if (await hasPromoted(ctx, tx.db, occasion, attempt.proof))
      return { refused: await repeated(ctx, tx, row, occasion, charge) }
    const verdict = await methodOf(row.method).check(ctx, tx.db, row, occasion, attempt.proof)
    if (!verdict.right) return { refused: await wrong(ctx, tx, attempt.view, { row, occasion, charge, verdict }) }
    await charge.refund()
    await record(ctx, tx, 'mfa_success', row, occasion)
    await noteUse(tx.db, row.id, new Date(ctx.clock.now()))
    await methodOf(row.method).taken?.(ctx, tx, row, occasion)
    return { result: await effect(tx, { user, row, rows, occasion }) }
  })
  if ('refused' in outcome) throw outcome.refused
  return outcome.result
}

function findRow({ proof, action, among }: Attempt, rows: readonly MethodRow[]): MethodRow {
  const row = chooseMethod(among?.(rows) ?? rows, proof, action)
  if (row) return row
  throw new AppError(proof.method_id || proof.method || action === 'setup' ? 'NOT_FOUND' : 'TWO_FACTOR_NO_METHOD')
}

async function tooMany(ctx: Context, tx: Transaction, row: MethodRow, occasion: Occasion, charge: CodeCharge) {
  await record(ctx, tx, 'mfa_fail', row, occasion, { reason: 'throttled' })
  const now = ctx.clock.now()
  const { retryAfter, resetsAt } = limitEnd(now, charge.windowEndsAt.getTime() - now)
  return new AppError('RATE_LIMITED', { retryAfter, limit: { limit: guesses.perAccount, remaining: 0, resetsAt } })
}

async function repeated(ctx: Context, tx: Transaction, row: MethodRow, occasion: Occasion, charge: CodeCharge) {
  await charge.refund()
  await record(ctx, tx, 'mfa_fail', row, occasion, { reason: 'repeated' })
  return new AppError('INVALID_CODE', { attemptsRemaining: charge.left + 1 })
}

interface Wrong {
  row: MethodRow
  occasion: Occasion
  charge: CodeCharge
  verdict: Verdict
}

async function wrong(ctx: Context, tx: Transaction, view: SessionView, { row, occasion, charge, verdict }: Wrong) {
  await record(ctx, tx, 'mfa_fail', row, occasion, { ...(verdict.reason && { reason: verdict.reason }) })
  const ofPartial = occasion.endsAt === undefined ? charge.left : await chargeWrongCode(ctx, tx, view, occasion.device)
  return new AppError('INVALID_CODE', {
    attemptsRemaining: Math.min(charge.left, ofPartial, verdict.left ?? charge.left),
  })
}

const record = (
  ctx: Context,
  { db }: Transaction,
  event: 'mfa_success' | 'mfa_fail',
  { method }: MethodRow,
  { user, sessionId, action, device }: Occasion,
  more: Record<string, unknown> = {},
): Promise<void> =>
  recordAudit(ctx, db, {
    event,
    outcome: event === 'mfa_fail' ? 'failure' : 'success',
    actor: user,
    target: user.id,
    device,
    details: { method, action, session: sessionId, ...more },
  })
