import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { recordVerified } from '../events/record.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { maskEmail } from '../lib/contact.ts'
import { AppError, emailTaken } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { consumeOneTimeToken, recordingRejection } from '../one-time-tokens/one-time-token.ts'
import { findPurpose, voidTokensOf } from '../one-time-tokens/queries.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { assertNotBlocked } from '../sessions/create-session.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { lockUser, type UserWithPassword } from '../users/queries.ts'
import { type AddressRole, confirmAddress, type EmailChange, endChange, replaceEmail } from './change-queries.ts'

export interface EmailChangeProgress {
  status: 'pending' | 'completed'
  confirmed: Record<AddressRole, boolean>
}

const roleOf = { email_change_current: 'current', email_change_new: 'new' } as const

/** EMAIL_TAKEN reveals that the new address is taken, but only to the owner of that mailbox. */
export async function confirmEmailChange(
  ctx: Context,
  token: string,
  device: RequestDevice,
): Promise<EmailChangeProgress> {
  const confirm = () => transact(ctx, (tx) => consumeConfirmation(tx, token, device))
  const outcome = await recordingRejection(ctx, 'email_change', { device }, confirm)
  // The error is thrown after the commit so that the change remains ended.
  if (outcome === 'taken') throw emailTaken()
  return outcome
}

async function consumeConfirmation(
  tx: Transaction,
  token: string,
  device: RequestDevice,
): Promise<EmailChangeProgress | 'taken'> {
  const purpose = await findPurpose(tx.db, ['email_change_current', 'email_change_new'], sha256Bytes(token))
  if (!purpose) throw new AppError('INVALID_TOKEN')
  const { user_id, target } = await consumeOneTimeToken(tx, purpose, token)
  const user = await lockUser(tx, user_id ?? '')
  const now = tx.clock.date()
  const pending = await confirmAddress(tx.db, target ?? '', roleOf[purpose], now)
  if (!user || pending?.user_id !== user.id || pending.old_email !== user.email) throw new AppError('INVALID_TOKEN')
  await assertNotBlocked(tx, user, { proof: 'email_change', device })
  await recordAudit(tx, {
    event: 'email_change_half',
    target: user.id,
    device,
    details: { change: pending.id, half: roleOf[purpose] },
  })
  const confirmed = { current: pending.current_confirmed_at !== null, new: pending.new_confirmed_at !== null }
  if (!confirmed.current || !confirmed.new) return { status: 'pending', confirmed }
  return (await complete(tx, user, pending, device)) ? { status: 'completed', confirmed } : 'taken'
}

/** Returns false if another user has taken the address. The change has then ended. */
export async function complete(
  tx: Transaction,
  user: UserWithPassword,
  change: EmailChange,
  device?: RequestDevice,
): Promise<boolean> {
  const { id, session_id, old_email, new_email } = change
  const now = tx.clock.date()
  if (!(await replaceEmail(tx.db, user.id, new_email, now))) {
    await giveUp(tx, change, device)
    return false
  }
  await endChange(tx.db, id, 'completed', now)
  await recordVerified(tx, user)
  await voidTokensOf(tx.db, user.id, now)
  await tx.secondFactor.followAddress(tx.db, { userId: user.id, from: old_email, to: new_email, at: now })
  await endSessionsOf(tx, user.id, {
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
    await enqueueMail(tx, { message: 'email_changed', account: user, to, lang: user.lang, variables })
  await recordAudit(tx, {
    event: 'email_change_completed',
    actor: user,
    target: user.id,
    device,
    details: { change: id, from: auditedContact(tx, old_email), to: auditedContact(tx, new_email) },
  })
  return true
}

async function giveUp(tx: Transaction, { id, user_id }: EmailChange, device: RequestDevice | undefined): Promise<void> {
  const now = tx.clock.date()
  await endChange(tx.db, id, 'cancelled', now)
  await recordAudit(tx, {
    event: 'email_change_cancelled',
    outcome: 'failure',
    target: user_id,
    device,
    details: { change: id, reason: 'taken' },
  })
}
