import { auditedContact, recordAudit } from '../../audit/record.ts'
import type { Context, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { issueTokenAndCode } from '../../one-time-tokens/one-time-token.ts'
import { findToken } from '../../one-time-tokens/queries.ts'
import { enqueueCounted, enqueueJob, mailNotConfigured, mayMail } from '../../outbox/enqueue.ts'
import { notifyOwner } from '../../registration/notify-owner.ts'
import { isRegistrationOpen } from '../../registration/register-user.ts'
import { takenValues } from '../../users/queries.ts'
import { assertOffered } from '../change-rights.ts'

export interface CodeRequest {
  id: string
  /** In canonical form. */
  email: string
  device: RequestDevice
}

export const registrationCodeJob = 'send_registration_code'

/** Throws if registration with a passkey is not possible at all. Does not depend on the address. */
export async function assertRegistrable(ctx: Context, device: RequestDevice): Promise<void> {
  assertOffered(ctx)
  if (!ctx.mailer.isConfigured) throw mailNotConfigured()
  if (isRegistrationOpen(ctx, 'passkey')) return
  await recordAudit(ctx, { event: 'register', outcome: 'failure', device, details: { reason: 'disabled' } })
  throw new AppError('REGISTRATION_DISABLED')
}

/** Enqueues a job so that neither the response nor its duration reveals whether the address is taken. */
export async function requestRegistrationCode(ctx: Context, email: string, device: RequestDevice): Promise<string> {
  await assertRegistrable(ctx, device)
  const request: CodeRequest = { id: newId(), email, device }
  await transact(ctx, (tx) => enqueueJob(tx, registrationCodeJob, { ...request }))
  return request.id
}

export async function sendRegistrationCode(ctx: Context, request: CodeRequest): Promise<void> {
  const { id, email, device } = request
  await transact(ctx, async (tx) => {
    // If the job is repeated after a crash, the code already exists.
    if (await findToken(tx.db, 'passkey_registration_code', id)) return
    const reason = await rejectionOf(tx, email)
    if (reason === 'taken') await notifyOwner(tx, email, device)
    if (!reason) await send(tx, request)
    const event = reason === 'taken' ? 'register_existing' : 'token_sent'
    const details = { token: id, method: 'email', contact: auditedContact(ctx, email), by: 'passkey', reason }
    await recordAudit(tx, { event, outcome: reason ? 'failure' : 'success', device, details })
  })
}

async function rejectionOf(tx: Transaction, email: string): Promise<string | undefined> {
  if ((await takenValues(tx.db, { email, user_name: '', phone: null })).email) return 'taken'
  return (await mayMail(tx, 'registration_code', email)) ? undefined : 'cap'
}

async function send(tx: Transaction, { id, email, device }: CodeRequest): Promise<void> {
  const { CODE_TTL: lifetime } = tx.config
  const issue = { id, purpose: 'passkey_registration_code', userId: null, target: email, lifetime } as const
  // A stranger must not be able to end a registration under way. Wrong codes count per address, too.
  const { code, expiresAt } = await issueTokenAndCode(tx, { ...issue, codeLifetime: lifetime, keepsOlder: true })
  await enqueueCounted(tx, {
    message: 'registration_code',
    to: email,
    lang: null,
    acceptLanguage: device.acceptLanguage,
    expiresAt,
    variables: { code, expires_in: String(lifetime / 1000), ip: device.address, name: '' },
  })
}
