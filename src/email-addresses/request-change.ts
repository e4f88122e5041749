import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { emailField } from '../users/fields.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import type { EmailChange } from './change-queries.ts'
import { startEmailChange } from './start-change.ts'

interface EmailChangeInput {
  new_email: string
  current_password?: string
}

export async function requestEmailChange(
  ctx: Context,
  view: SessionView,
  input: EmailChangeInput,
  from: SignInDevice,
): Promise<EmailChange> {
  const newEmail = emailField('new_email', input.new_email)
  const { current_password: currentPassword } = input
  // EMAIL_CHANGE_REAUTH makes reauthentication mandatory. A password in the request is always checked.
  if (ctx.config.EMAIL_CHANGE_REAUTH || currentPassword !== undefined)
    await proveIdentity(ctx, view, { ...from, currentPassword })
  return transact(ctx, async (tx) => {
    const found = await lockUser(tx, view.user.id)
    if (!found) throw new AppError('INVALID_SESSION')
    const user = withoutPassword(found)
    if (user.email === newEmail) throw invalidField('new_email', 'is already your email address')
    const { device } = from
    return startEmailChange(tx, { user, sessionId: view.session.id, newEmail, device, again: 'restart' })
  })
}
