import { auditedContact, recordAudit } from '../../audit/record.ts'
import type { Context, Transaction, UserRow } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { newId } from '../../lib/ids.ts'
import { issueTokenAndCode } from '../../one-time-tokens/one-time-token.ts'
import { findToken } from '../../one-time-tokens/queries.ts'
import { enqueueCounted, enqueueJob, greetedName, mayMail } from '../../outbox/enqueue.ts'
import { findUserByContact, lockUser } from '../../users/queries.ts'
import { assertRecoverable, rejectionOfUser } from './eligible.ts'

export interface RecoveryCodeRequest {
  id: string
  /** In canonical form. */
  email: string
  device: RequestDevice
}

export const recoveryCodeJob = 'send_recovery_code'

/** Enqueues a job so that neither the response nor its duration reveals whether the user exists. */
export async function requestRecoveryCode(ctx: Context, email: string, device: RequestDevice): Promise<string> {
  assertRecoverable(ctx)
  const request: RecoveryCodeRequest = { id: newId(), email, device }
  await transact(ctx, (tx) => enqueueJob(tx, recoveryCodeJob, { ...request }))
  return request.id
}

export async function sendRecoveryCode(ctx: Context, request: RecoveryCodeRequest): Promise<void> {
  const { id, email, device } = request
  await transact(ctx, async (tx) => {
    // If the job is repeated after a crash, the code already exists.
    if (await findToken(tx.db, 'recovery', id)) return
    const found = await findUserByContact(tx, email)
    // The lock keeps the user as checked until the code is issued.
    const user = found && (await lockUser(tx, found.id))
    const reason = await rejectionOf(tx, email, user)
    if (user && !reason) await send(tx, request, user)
    const details = { token: id, method: 'email', contact: auditedContact(ctx, email), by: 'recovery', reason }
    const outcome = reason ? 'failure' : 'success'
    await recordAudit(tx, { event: 'token_sent', outcome, target: user?.id, device, details })
  })
}

async function rejectionOf(tx: Transaction, email: string, user: UserRow | undefined): Promise<string | undefined> {
  const reason = await rejectionOfUser(tx, user)
  if (reason) return reason
  return (await mayMail(tx, 'recovery_code', email)) ? undefined : 'cap'
}

async function send(tx: Transaction, { id, email, device }: RecoveryCodeRequest, user: UserRow): Promise<void> {
  const { CODE_TTL: lifetime } = tx.config
  // Otherwise, anyone could make the owner's code invalid by requesting another one. More valid codes do not allow more
  // guesses: each guess names one code, and the limit per account applies to all of them.
  const issue = { id, purpose: 'recovery', userId: user.id, target: email, lifetime, keepsOlder: true } as const
  const { code, expiresAt } = await issueTokenAndCode(tx, { ...issue, codeLifetime: lifetime })
  await enqueueCounted(tx, {
    message: 'recovery_code',
    to: email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    expiresAt,
    variables: { code, expires_in: String(lifetime / 1000), ip: device.address, name: greetedName(user) },
  })
}
