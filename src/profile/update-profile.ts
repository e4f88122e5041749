import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { EmailChange } from '../email-addresses/change-queries.ts'
import { startEmailChange } from '../email-addresses/start-change.ts'
import { AppError } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { lockCaller } from '../sessions/authenticate.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { isRecentlyProven } from '../sessions/session.ts'
import { emailField } from '../users/fields.ts'
import { readChanges, type UserMembersInput } from '../users/read-changes.ts'
import { writeChanges } from './write-changes.ts'

export interface ProfileInput {
  email?: string
  /**
   * If this is absent and the authentication is not recent, a new phone number is not trusted and, if
   * EMAIL_CHANGE_REAUTH is set, a new email address is rejected.
   */
  current_password?: string
}

export interface Updated {
  user: UserRow
  /** Defined if a new email address was requested. The change must be confirmed from both addresses. */
  pending: EmailChange | undefined
}

export async function updateProfile(
  ctx: Context,
  view: SessionView,
  { email, current_password, ...input }: UserMembersInput & ProfileInput,
  from: SignInDevice,
): Promise<Updated> {
  const requested = readChanges(ctx, input)
  const newEmail = email?.trim() ? emailField('email', email) : undefined
  const asksForEmail = newEmail !== undefined && newEmail !== view.user.email
  const isProven = await hasProof(ctx, view, current_password, from)
  if (asksForEmail && ctx.config.EMAIL_CHANGE_REAUTH && !isProven) throw new AppError('REAUTH_REQUIRED')
  const { device } = from
  return transact(ctx, async (tx) => {
    const before = await lockCaller(tx, view)
    // A trusted number signs in to the service itself, so an application must not add one.
    const mayTrust = isProven && view.session.parent_id === null
    const { user, details } = await writeChanges(tx, before, requested, { isProven: mayTrust, device })
    if (details) await recordAudit(tx, { event: 'profile_updated', actor: user, target: user.id, device, details })
    if (!asksForEmail || newEmail === user.email) return { user, pending: undefined }
    const request = { user, sessionId: view.session.id, newEmail, device, again: 'keep' } as const
    return { user, pending: await startEmailChange(tx, request) }
  })
}

/** Whether the user has authenticated recently or with this request. A password in the request must be correct. */
async function hasProof(
  ctx: Context,
  view: SessionView,
  currentPassword: string | undefined,
  from: SignInDevice,
): Promise<boolean> {
  if (currentPassword === undefined) return isRecentlyProven(ctx, view)
  await proveIdentity(ctx, view, { ...from, currentPassword })
  return true
}
