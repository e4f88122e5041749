import type { RequestDevice, SessionView, Transaction } from '../../context.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { lockSession } from '../../sessions/queries.ts'
import { stateOf } from '../../sessions/session.ts'
import { lockUser, type UserWithPassword } from '../../users/queries.ts'
import { actions, type FactorAction, type FactorRequest, type WantedAction } from './methods/method.ts'

export function factorActionFor({ session }: SessionView, wanted: WantedAction | undefined): FactorAction {
  if (session.status === 'pending') {
    if (wanted !== undefined && wanted !== 'login') throw new AppError('TWO_FACTOR_REQUIRED')
    return 'login'
  }
  if (wanted === undefined) throw invalidField('action', `is required: one of ${actions.join(', ')}`)
  if (wanted === 'disable') return 'toggle'
  return wanted === 'login' ? 'reauth' : wanted
}

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
  // The client has sent the code twice, and the first request succeeded.
  if (session.status !== view.session.status) throw new AppError('INVALID_CODE', { attemptsRemaining: 0 })
  const endsAt = session.status === 'pending' ? session.created_at.getTime() + tx.config.PARTIAL_SESSION_TTL : undefined
  const { two_factor_verified: confirmed } = session
  return { user, factorRequest: { user, sessionId: view.session.id, confirmed, action, endsAt, device } }
}
