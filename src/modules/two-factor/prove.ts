import { recordAudit } from '../../audit/record.ts'
import type { Context, FactorProof, RequestDevice, SessionView, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError, limitEnd } from '../../lib/errors.ts'
import { keyedHashBytes } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import { type CodeCharge, chargeCode, guesses } from '../../one-time-tokens/code-counter.ts'
import { findUsable, insertToken } from '../../one-time-tokens/queries.ts'
import { chargeWrongCode } from '../../sessions/end-sessions.ts'
import type { UserWithPassword } from '../../users/queries.ts'
import { methodOf } from './methods/index.ts'
import type { CheckResult, FactorAction, FactorRequest } from './methods/method.ts'
import { type MethodRow, recordMethodUse } from './queries.ts'
import { type ChosenProof, chooseMethod, lockForFactor, userMethodsOf } from './user-methods.ts'

interface FactorAttempt {
  view: SessionView
  action: FactorAction
  proof: ChosenProof
  device: RequestDevice
  /** Returns the methods that are accepted. Throws if the request specifies another method. */
  among?: (rows: readonly MethodRow[]) => readonly MethodRow[]
}

export interface ProvenFactor {
  user: UserWithPassword
  row: MethodRow
  rows: readonly MethodRow[]
  factorRequest: FactorRequest
}

/** Uses one transaction so that an internal error consumes neither the code nor an attempt. */
export async function proveFactor<Result>(
  ctx: Context,
  attempt: FactorAttempt,
  effect: (tx: Transaction, proven: ProvenFactor) => Promise<Result>,
): Promise<Result> {
  const outcome = await transact(ctx, async (tx) => {
    const { user, factorRequest } = await lockForFactor(tx, attempt)
    const rows = await userMethodsOf(tx, user.id)
    const row = findRow(attempt, rows)
    methodOf(row.method).assertForm(attempt.proof)
    const charge = await chargeCode(tx, 'two_factor', user.id)
    // The error is thrown after the commit because the failure must be counted.
    if (charge.isOver) return { refused: await tooMany(tx, row, factorRequest, charge) }
    // A repeated code or response is not checked again, so nothing is revealed or consumed.
    if (await hasPromoted(tx, factorRequest, attempt.proof))
      return { refused: await repeated(tx, row, factorRequest, charge) }
    const verdict = await methodOf(row.method).check(tx, row, factorRequest, attempt.proof)
    if (!verdict.right) return { refused: await wrong(tx, attempt.view, { row, factorRequest, charge, verdict }) }
    await charge.refund()
    await record(tx, { event: 'mfa_success' }, row, factorRequest)
    await recordMethodUse(tx.db, row.id, ctx.clock.date())
    await methodOf(row.method).taken?.(tx, row, factorRequest)
    return { result: await effect(tx, { user, row, rows, factorRequest }) }
  })
  if ('refused' in outcome) throw outcome.refused
  return outcome.result
}

function findRow({ proof, action, among }: FactorAttempt, rows: readonly MethodRow[]): MethodRow {
  const row = chooseMethod(among?.(rows) ?? rows, proof, action)
  if (row) return row
  throw new AppError(proof.method_id || proof.method || action === 'setup' ? 'NOT_FOUND' : 'TWO_FACTOR_NO_METHOD')
}

async function tooMany(tx: Transaction, row: MethodRow, factorRequest: FactorRequest, charge: CodeCharge) {
  await record(tx, { event: 'mfa_fail', reason: 'throttled' }, row, factorRequest)
  const now = tx.clock.now()
  const { retryAfter, resetsAt } = limitEnd(now, charge.windowEndsAt.getTime() - now)
  return new AppError('RATE_LIMITED', { retryAfter, limit: { limit: guesses.perAccount, remaining: 0, resetsAt } })
}

async function repeated(tx: Transaction, row: MethodRow, factorRequest: FactorRequest, charge: CodeCharge) {
  await charge.refund()
  await record(tx, { event: 'mfa_fail', reason: 'repeated' }, row, factorRequest)
  return new AppError('INVALID_CODE', { attemptsRemaining: charge.left + 1 })
}

interface WrongProof {
  row: MethodRow
  factorRequest: FactorRequest
  charge: CodeCharge
  verdict: CheckResult
}

async function wrong(tx: Transaction, view: SessionView, { row, factorRequest, charge, verdict }: WrongProof) {
  await record(tx, { event: 'mfa_fail', reason: verdict.reason }, row, factorRequest)
  const ofPartial =
    factorRequest.endsAt === undefined ? charge.left : await chargeWrongCode(tx, view, factorRequest.device)
  return new AppError('INVALID_CODE', {
    attemptsRemaining: Math.min(charge.left, ofPartial, verdict.left ?? charge.left),
  })
}

const record = (
  tx: Transaction,
  { event, reason }: { event: 'mfa_success' | 'mfa_fail'; reason?: string | undefined },
  { method }: MethodRow,
  { user, sessionId, action, device }: FactorRequest,
): Promise<void> =>
  recordAudit(tx, {
    event,
    outcome: event === 'mfa_fail' ? 'failure' : 'success',
    actor: user,
    target: user.id,
    device,
    details: { method, action, session: sessionId, reason },
  })

const purpose = 'two_factor_promotion'

/** Stores the hash of the code or response for as long as a partial session can last. */
export async function notePromotion(ctx: Context, { user, sessionId }: FactorRequest, proof: FactorProof) {
  const now = ctx.clock.now()
  await insertToken(ctx.db, {
    id: newId(),
    purpose,
    secret_hash: hashOf(ctx, sessionId, proof),
    user_id: user.id,
    target: sessionId,
    created_at: new Date(now),
    expires_at: new Date(now + ctx.config.PARTIAL_SESSION_TTL),
  })
}

/** Repeating the request that completed this session does not count as a wrong attempt. */
async function hasPromoted(ctx: Context, { sessionId }: FactorRequest, proof: FactorProof): Promise<boolean> {
  const now = ctx.clock.date()
  return (await findUsable(ctx.db, purpose, hashOf(ctx, sessionId, proof), now)) !== undefined
}

const hashOf = ({ config }: Context, sessionId: string, { code, response }: FactorProof): Buffer =>
  keyedHashBytes(config.AUTH_SECRET, 'promoting-proof', `${sessionId}.${code ?? JSON.stringify(response)}`)
