import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { withToken } from '../http/responses/redirects.ts'
import { issueTokenAndCode } from '../one-time-tokens/one-time-token.ts'
import { findToken } from '../one-time-tokens/queries.ts'
import { enqueueCounted, enqueueJob, enqueueText, greetedName, mailedDevice, mayMail } from '../outbox/enqueue.ts'
import { rejectionOfText } from '../outbox/may-text.ts'
import { findUserByContact, isTrustedPhone, lockUser } from '../users/queries.ts'
import { mayRegister } from './newcomer.ts'

export type LoginMethod = 'email' | 'sms'

export interface LoginRequest {
  /** The id of the token, if a token is issued. */
  id: string
  /** The email address or phone number in canonical form. */
  contact: string
  method: LoginMethod
  target: string
  device: RequestDevice
  /** Whether the application accepts registrations. A request from before an update has no such member. */
  registers?: boolean
}

export const sendLoginJob = 'send_login'

/** Enqueues a job so that neither the response nor its duration reveals whether the user exists. */
export const requestLogin = (ctx: Context, request: LoginRequest): Promise<void> =>
  transact(ctx, (tx) => enqueueJob(tx, sendLoginJob, { ...request }))

export async function sendLogin(ctx: Context, request: LoginRequest): Promise<void> {
  await transact(ctx, async (tx) => {
    // If the job is repeated after a crash, the token already exists.
    if (await findToken(tx.db, 'login', request.id)) return
    const found = await findUserByContact(tx, request.contact)
    // The lock ensures that concurrent requests leave only one valid token.
    const user = found && (await lockUser(tx, found.id))
    const reason = await rejectionOf(tx, request, user)
    if (!reason) await send(tx, request, user)
    await recordAudit(tx, {
      event: 'token_sent',
      outcome: reason ? 'failure' : 'success',
      target: user?.id,
      device: request.device,
      details: {
        token: request.id,
        method: request.method,
        contact: auditedContact(ctx, request.contact),
        reason,
      },
    })
  })
}

/** All limits are checked before issuing a token because a new token invalidates the previous one. */
async function rejectionOf(
  tx: Transaction,
  { method, contact, registers = true }: LoginRequest,
  user: UserRow | undefined,
): Promise<string | undefined> {
  if (!user && !(registers && (await mayRegister(tx, contact)))) return 'unknown'
  if (method === 'sms') return rejectionOfPhone(tx, contact, user)
  return (await mayMail(tx, 'login_link', contact)) ? undefined : 'cap'
}

/** A text message costs money and allows a sign-in, so the phone number must be trusted. */
async function rejectionOfPhone(
  tx: Transaction,
  phone: string,
  user: UserRow | undefined,
): Promise<string | undefined> {
  if (!user || !(await isTrustedPhone(tx.db, user.id, phone))) return 'untrusted'
  if (tx.config.VERIFY_REGISTRATION && !user.is_verified) return 'unverified'
  return rejectionOfText(tx, phone)
}

async function send(tx: Transaction, request: LoginRequest, user: UserRow | undefined): Promise<void> {
  const { LOGIN_LINK_TTL: lifetime, CODE_TTL, FRONTEND_URL } = tx.config
  const { id, contact, method, target, device } = request
  const codeLifetime = Math.min(CODE_TTL, lifetime)
  const { secret, code, expiresAt } = await issueTokenAndCode(tx, {
    id,
    purpose: 'login',
    userId: user?.id ?? null,
    target: contact,
    lifetime,
    codeLifetime,
  })
  const common = { to: contact, lang: user?.lang ?? null, acceptLanguage: device.acceptLanguage, expiresAt }
  const variables = {
    url: withToken(target, secret),
    code,
    expires_in: String(lifetime / 1000),
    code_expires_in: String(codeLifetime / 1000),
  }
  if (method === 'email') {
    const reader = user ?? { name: '', is_verified: false }
    const about = { name: greetedName(reader), ip: device.address, user_agent: mailedDevice(reader, device) }
    return enqueueCounted(tx, { ...common, message: 'login_link', variables: { ...variables, ...about } })
  }
  const host = new URL(target.startsWith('http') ? target : FRONTEND_URL).hostname
  return enqueueText(tx, { ...common, message: 'login_code', variables: { ...variables, host } })
}
