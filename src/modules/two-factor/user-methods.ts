import type { Config } from '../../config/load.ts'
import { isListed } from '../../config/user-types.ts'
import type {
  Context,
  FactorProof,
  RequestDevice,
  SecondFactorMethod,
  SessionView,
  Transaction,
  UserRow,
} from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { day } from '../../lib/time.ts'
import { lockSession } from '../../sessions/queries.ts'
import { stateOf } from '../../sessions/session.ts'
import { lockUser, type UserWithPassword } from '../../users/queries.ts'
import { looksLikeRecoveryCode } from '../../webauthn/recovery-codes.ts'
import { findRecoveryCodes } from '../../webauthn/recovery-queries.ts'
import { methodOf } from './methods/index.ts'
import type { FactorAction, FactorRequest } from './methods/method.ts'
import { findMethods, type MethodRow } from './queries.ts'

interface FactorLockInput {
  view: SessionView
  action: FactorAction
  device: RequestDevice
}

/** Until the transaction ends, no other request on any node can change the user's second factors. */
export async function lockForFactor(
  tx: Transaction,
  { view, action, device }: FactorLockInput,
): Promise<{ user: UserWithPassword; factorRequest: FactorRequest }> {
  const user = await lockUser(tx, view.user.id)
  const session = await lockSession(tx.db, view.session.id)
  if (!user || !session) throw new AppError('INVALID_SESSION')
  const state = stateOf(tx.config, session, user.user_type, tx.clock.now())
  if (state !== 'live') throw new AppError(state === 'expired' ? 'SESSION_EXPIRED' : 'INVALID_SESSION')
  // The client sent the code twice, and the first request succeeded.
  if (session.status !== view.session.status) throw new AppError('INVALID_CODE', { attemptsRemaining: 0 })
  const endsAt = session.status === 'pending' ? session.created_at.getTime() + tx.config.PARTIAL_SESSION_TTL : undefined
  const { two_factor_verified: confirmed } = session
  return { user, factorRequest: { user, sessionId: view.session.id, confirmed, action, endsAt, device } }
}

/** Enrolments still unfinished after this time are ignored. */
export const pendingLifetime = day

export async function userMethodsOf(ctx: Context, userId: string): Promise<MethodRow[]> {
  const passkeys = ctx.config.TWO_FACTOR_METHODS.includes('passkey')
  const stored = await findMethods(ctx.db, userId, {
    pendingSince: new Date(ctx.clock.now() - pendingLifetime),
    passkeys,
  })
  const recovery = await recoveryOf(ctx, userId)
  return recovery ? [...stored, recovery] : stored
}

async function recoveryOf(ctx: Context, userId: string): Promise<MethodRow | undefined> {
  const codes = await findRecoveryCodes(ctx.db, userId)
  if (!codes) return undefined
  const { remaining, ...row } = codes
  const empty = { identifier: null, status: 'active', secret: null } as const
  return { ...row, ...empty, user_id: userId, method: 'recovery', metadata: { remaining } }
}

/** Excludes recovery codes because they are only a substitute for the other methods. */
export const activeOf = (rows: readonly MethodRow[]): MethodRow[] =>
  rows.filter(({ status, method }) => status === 'active' && method !== 'recovery')

export const shownMethod = ({ id, method, identifier }: MethodRow): SecondFactorMethod => ({
  id,
  method,
  status: 'active',
  identifier: methodOf(method).masked(identifier),
})

/**
 * A sign-in in a remembered browser requires only the password. Without this check, an attacker using such a
 * session could add a factor and use it to remove the other factors.
 */
export function assertConfirmed(
  { config }: Context,
  rows: readonly MethodRow[],
  { user, confirmed }: FactorRequest,
): void {
  if (!isRequiredOf(config, user) || confirmed || activeOf(rows).length === 0) return
  throw new AppError('REAUTH_REQUIRED', { sentence: 'Please confirm your identity with a second factor' })
}

export const isRequiredOf = (config: Config, user: Pick<UserRow, 'two_factor' | 'user_type'>): boolean =>
  user.two_factor || isListed(config, config.TWO_FACTOR_REQUIRED_FOR, user.user_type)

export interface ChosenProof extends FactorProof {
  method?: string | undefined
}

/** Selects a method by id, kind or code format: for `setup`, the newest pending one, otherwise an active one. */
export function chooseMethod(
  rows: readonly MethodRow[],
  { method_id, method, code }: ChosenProof,
  action: FactorAction,
): MethodRow | undefined {
  const fitting =
    action === 'setup'
      ? rows.filter(({ status }) => status === 'pending_setup').toReversed()
      : rows.filter(({ status }) => status === 'active')
  if (method_id !== undefined) return fitting.find(({ id }) => id === method_id)
  if (method !== undefined) return fitting.find((row) => row.method === method)
  const isRecovery = looksLikeRecoveryCode(code)
  return fitting.find((row) => (row.method === 'recovery') === isRecovery)
}
