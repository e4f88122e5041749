import { recordAll, recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { minute } from '../../../lib/time.ts'
import type { Client } from '../clients/client-view.ts'
import { logoutCountsOf } from './count-deliveries.ts'
import {
  type ClaimedLogout,
  expireLogouts,
  type LogoutExpiry,
  markLogoutDone,
  postponeLogout,
} from './delivery-queries.ts'

/** After each failed attempt but the last. */
const delays = [minute, 5 * minute, 15 * minute]

/** `failure` tells why the client did not accept the call. */
export async function recordLogout(
  ctx: Context,
  { clientId, name }: Client,
  { id, user_id, attempts }: ClaimedLogout,
  failure: string | undefined,
): Promise<void> {
  const delay = failure === undefined ? undefined : delays[attempts - 1]
  logoutCountsOf(ctx)(delay !== undefined ? 'retried' : failure === undefined ? 'delivered' : 'failed')
  if (delay !== undefined) return void (await postponeLogout(ctx.db, id, new Date(ctx.clock.now() + delay)))
  await transact(ctx, async (tx) => {
    if (!(await markLogoutDone(tx.db, id, tx.clock.date()))) return
    const details = { client: clientId, name, attempts }
    if (failure === undefined) return recordAudit(tx, { event: 'oauth_logout_delivered', target: user_id, details })
    const failed = { ...details, reason: failure }
    await recordAudit(tx, { event: 'oauth_logout_failed', outcome: 'failure', target: user_id, details: failed })
  })
}

/** Also those of clients that are disabled or no longer want to be called. */
export const giveUpWaiting = (ctx: Context, expiry: LogoutExpiry): Promise<void> =>
  transact(ctx, async (tx) => {
    const expired = await expireLogouts(tx.db, expiry)
    if (expired.length === 0) return
    logoutCountsOf(ctx)('failed', expired.length)
    await recordAll(
      tx,
      expired.map(({ client_id, user_id, attempts }) => ({
        ...{ event: 'oauth_logout_failed' as const, outcome: 'failure' as const, target: user_id },
        details: { client_row: client_id, attempts, reason: 'expired' },
      })),
    )
  })
