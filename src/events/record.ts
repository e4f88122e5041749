import type { Context, Transaction } from '../context.ts'
import { insertRow } from '../db/run-text.ts'
import { newId } from '../lib/ids.ts'
import { insertServiceEvents } from './queries.ts'
import { type ServiceEvent, schemaVersion } from './types.ts'

/** Call this in the transaction of the change, so that the event exists if and only if the change does. */
export async function recordEvents(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  events: readonly ServiceEvent[],
): Promise<void> {
  const occurred_at = clock.date()
  const rows = events.map(({ type, data }) => ({
    id: newId(),
    type,
    version: schemaVersion,
    occurred_at,
    target_id: 'user_id' in data ? data.user_id : null,
    data: { ...data },
  }))
  const [first, ...others] = rows
  if (!first) return
  if (others.length === 0) await insertRow(db, 'events', first)
  else await insertServiceEvents(db, rows)
}

/** `user` is the row as it was before the verification. Only the audit trail records repeated verifications. */
export const recordVerified = (tx: Transaction, user: { id: string; is_verified: boolean }): Promise<void> =>
  recordEvents(tx, user.is_verified ? [] : [{ type: 'user.verified', data: { user_id: user.id } }])
