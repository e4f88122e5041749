import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { withQuery } from '../http/responses/redirects.ts'
import { newId } from '../lib/ids.ts'
import { issueTokenAndCode } from '../one-time-tokens/one-time-token.ts'
import { enqueueCounted, enqueueJob, greetedName, mayMail, rejectionOfMail } from '../outbox/enqueue.ts'
import { findUserByLogin, withoutPassword } from '../users/queries.ts'

export async function sendVerification(
  tx: Transaction,
  user: UserRow,
  { device, flow }: { device: RequestDevice; flow?: string | undefined },
): Promise<void> {
  // If the limit does not allow another email, the link already sent stays valid.
  if (!(await mayMail(tx, 'verify_email', user.email))) return
  const lifetime = tx.config.VERIFY_EMAIL_TTL
  const codeLifetime = Math.min(tx.config.CODE_TTL, lifetime)
  const { secret, code, expiresAt } = await issueTokenAndCode(tx, {
    id: newId(),
    purpose: 'verify_email',
    userId: user.id,
    target: user.email,
    lifetime,
    codeLifetime,
  })
  await enqueueCounted(tx, {
    message: 'verify_email',
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      name: greetedName(user),
      url: withQuery(`${tx.config.PUBLIC_URL}/auth/token/verify`, { token: secret, flow }),
      expires_in: String(lifetime / 1000),
      code,
      code_expires_in: String(codeLifetime / 1000),
    },
    expiresAt,
  })
  await recordAudit(tx, { event: 'verify_sent', target: user.id, device })
}

export const resendJob = 'resend_verification'

interface VerificationRequest {
  email: string
  device: RequestDevice
  flow?: string | undefined
}

/** Whether an email is sent to the user's own address, and if not, the reason. */
export type OwnVerification = 'sent' | 'verified' | 'limit' | 'not_configured'

/** The sender of the request owns the address and may learn the outcome. */
export async function requestOwnVerification(
  ctx: Context,
  { email, is_verified }: Pick<UserRow, 'email' | 'is_verified'>,
  about: Omit<VerificationRequest, 'email'>,
): Promise<OwnVerification> {
  if (is_verified) return 'verified'
  const rejection = await rejectionOfMail(ctx, 'verify_email', email)
  if (rejection) return rejection.code === 'RATE_LIMITED' ? 'limit' : 'not_configured'
  await requestVerification(ctx, { email, ...about })
  return 'sent'
}

/** Enqueues a job, so that neither the response nor its timing reveals whether the email address is known. */
export const requestVerification = (ctx: Context, request: VerificationRequest): Promise<void> =>
  transact(ctx, (tx) => enqueueJob(tx, resendJob, { ...request }))

export async function resendVerification(ctx: Context, { email, ...about }: VerificationRequest): Promise<void> {
  const user = await findUserByLogin(ctx, email)
  if (!user || user.is_verified) return
  await transact(ctx, (tx) => sendVerification(tx, withoutPassword(user), about))
}
