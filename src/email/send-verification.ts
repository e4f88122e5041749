import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { type Transaction, transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { withQuery } from '../http/redirects.ts'
import { newId } from '../lib/ids.ts'
import { enqueueCounted, enqueueJob, mayMail } from '../outbox/enqueue.ts'
import { greetedName } from '../outbox/greeted-name.ts'
import { issueWithCode } from '../secrets/issue.ts'
import { userColumns } from '../users/columns.ts'
import { findUserByLogin, withoutPassword } from '../users/queries.ts'

/** Mails the link that proves the user's address. It is bound to that address, whatever the user changes later. */
export async function sendVerification(
  ctx: Context,
  tx: Transaction,
  user: UserRow,
  { device, flow }: { device: Device; flow?: string | undefined },
): Promise<void> {
  // A link that is not mailed must not take the place of one that was.
  if (!(await mayMail(ctx, tx, 'verify_email', user.email))) return
  const lifetime = ctx.config.VERIFY_EMAIL_TTL
  const codeLifetime = Math.min(ctx.config.CODE_TTL, lifetime)
  const { secret, code, expiresAt } = await issueWithCode(ctx, tx.db, {
    id: newId(),
    purpose: 'verify_email',
    userId: user.id,
    target: user.email,
    lifetime,
    codeLifetime,
  })
  await enqueueCounted(ctx, tx, {
    message: 'verify_email',
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      name: greetedName(user),
      url: withQuery(`${ctx.config.PUBLIC_URL}/auth/token/verify`, { token: secret, flow }),
      expires_in: String(lifetime / 1000),
      code,
      code_expires_in: String(codeLifetime / 1000),
    },
    expiresAt,
  })
  await recordAudit(ctx, tx.db, { event: 'verify_sent', target: user.id, device })
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
  transact(ctx.db, (tx) => enqueueJob(ctx, tx, resendJob, { ...request }))

/** The task: a new link for an unverified user; for anybody else nothing happens. */
export async function resendVerification(ctx: Context, { email, ...about }: VerificationRequest): Promise<void> {
  const user = await findUserByLogin(ctx.db, userColumns(ctx.modules), email)
  if (!user || user.is_verified) return
  await transact(ctx.db, (tx) => sendVerification(ctx, tx, withoutPassword(user), about))
}
