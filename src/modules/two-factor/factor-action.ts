import { recordAudit } from '../../audit/record.ts'
import type { Context, RequestDevice, SessionView } from '../../context.ts'
import { AppError, invalidField, needsBrowserSession } from '../../lib/errors.ts'
import { actions, type FactorAction, type WantedAction } from './methods/method.ts'

/** Throws if the session may not confirm the action. */
export async function factorActionFor(
  ctx: Context,
  view: SessionView,
  wanted: WantedAction | undefined,
  device: RequestDevice,
): Promise<FactorAction> {
  const action = actionOf(view, wanted)
  if (action !== 'login' && action !== 'reauth') await assertBrowserSession(ctx, view, action, device)
  return action
}

function actionOf({ session }: SessionView, wanted: WantedAction | undefined): FactorAction {
  if (session.status === 'pending') {
    if (wanted !== undefined && wanted !== 'login') throw new AppError('TWO_FACTOR_REQUIRED')
    return 'login'
  }
  if (wanted === undefined) throw invalidField('action', `is required: one of ${actions.join(', ')}`)
  if (wanted === 'disable') return 'toggle'
  return wanted === 'login' ? 'reauth' : wanted
}

/** An application must not add a factor of its own, because a passkey also signs in to the service itself. */
async function assertBrowserSession(
  ctx: Context,
  { user, session }: SessionView,
  action: FactorAction,
  device: RequestDevice,
): Promise<void> {
  if (session.parent_id === null) return
  const details = { action, application: session.application }
  await recordAudit(ctx, { event: 'authz_denied', outcome: 'failure', actor: user, device, details })
  throw needsBrowserSession()
}
