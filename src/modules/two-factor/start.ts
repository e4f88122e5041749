import type { Context, RequestDevice, SessionView } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { assertRecentProof } from '../../sessions/session.ts'
import { factorActionFor } from './factor-action.ts'
import { methodOf } from './methods/index.ts'
import type { WantedAction } from './methods/method.ts'
import { sentCodeLifetime } from './methods/sent-code.ts'
import type { MethodKind } from './queries.ts'
import type { StartedSetup } from './set-up.ts'
import { chooseMethod, lockForFactor, userMethodsOf } from './user-methods.ts'

interface Request {
  kind: MethodKind
  method_id?: string | undefined
  action?: WantedAction | undefined
}

/** A new code replaces the previous one. */
export async function startFactor(
  ctx: Context,
  view: SessionView,
  { kind, method_id, action: wanted }: Request,
  device: RequestDevice,
): Promise<StartedSetup> {
  const action = await factorActionFor(ctx, view, wanted, device)
  if (!methodOf(kind).isAvailable(ctx)) throw new AppError('NOT_CONFIGURED')
  // Otherwise, a stolen session could finish a setup that the owner has abandoned, with a passkey of the thief.
  if (action === 'setup' && kind === 'passkey') assertRecentProof(ctx, view)
  return transact(ctx, async (tx) => {
    const { user, factorRequest } = await lockForFactor(tx, { view, action, device })
    const ofKind = (await userMethodsOf(tx, user.id)).filter(({ method }) => method === kind)
    const row = chooseMethod(ofKind, { method_id, method: kind }, action)
    if (!row) throw new AppError('NOT_FOUND')
    const { sent, shown = {} } = await methodOf(kind).start(tx, row, factorRequest)
    return { row, sent, expiresIn: Math.max(0, sentCodeLifetime(ctx, factorRequest) / 1000), shown }
  })
}
