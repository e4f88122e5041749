import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import { recordEvents } from '../events/record.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { iso } from '../lib/time.ts'
import { voidTokensOf } from '../one-time-tokens/queries.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { deleteUsers, lockDeletedUsers, markDeleted } from '../users/queries.ts'

interface Deletion {
  /** Undefined if the service performs a scheduled deletion. */
  actor?: { id: string | null; user_type: string }
  device?: RequestDevice | undefined
  reason?: string | undefined
}

/** The caller has locked the user and checked the permission. Returns the end of the DELETED_RETENTION period. */
export async function softDeleteUser(
  tx: Transaction,
  user: UserRow,
  { actor, device, reason }: Deletion,
): Promise<Date> {
  const now = tx.clock.date()
  const restorableUntil = new Date(now.getTime() + tx.config.DELETED_RETENTION)
  if (!(await markDeleted(tx.db, user.id, now))) return restorableUntil
  await voidTokensOf(tx.db, user.id, now)
  await endSessionsOf(tx, user.id, { reason: 'user_deleted', actor, device })
  for (const { onDelete: leave } of tx.personalData()) await leave?.(tx, user.id)
  await recordAudit(tx, {
    event: 'user_deleted',
    actor,
    target: user.id,
    device,
    details: reason ? { reason } : undefined,
  })
  await enqueueMail(tx, {
    message: 'account_deleted',
    account: user,
    to: user.email,
    lang: user.lang,
    variables: { name: greetedName(user), restorable_until: iso(restorableUntil) },
  })
  return restorableUntil
}

/** Returns the number of erased users. */
export const eraseUsers = (ctx: Context, deletedBefore: Date, limit: number): Promise<number> =>
  transact(ctx, async (tx) => {
    const ids = await lockDeletedUsers(tx.db, deletedBefore, limit)
    if (ids.length === 0) return 0
    for (const { erase } of ctx.personalData()) await erase?.(tx.db, ids)
    await eraseLockedUsers(tx, ids)
    return ids.length
  })

/** Revocations of the users' sessions stay until all nodes have read them. */
export async function eraseLockedUsers(tx: Transaction, ids: readonly string[]): Promise<void> {
  await deleteUsers(tx.db, ids)
  await recordEvents(
    tx,
    ids.map((user_id) => ({ type: 'user.erased', data: { user_id } })),
  )
}
