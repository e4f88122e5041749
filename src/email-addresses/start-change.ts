import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Transaction, UserRow } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { maskEmail } from '../lib/contact.ts'
import { AppError, limitEnd } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { day, hour, second } from '../lib/time.ts'
import { issueOneTimeToken } from '../one-time-tokens/one-time-token.ts'
import { accountCounter, enqueueCounted, enqueueJob, greetedName, mayMail } from '../outbox/enqueue.ts'
import { countMessage } from '../outbox/queries.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import { type EmailChange, findPendingChange, insertChange, replacePendingChange } from './change-queries.ts'
import { newAddressJob } from './mail-new-address.ts'
import { proveChange, timeToStop } from './prove-change.ts'

export interface ChangeRequest {
  user: UserRow
  /** The request's session, which stays valid after the change. */
  sessionId: string
  /** In canonical form, and different from the current address. */
  newEmail: string
  device: RequestDevice
  /** Default: the user. Set if an administrator starts the change. */
  actor?: { id: string | null; user_type: string }
  again: 'keep' | 'restart'
}

/** Does not look up the new address, because neither the response nor its timing may reveal that it is taken. */
export async function startEmailChange(tx: Transaction, request: ChangeRequest): Promise<EmailChange> {
  const { user, newEmail, device } = request
  // The session may have ended by now.
  if (!(await isUnendedSession(tx.db, request.sessionId))) throw new AppError('INVALID_SESSION')
  const now = tx.clock.date()
  const isDelayed =
    request.actor === undefined && (await proveChange(tx, { userId: user.id, sessionId: request.sessionId }))
  const pending = await findPendingChange(tx.db, user.id, now)
  const isSame = pending?.new_email === newEmail
  if (isSame && request.again === 'keep') return pending
  // If the limit does not allow another email, the links already sent stay valid.
  const message = isDelayed ? 'email_change_by_passkey' : 'email_change_current'
  const mayTell = await mayMail(tx, message, user.email, accountCounter(message, user))
  if (isSame && !mayTell) return pending
  await countStart(tx, user.id)

  // Without the email, the owner of the current address could not stop the change.
  const noticeId = isDelayed && mayTell ? newId() : null
  const row = {
    id: newId(),
    user_id: user.id,
    session_id: request.sessionId,
    old_email: user.email,
    new_email: newEmail,
    created_at: now,
    expires_at: new Date(now.getTime() + (noticeId ? timeToStop : tx.config.EMAIL_CHANGE_TTL)),
    notice_id: noticeId,
  }
  const replaced = await replacePendingChange(tx.db, user.id, now)
  await insertChange(tx.db, row)
  await askCurrentInbox(tx, request, row, mayTell ? message : undefined)
  const { acceptLanguage } = device
  await enqueueJob(tx, newAddressJob, { changeId: row.id, acceptLanguage })
  if (replaced?.status === 'expired')
    await recordAudit(tx, {
      event: 'email_change_expired',
      target: user.id,
      details: { change: replaced.id },
    })
  await recordAudit(tx, {
    event: 'email_change_started',
    actor: request.actor ?? user,
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

async function askCurrentInbox(
  tx: Transaction,
  { user, device }: ChangeRequest,
  { id, new_email, expires_at, notice_id }: StartedChange,
  message: 'email_change_current' | 'email_change_by_passkey' | undefined,
): Promise<void> {
  const lifetime = expires_at.getTime() - tx.clock.now()
  const bound = { userId: user.id, target: id }
  const confirm = await issueOneTimeToken(tx, { purpose: 'email_change_current', ...bound, lifetime })
  // The change can still be cancelled between its end and the job that carries it out.
  const cancellable = notice_id ? lifetime + day : lifetime
  const cancel = await issueOneTimeToken(tx, { purpose: 'email_change_cancel', ...bound, lifetime: cancellable })
  if (!message) return
  await enqueueCounted(tx, {
    ...(notice_id && { id: notice_id }),
    message,
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

type StartedChange = Pick<EmailChange, 'id' | 'new_email' | 'expires_at' | 'notice_id'>

const cap = { attempts: 5, windowMs: hour }

/** Users choose the new addresses, so per-address limits do not limit how many emails one user can trigger. */
export async function countStart({ clock, db }: Transaction, userId: string): Promise<void> {
  const { count, seconds_left } = await countMessage(db, `email-change:${userId}`, cap.windowMs)
  if (count <= cap.attempts) return
  const { retryAfter, resetsAt } = limitEnd(clock.now(), Math.min(seconds_left * second, cap.windowMs))
  throw new AppError('RATE_LIMITED', { retryAfter, limit: { limit: cap.attempts, remaining: 0, resetsAt } })
}
