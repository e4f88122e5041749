import { recordAudit } from '../audit/record.ts'
import type { Context, RequestDevice, Transaction } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { holdSettings } from './hold-settings.ts'
import { offeredMethods } from './offered-methods.ts'
import { opensFor } from './queries.ts'

/**
 * Whether the user can sign in, by default with the stored settings. Everything that removes a way to sign in asks this
 * function, in the transaction of the removal.
 */
export async function canSignIn(ctx: Context, userId: string, config?: Context['config']): Promise<boolean> {
  return opensFor(ctx.db, userId, offeredMethods(config ?? (await holdSettings(ctx))))
}

interface Rejection {
  event: 'authz_denied' | 'passkey_rejected'
  device: RequestDevice
  details: Record<string, unknown>
}

/** Throws LAST_SIGN_IN_METHOD if the transaction has removed the user's last way to sign in, and records the rejection. */
export async function assertCanSignIn(
  tx: Transaction,
  user: { id: string; user_type: string },
  { event, device, details }: Rejection,
): Promise<void> {
  if (await canSignIn(tx, user.id)) return
  const about = { outcome: 'failure', actor: user, target: user.id, device, details } as const
  tx.afterRollback((ctx) => recordAudit(ctx, { event, ...about }))
  throw new AppError('LAST_SIGN_IN_METHOD')
}
