import type { Transaction } from '../../context.ts'
import { type AccountChange, mailAccountChange } from '../../users/mail-account-change.ts'

export const notifyEnabled = (tx: Transaction, change: AccountChange, method: string): Promise<void> =>
  mailAccountChange(tx, change, 'two_factor_enabled', { method })

/** `method` is empty if all methods were disabled. */
export const notifyDisabled = (
  tx: Transaction,
  change: AccountChange,
  { method, remaining }: { method: string; remaining: number },
): Promise<void> => mailAccountChange(tx, change, 'two_factor_disabled', { method, remaining: String(remaining) })
