import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { resendJob } from '../email-addresses/send-verification.ts'
import { startEmailChange } from '../email-addresses/start-change.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { accountCounter, assertMailable, enqueueJob } from '../outbox/enqueue.ts'
import { sendLoginJob } from '../passwordless/send-login.ts'
import { resetJob } from '../passwords/request-reset.ts'
import { findIdentitiesOf } from '../social/queries.ts'
import { findBlock } from '../users/block-queries.ts'
import { emailField } from '../users/fields.ts'
import { assertPasswordsEnabled } from '../users/passwords-enabled.ts'
import { findUserWithPassword, withoutPassword } from '../users/queries.ts'
import { inviterName, inviteUser } from './create-by-admin.ts'
import { type SignedInRequest, withLockedTarget } from './locked-target.ts'

export const userMessages = ['password_reset', 'sign_in_link', 'verification', 'invitation'] as const

export type UserMessage = (typeof userMessages)[number]

const hasJoined = 'cannot be invitation: the user has already accepted one, or is blocked'
const isVerifiedAlready = 'cannot be verification: the email address is already verified'

/**
 * Enqueues the same job as a user's own request, so the same limits per email address apply. An invitation is enqueued
 * directly. If the email would be dropped, the request is rejected, because administrators are allowed to know the
 * reason.
 */
export const sendMessageByAdmin = (ctx: Context, request: SignedInRequest, message: UserMessage): Promise<void> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('send_message')
    const { device } = request
    if (message === 'password_reset') assertPasswordsEnabled(tx)
    if (message === 'sign_in_link' && !tx.config.TOKEN_LOGIN_ENABLED) throw new AppError('NOT_CONFIGURED')
    if (message === 'verification' && target.is_verified) throw invalidField('message', isVerifiedAlready)
    await assertMailable(tx, mails[message], target.email)
    if (message === 'invitation') await inviteAgain(tx, target.id, inviterName(actor))
    else await enqueue[message](tx, target.email, withoutOrigin(device))
    await recordAudit(tx, { event: 'admin_message_sent', actor, target: target.id, device, details: { message } })
  })

/**
 * The user can read the email and the jobs' audit events, so these must not contain the administrator's IP address or
 * device. The request id identifies the administrator's own audit event.
 */
const withoutOrigin = ({ requestId }: RequestDevice): RequestDevice => ({
  address: '',
  userAgent: '',
  device: '',
  acceptLanguage: undefined,
  method: '',
  requestId,
})

/**
 * Invalidates the earlier invitation. Rejects the request if the user is blocked or can already sign in by other means.
 */
async function inviteAgain(tx: Transaction, id: string, invitedBy: string): Promise<void> {
  const user = await findUserWithPassword(tx, id)
  const isInvited = user && !user.is_verified && user.password_hash === null
  const isRejected = !isInvited || (await findIdentitiesOf(tx.db, id)).length > 0
  if (isRejected || (await findBlock(tx.db, id, tx.clock.date()))) throw invalidField('message', hasJoined)
  await inviteUser(tx, withoutPassword(user), invitedBy)
}

const mails = {
  password_reset: 'password_reset',
  sign_in_link: 'login_link',
  verification: 'verify_email',
  invitation: 'account_created',
} as const

type Enqueue = (tx: Transaction, email: string, device: RequestDevice) => Promise<void>

const enqueue: Record<Exclude<UserMessage, 'invitation'>, Enqueue> = {
  password_reset: (tx, email, device) => enqueueJob(tx, resetJob, { email, device }),
  sign_in_link: (tx, email, device) => {
    const target = `${tx.config.FRONTEND_URL}/login`
    return enqueueJob(tx, sendLoginJob, { id: newId(), contact: email, method: 'email', target, device })
  },
  verification: (tx, email, device) => enqueueJob(tx, resendJob, { email, device }),
}

export const startEmailChangeByAdmin = async (ctx: Context, request: SignedInRequest, input: string): Promise<void> => {
  const newEmail = emailField('new_email', input)
  await withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('start_email_change')
    if (target.email === newEmail) throw invalidField('new_email', 'is already the email address of this user')
    const { deleted_at: _deleted, ...user } = target
    const message = 'email_change_current'
    await assertMailable(tx, message, user.email, accountCounter(message, user))
    const { sessionId, device } = request
    await startEmailChange(tx, { user, actor, sessionId, newEmail, device, again: 'restart' })
  })
}
