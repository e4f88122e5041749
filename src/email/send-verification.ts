import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Device } from '../http/access/device.ts'
import { withQuery } from '../http/replies/redirects.ts'
import { newId } from '../lib/ids.ts'
import { enqueueCounted, enqueueJob, mayMail } from '../outbox/enqueue.ts'
import { greetedName } from '../outbox/greeted-name.ts'
import { issueWithCode } from '../secrets/issue.ts'
import { findUserByLogin, withoutPassword } from '../users/queries.ts'

/** Mails the link that proves the user's address. It is bound to that address, whatever the user changes later. */
export async function sendVerification(
  tx: Transaction,
  user: UserRow,
  { device, flow }: { device: Device; flow?: string | undefined },
): Promise<void> {
  // A link that is not mailed must not take the place of one that was.
  if (!(await mayMail(tx, 'verify_email', user.email))) return
  const lifetime = tx.config.VERIFY_EMAIL_TTL
  const codeLifetime = Math.min(tx.config.CODE_TTL, lifetime)
  const { secret, code, expiresAt } = await issueWithCode(tx, {
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
  device: Device
  /** The sign-in flow of our pages that it belongs to. */
  flow?: string | undefined
}

/** Asks for the link again. Neither the answer nor its time tells whether the address is known: the rest comes later. */
export const requestVerification = (ctx: Context, request: VerificationRequest): Promise<void> =>
  transact(ctx, (tx) => enqueueJob(tx, resendJob, { ...request }))

/** The task: a new link for an unverified user; for anybody else nothing happens. */
export async function resendVerification(ctx: Context, { email, ...about }: VerificationRequest): Promise<void> {
  const user = await findUserByLogin(ctx, email)
  if (!user || user.is_verified) return
  await transact(ctx, (tx) => sendVerification(tx, withoutPassword(user), about))
}
