import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { type Transaction, transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { AppError } from '../lib/errors.ts'
import { maskEmail } from '../lib/mask.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { greetedName } from '../outbox/greeted-name.ts'
import { recordingRejection, redeemSecret } from '../secrets/redeem.ts'
import { userColumns } from '../users/columns.ts'
import { lockUser, type UserWithPassword } from '../users/queries.ts'
import { endChange, findPending } from './change-queries.ts'

/** By the link that only the current inbox gets. */
export const cancelByToken = (ctx: Context, token: string, device: Device): Promise<void> =>
  recordingRejection(ctx, 'email_change_cancel', device, () =>
    transact(ctx.db, async (tx) => {
      const { user_id, target } = await redeemSecret(ctx, tx.db, 'email_change_cancel', token)
      const user = await lockUser(tx.db, userColumns(ctx.modules), user_id ?? '')
      const isOver = user && target && (await cancel(ctx, tx, user, target, device))
      if (!isOver) throw new AppError('INVALID_TOKEN')
    }),
  )

/** By the signed-in user. Throws NOT_FOUND when nothing is pending any more. */
export const cancelBySession = (ctx: Context, userId: string, device: Device): Promise<void> =>
  transact(ctx.db, async (tx) => {
    const user = await lockUser(tx.db, userColumns(ctx.modules), userId)
    const pending = user && (await findPending(tx.db, user.id, new Date(ctx.clock.now())))
    const isOver = pending && (await cancel(ctx, tx, user, pending.id, device))
    if (!isOver) throw new AppError('NOT_FOUND')
  })

async function cancel(
  ctx: Context,
  tx: Transaction,
  user: UserWithPassword,
  changeId: string,
  device: Device,
): Promise<boolean> {
  const now = new Date(ctx.clock.now())
  const ended = await endChange(tx.db, changeId, 'cancelled', now)
  if (!ended) return false
  await enqueueMail(ctx, tx, {
    message: 'email_change_cancelled',
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      name: greetedName(user),
      old_email_masked: maskEmail(ended.old_email),
      new_email_masked: maskEmail(ended.new_email),
    },
  })
  await recordAudit(ctx, tx.db, {
    event: 'email_change_cancelled',
    actor: user,
    target: user.id,
    device,
    details: { change: ended.id },
  })
  return true
}
