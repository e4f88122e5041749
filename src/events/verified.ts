import type { Transaction } from '../context.ts'
import { recordEvents } from './record.ts'

/** `user` is the row from before the verification. The audit trail also records repeated verifications. */
export const recordVerified = (tx: Transaction, user: { id: string; is_verified: boolean }): Promise<void> =>
  recordEvents(tx, user.is_verified ? [] : [{ type: 'user.verified', data: { user_id: user.id } }])
