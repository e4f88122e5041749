import { recordingDenial } from '../admin/locked-target.ts'
import { type Actor, lockPrincipal, type Principal, rightsOf } from '../admin/principal.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { messageExists } from './outbox-queries.ts'
import { hurryQueued, type RetriedMessage, type RetryFilter, requeueFailed } from './retry-queries.ts'

export const maxRetried = 1_000

type Retry = (tx: Transaction, now: Date) => Promise<RetriedMessage[]>

/** Sends a failed message again, or a queued message immediately. */
export async function retryMessage(ctx: Context, principal: Principal, id: string): Promise<void> {
  if (!looksLikeId(id)) throw new AppError('NOT_FOUND')
  const retried = await retrying(ctx, principal, async (tx, now) => {
    const waiting = await hurryQueued(tx.db, id, now)
    return waiting ? [waiting] : requeueFailed(tx.db, { ids: [id] }, now, 1)
  })
  if (retried.length > 0) return
  throw new AppError((await messageExists(ctx.db, id)) ? 'MESSAGE_NOT_RETRYABLE' : 'NOT_FOUND')
}

/** Sends failed messages again, oldest first. Skips messages that cannot be resent. */
export async function retryFailed(ctx: Context, principal: Principal, filter: RetryFilter): Promise<string[]> {
  const ids = filter.ids?.filter(looksLikeId)
  const retried = await retrying(ctx, principal, (tx, now) => requeueFailed(tx.db, { ...filter, ids }, now, maxRetried))
  return retried.map(({ id }) => id)
}

function retrying(ctx: Context, principal: Principal, retry: Retry): Promise<RetriedMessage[]> {
  const { actor: asking, device } = principal
  const details = () => ({ deed: 'retry_messages' })
  return recordingDenial(ctx, { actor: asking, device, details }, () =>
    transact(ctx, async (tx) => {
      const actor = await lockPrincipal(tx, principal)
      if (!ctx.staff.may(rightsOf(actor).user_type, 'messages:retry')) throw new AppError('FORBIDDEN')
      const retried = await retry(tx, tx.clock.date())
      if (retried.length > 0) await recordRetry(tx, actor, principal, retried)
      return retried
    }),
  )
}

async function recordRetry(
  tx: Transaction,
  actor: Actor,
  { device }: Principal,
  retried: readonly RetriedMessage[],
): Promise<void> {
  const details = {
    messages: retried.length,
    names: [...new Set(retried.map(({ message }) => message))],
    ...(retried.length === 1 && { outbox_id: retried[0]?.id }),
  }
  await recordAudit(tx, { event: 'messages_retried', actor, device, details })
  tx.after(() => tx.outbox.wake())
}
