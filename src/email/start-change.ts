import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Transaction, UserRow } from '../context.ts'
import type { Device } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { maskEmail } from '../lib/mask.ts'
import { enqueueCounted, enqueueJob, mayMail } from '../outbox/enqueue.ts'
import { greetedName } from '../outbox/greeted-name.ts'
import { issueSecret } from '../secrets/issue.ts'
import { isLive } from '../sessions/queries.ts'
import { type EmailChange, findPending, insertChange, replacePending } from './change-queries.ts'
import { countStart } from './count-start.ts'
import { newHalfJob } from './send-new-half.ts'

export interface ChangeRequest {
  /** As it is now, held by the caller's transaction. */
  user: UserRow
  /** Of whoever asks: it goes on when the change is complete. */
  sessionId: string
  /** In canonical form, and not the present address. */
  newEmail: string
  device: Device
  /** When this very change is already pending: leave it, or kill its links and mail new ones. */
  again: 'keep' | 'restart'
}

/**
 * Starts the change of a user's login address, or gives the one that is pending. Nothing else changes until both inboxes
 * have confirmed. Whether somebody else has the new address is not even looked up here: neither the answer nor its time
 * can tell.
 */
export async function startEmailChange(tx: Transaction, request: ChangeRequest): Promise<EmailChange> {
  const { user, newEmail, device } = request
  // What has ended meanwhile, perhaps because the owner noticed somebody, starts nothing any more.
  if (!(await isLive(tx.db, request.sessionId))) throw new AppError('INVALID_SESSION')
  const now = new Date(tx.clock.now())
  const pending = await findPending(tx.db, user.id, now)
  const isSame = pending?.new_email === newEmail
  if (isSame && request.again === 'keep') return pending
  // A link that is not mailed must not take the place of one that was.
  const mayTell = await mayMail(tx, 'email_change_current', user.email)
  if (isSame && !mayTell) return pending
  await countStart(tx, user.id)

  const row = {
    id: newId(),
    user_id: user.id,
    session_id: request.sessionId,
    old_email: user.email,
    new_email: newEmail,
    created_at: now,
    expires_at: new Date(now.getTime() + tx.config.EMAIL_CHANGE_TTL),
  }
  const replaced = await replacePending(tx.db, user.id, now)
  await insertChange(tx.db, row)
  await askCurrentInbox(tx, request, row, mayTell)
  const { acceptLanguage } = device
  await enqueueJob(tx, newHalfJob, { changeId: row.id, ...(acceptLanguage && { acceptLanguage }) })
  if (replaced?.status === 'expired')
    await recordAudit(tx, {
      event: 'email_change_expired',
      target: user.id,
      details: { change: replaced.id },
    })
  await recordAudit(tx, {
    event: 'email_change_started',
    actor: user,
    target: user.id,
    device,
    details: {
      change: row.id,
      from: auditedContact(tx, user.email),
      to: auditedContact(tx, newEmail),
      ...(replaced?.status === 'replaced' && { replaces: replaced.id }),
    },
  })
  return { ...row, status: 'pending', current_confirmed_at: null, new_confirmed_at: null, ended_at: null }
}

/** The owner of the present address hears of it at once, and can stop it. */
async function askCurrentInbox(
  tx: Transaction,
  { user, device }: ChangeRequest,
  { id, new_email, expires_at }: Pick<EmailChange, 'id' | 'new_email' | 'expires_at'>,
  mayTell: boolean,
): Promise<void> {
  const lifetime = tx.config.EMAIL_CHANGE_TTL
  const bound = { userId: user.id, target: id, lifetime }
  const confirm = await issueSecret(tx, { purpose: 'email_change_current', ...bound })
  const cancel = await issueSecret(tx, { purpose: 'email_change_cancel', ...bound })
  if (!mayTell) return
  await enqueueCounted(tx, {
    message: 'email_change_current',
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      name: greetedName(user),
      new_email_masked: maskEmail(new_email),
      confirm_url: `${tx.config.PUBLIC_URL}/auth/email-change/verify?token=${confirm.secret}`,
      cancel_url: `${tx.config.PUBLIC_URL}/auth/email-change/cancel?token=${cancel.secret}`,
      expires_in: String(lifetime / 1000),
    },
    expiresAt: expires_at,
  })
}
