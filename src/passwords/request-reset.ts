import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { mailTarget, withToken } from '../http/responses/redirects.ts'
import { newId } from '../lib/ids.ts'
import { issueOneTimeToken, issueTokenAndCode } from '../one-time-tokens/one-time-token.ts'
import { enqueueCounted, enqueueJob, greetedName, mayMail } from '../outbox/enqueue.ts'
import { assertPasswordsEnabled } from '../users/passwords-enabled.ts'
import { findUserByLogin, lockUser, withoutPassword } from '../users/queries.ts'

export interface ResetRequest {
  email: string
  /** The link target, which the caller has already validated. */
  target: string | undefined
  device: RequestDevice
}

export const resetJob = 'password_reset'

/** Enqueues a job so that neither the response nor its duration reveals whether the user exists. */
export async function requestReset(
  ctx: Context,
  { email, resetUrl, device }: Omit<ResetRequest, 'target'> & { resetUrl: string | undefined },
): Promise<void> {
  if (!ctx.config.PASSWORDS_ENABLED) {
    const details = { address: auditedContact(ctx, email), reason: 'passwords_disabled' }
    await recordAudit(ctx, { event: 'reset_requested', outcome: 'failure', device, details })
    assertPasswordsEnabled(ctx)
  }
  await transact(ctx, (tx) => enqueueJob(tx, resetJob, { email, target: mailTarget(ctx, resetUrl), device }))
}

export async function sendReset(ctx: Context, { email, target, device }: ResetRequest): Promise<void> {
  // The job may have been enqueued before passwords were switched off.
  if (!ctx.config.PASSWORDS_ENABLED) return transact(ctx, (tx) => trace(tx, { email, device }))
  const known = await findUserByLogin(ctx, email)
  await transact(ctx, async (tx) => {
    // Locks the user so that a concurrent password or email address change cannot leave an outdated link valid.
    const found = known && (await lockUser(tx, known.id))
    if (!found || found.email !== email) return trace(tx, { email, device })
    const user = withoutPassword(found)
    // Issuing a token invalidates the previous link, so the limit is checked first.
    if (!(await mayMail(tx, 'password_reset', user.email))) return trace(tx, { email, device, user })
    const lifetime = ctx.config.RESET_TTL
    const codeLifetime = Math.min(ctx.config.CODE_TTL, lifetime)
    const issue = { id: newId(), ...resetOf(user), lifetime, codeLifetime }
    const { secret, code, expiresAt } = await issueTokenAndCode(tx, issue)
    const variables = {
      name: greetedName(user),
      url: resetLink(ctx, secret, target),
      expires_in: String(lifetime / 1000),
      code,
      code_expires_in: String(codeLifetime / 1000),
      ip: device.address,
    }
    const { acceptLanguage } = device
    await enqueueCounted(tx, {
      message: 'password_reset',
      to: user.email,
      lang: user.lang,
      acceptLanguage,
      variables,
      expiresAt,
    })
    await trace(tx, { email, device, user, isSent: true })
  })
}

/** Issues a link for setting the first password, or for signing in if there are no passwords. Invalidates older links. */
export async function issueInvitation(
  tx: Transaction,
  user: Pick<UserRow, 'id' | 'email'>,
  lifetime: number,
): Promise<{ url: string; expiresAt: Date }> {
  const { secret, expiresAt } = await issueOneTimeToken(tx, { ...resetOf(user), lifetime })
  return { url: resetLink(tx, secret), expiresAt }
}

const resetOf = ({ id, email }: Pick<UserRow, 'id' | 'email'>) =>
  ({ purpose: 'password_reset', userId: id, target: email }) as const

const resetLink = ({ config }: Context, secret: string, target = `${config.FRONTEND_URL}/reset-password`): string =>
  withToken(target, secret)

interface Trace {
  email: string
  device: RequestDevice
  user?: UserRow
  isSent?: boolean
}

const trace = (tx: Transaction, { email, device, user, isSent = false }: Trace): Promise<void> =>
  recordAudit(tx, {
    event: 'reset_requested',
    outcome: isSent ? 'success' : 'failure',
    target: user?.id,
    device,
    details: { address: auditedContact(tx, email) },
  })
