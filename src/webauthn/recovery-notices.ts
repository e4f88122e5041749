import type { Transaction } from '../context.ts'
import { type AccountChange, mailAccountChange } from '../users/mail-account-change.ts'

export const notifyRecoveryCodeUsed = (tx: Transaction, use: AccountChange, remaining: number): Promise<void> =>
  mailAccountChange(tx, use, 'recovery_code_used', { remaining: String(remaining) })

export const notifyRecoveryCodesReplaced = (tx: Transaction, change: AccountChange): Promise<void> =>
  mailAccountChange(tx, change, 'recovery_codes_replaced', {})
