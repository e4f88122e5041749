import type { Context, Device, UserRow } from '../../context.ts'
import type { Transaction } from '../../db/transact.ts'
import { enqueueMail } from '../../outbox/enqueue.ts'
import { greetedName } from '../../outbox/greeted-name.ts'

/** Whoever changes what protects an account may not be its owner: the owner hears of it. */
interface Notice {
  user: UserRow
  device: Device
}

export const tellEnabled = (ctx: Context, tx: Transaction, notice: Notice, method: string): Promise<void> =>
  tell(ctx, tx, notice, 'two_factor_enabled', { method })

/** `method` is empty when all of them are switched off. */
export const tellDisabled = (
  ctx: Context,
  tx: Transaction,
  notice: Notice,
  { method, remaining }: { method: string; remaining: number },
): Promise<void> => tell(ctx, tx, notice, 'two_factor_disabled', { method, remaining: String(remaining) })

export const tellRecoveryCodeUsed = (ctx: Context, tx: Transaction, notice: Notice, remaining: number): Promise<void> =>
  tell(ctx, tx, notice, 'recovery_code_used', { remaining: String(remaining) })

export const tellRecoveryCodesReplaced = (ctx: Context, tx: Transaction, notice: Notice): Promise<void> =>
  tell(ctx, tx, notice, 'recovery_codes_replaced', {})

const tell = (
  ctx: Context,
  tx: Transaction,
  { user, device }: Notice,
  message: 'two_factor_enabled' | 'two_factor_disabled' | 'recovery_code_used' | 'recovery_codes_replaced',
  variables: Record<string, string>,
): Promise<void> =>
  enqueueMail(ctx, tx, {
    message,
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      ...variables,
      name: greetedName(user),
      ip: device.address,
      support_url: `${ctx.config.FRONTEND_URL}/reset-password`,
    },
  })
