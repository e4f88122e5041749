import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, Transaction, UserRow } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { recordEvents } from '../../events/record.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { iso } from '../../lib/time.ts'
import { enqueueMail, greetedName } from '../../outbox/enqueue.ts'
import { lockCaller } from '../../sessions/authenticate.ts'
import { cancelPendingRequest, type DeletionRequest } from './deletion-queries.ts'
import { type PrivacyEventOrigin, recordPrivacyEvent } from './history.ts'
import type { PrivacyEventSource } from './rows.ts'

export const cancelOwnDeletion = (ctx: Context, view: SessionView, device: RequestDevice): Promise<DeletionRequest> =>
  transact(ctx, async (tx) => {
    const user = await lockCaller(tx, view)
    return cancelDeletion(tx, user, { actor: user, source: 'self', device })
  })

interface Cancellation {
  actor?: PrivacyEventOrigin['actor']
  source: PrivacyEventSource
  device?: RequestDevice | undefined
  /** The reason recorded in the audit event if the service cancels the deletion. */
  reason?: string
}

/** Throws NOT_FOUND if no deletion is pending. The caller has locked the user. */
export async function cancelDeletion(tx: Transaction, user: UserRow, origin: Cancellation): Promise<DeletionRequest> {
  const cancelled = await endPending(tx, user, origin)
  if (!cancelled) throw new AppError('NOT_FOUND')
  const variables = { name: greetedName(user) }
  await enqueueMail(tx, { message: 'deletion_cancelled', account: user, to: user.email, lang: user.lang, variables })
  return cancelled
}

/** Sends no email, because the owner of the address does not know of the request. */
export async function endUnprovenDeletion(tx: Transaction, user: UserRow): Promise<void> {
  await endPending(tx, user, { source: 'service', reason: 'unproven' })
}

async function endPending(
  tx: Transaction,
  user: UserRow,
  { actor, source, device, reason }: Cancellation,
): Promise<DeletionRequest | undefined> {
  const cancelled = await cancelPendingRequest(tx.db, user.id, tx.clock.date())
  if (!cancelled) return undefined
  await recordPrivacyEvent(tx, { userId: user.id, event: 'deletion_cancelled', source, device })
  await recordAudit(tx, {
    event: 'deletion_cancelled',
    actor,
    target: user.id,
    device,
    details: reason ? { reason } : undefined,
  })
  const about = { user_id: user.id, scheduled_for: iso(cancelled.scheduled_for) }
  await recordEvents(tx, [{ type: 'user.deletion_cancelled', data: about }])
  return cancelled
}
