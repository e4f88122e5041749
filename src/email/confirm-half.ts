import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { type Transaction, transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { AppError, emailTaken } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { maskEmail } from '../lib/mask.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { findPurpose, voidSecretsOf } from '../secrets/queries.ts'
import { recordingRejection, redeemSecret } from '../secrets/redeem.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { userColumns } from '../users/columns.ts'
import { lockUser, type UserWithPassword } from '../users/queries.ts'
import { confirmHalf, type EmailChange, endChange, type Half, replaceEmail } from './change-queries.ts'

export interface Confirmation {
  status: 'pending' | 'completed'
  confirmed: Record<Half, boolean>
}

const halfOf = { email_change_current: 'current', email_change_new: 'new' } as const

/**
 * Notes that an inbox has agreed to a change of address; the second of the two completes it. Throws EMAIL_TAKEN when
 * somebody else has got the new address meanwhile: only who reads mail to both addresses ever learns that.
 */
export async function confirmEmailChange(ctx: Context, token: string, device: Device): Promise<Confirmation> {
  const confirm = () => transact(ctx.db, (tx) => redeemHalf(ctx, tx, token, device))
  const outcome = await recordingRejection(ctx, 'email_change', device, confirm)
  // Returned, not thrown, so that the end of the change was committed.
  if (outcome === 'taken') throw emailTaken()
  return outcome
}

async function redeemHalf(
  ctx: Context,
  tx: Transaction,
  token: string,
  device: Device,
): Promise<Confirmation | 'taken'> {
  const purpose = await findPurpose(tx.db, ['email_change_current', 'email_change_new'], sha256(token))
  if (!purpose) throw new AppError('INVALID_TOKEN')
  const { user_id, target } = await redeemSecret(ctx, tx.db, purpose, token)
  const user = await lockUser(tx.db, userColumns(ctx.modules), user_id ?? '')
  const now = new Date(ctx.clock.now())
  const pending = await confirmHalf(tx.db, target ?? '', halfOf[purpose], now)
  if (!user || pending?.user_id !== user.id || pending.old_email !== user.email) throw new AppError('INVALID_TOKEN')
  await recordAudit(ctx, tx.db, {
    event: 'email_change_half',
    target: user.id,
    device,
    details: { change: pending.id, half: halfOf[purpose] },
  })
  const confirmed = { current: pending.current_confirmed_at !== null, new: pending.new_confirmed_at !== null }
  if (!confirmed.current || !confirmed.new) return { status: 'pending', confirmed }
  if (!(await replaceEmail(tx.db, user.id, pending.new_email, now))) {
    await giveUp(ctx, tx, pending, device)
    return 'taken'
  }
  await complete(ctx, tx, user, pending, device)
  return { status: 'completed', confirmed }
}

/** The user has the new address: what was proven or opened under the old one ends, and both inboxes are told. */
async function complete(
  ctx: Context,
  tx: Transaction,
  user: UserWithPassword,
  { id, session_id, old_email, new_email }: EmailChange,
  device: Device,
): Promise<void> {
  const now = new Date(ctx.clock.now())
  await endChange(tx.db, id, 'completed', now)
  await voidSecretsOf(tx.db, user.id, now)
  await ctx.secondFactor.followAddress(tx.db, { userId: user.id, from: old_email, to: new_email, at: now })
  await endSessionsOf(ctx, tx, user.id, {
    reason: 'email_change',
    except: session_id ?? undefined,
    actor: user,
    device,
  })
  const variables = {
    name: user.name,
    old_email_masked: maskEmail(old_email),
    new_email_masked: maskEmail(new_email),
  }
  for (const to of [old_email, new_email])
    await enqueueMail(ctx, tx, { message: 'email_changed', to, lang: user.lang, variables })
  await recordAudit(ctx, tx.db, {
    event: 'email_change_completed',
    actor: user,
    target: user.id,
    device,
    details: { change: id, from: auditedContact(ctx, old_email), to: auditedContact(ctx, new_email) },
  })
}

async function giveUp(ctx: Context, tx: Transaction, { id, user_id }: EmailChange, device: Device): Promise<void> {
  const now = new Date(ctx.clock.now())
  await endChange(tx.db, id, 'cancelled', now)
  await recordAudit(ctx, tx.db, {
    event: 'email_change_cancelled',
    outcome: 'failure',
    target: user_id,
    device,
    details: { change: id, reason: 'taken' },
  })
}
