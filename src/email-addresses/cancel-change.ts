import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { maskEmail } from '../lib/contact.ts'
import { AppError } from '../lib/errors.ts'
import { consumeOneTimeToken, recordingRejection } from '../one-time-tokens/one-time-token.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import { lockUser, type UserWithPassword } from '../users/queries.ts'
import { endChange, findPendingChange } from './change-queries.ts'

/** Only the email to the current address contains a link that cancels the change. */
export const cancelByToken = (ctx: Context, token: string, device: RequestDevice): Promise<void> =>
  endByToken(ctx, 'email_change_cancel', { token, device })

/** The owner of the new address, who may be a stranger to the user, did not ask for the change. */
export const declineNewAddress = (ctx: Context, token: string, device: RequestDevice): Promise<void> =>
  endByToken(ctx, 'email_change_new', { token, device, answer: 'not_me' })

interface Cancellation {
  device: RequestDevice
  answer?: 'not_me'
}

const endByToken = (
  ctx: Context,
  purpose: 'email_change_cancel' | 'email_change_new',
  { token, ...cancellation }: Cancellation & { token: string },
): Promise<void> =>
  recordingRejection(ctx, 'email_change_cancel', { device: cancellation.device }, () =>
    transact(ctx, async (tx) => {
      const { user_id, target } = await consumeOneTimeToken(tx, purpose, token)
      const user = await lockUser(tx, user_id ?? '')
      const isOver = user && target && (await cancel(tx, user, target, cancellation))
      if (!isOver) throw new AppError('INVALID_TOKEN')
    }),
  )

export const cancelBySession = (ctx: Context, userId: string, device: RequestDevice): Promise<void> =>
  transact(ctx, async (tx) => {
    const user = await lockUser(tx, userId)
    const pending = user && (await findPendingChange(tx.db, user.id, ctx.clock.date()))
    const isOver = pending && (await cancel(tx, user, pending.id, { device }))
    if (!isOver) throw new AppError('NOT_FOUND')
  })

async function cancel(
  tx: Transaction,
  user: UserWithPassword,
  changeId: string,
  { device, answer }: Cancellation,
): Promise<boolean> {
  const now = tx.clock.date()
  const ended = await endChange(tx.db, changeId, 'cancelled', now)
  if (!ended) return false
  await enqueueMail(tx, {
    message: 'email_change_cancelled',
    account: user,
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      name: greetedName(user),
      old_email_masked: maskEmail(ended.old_email),
      new_email_masked: maskEmail(ended.new_email),
    },
  })
  await recordAudit(tx, {
    event: 'email_change_cancelled',
    ...(answer === undefined && { actor: user }),
    target: user.id,
    device,
    details: { change: ended.id, ...(answer && { answer }) },
  })
  return true
}
