import { recordAudit } from '../audit/record.ts'
import type { Context, FactorProof, RequestDevice, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { invalidateSessions } from '../sessions/end-sessions.ts'
import { noteProof } from '../sessions/queries.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { findUserWithPassword, lockUser } from '../users/queries.ts'
import { assertCurrentPassword } from './check-current.ts'
import { assertSamePassword, untilHashStays } from './hash.ts'

interface Proof extends SignInDevice {
  view: SessionView
  password: string
}

/** Rejects requests with several credentials because only one of them would be checked. */
export function assertOneProof(password: string | undefined, { code, response }: FactorProof): void {
  const input = [password, code, response].filter((proof) => proof !== undefined)
  if (input.length > 1) throw invalidField('password', 'must not be combined with code or response')
}

/** Returns the time until which the authentication counts as recent, in milliseconds since the Unix epoch. */
export const reauthenticate = (ctx: Context, proof: Proof): Promise<number> => untilHashStays(() => attempt(ctx, proof))

export async function reauthenticateByFactor(
  ctx: Context,
  view: SessionView,
  factor: FactorProof,
  device: RequestDevice,
): Promise<number> {
  if (factor.code === undefined && factor.response === undefined)
    throw invalidField('password', 'is required, or the code of a second factor')
  await ctx.secondFactor.reauthenticate(view, factor, device)
  return ctx.clock.now() + ctx.config.REAUTH_WINDOW
}

async function attempt(ctx: Context, { view, password, ...from }: Proof): Promise<number> {
  const user = await findUserWithPassword(ctx, view.user.id)
  if (!user) throw new AppError('INVALID_SESSION')
  if (user.password_hash === null) throw new AppError('REAUTH_REQUIRED')
  await assertCurrentPassword(ctx, user, password, from, 'password')
  const now = ctx.clock.now()
  await transact(ctx, async (tx) => {
    const present = await lockUser(tx, user.id)
    if (!present) throw new AppError('INVALID_SESSION')
    assertSamePassword(present, user, 'INVALID_CURRENT_PASSWORD')
    if (!(await noteProof(tx.db, view.session.id, new Date(now)))) throw new AppError('INVALID_SESSION')
    await invalidateSessions(tx, user.id)
    const { device } = from
    await recordAudit(tx, { event: 'reauth_success', actor: user, target: user.id, device })
  })
  return now + ctx.config.REAUTH_WINDOW
}
