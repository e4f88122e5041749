import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { userColumns } from '../users/columns.ts'
import { emailField } from '../users/fields.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import type { EmailChange } from './change-queries.ts'
import { assertMayChangeEmail, startEmailChange } from './start-change.ts'

/** Starts a change on its own. Asked for twice, it begins anew: with new links, and more time. */
export async function requestEmailChange(
  ctx: Context,
  { session, user: { id } }: SessionView,
  given: { new_email: string },
  device: Device,
): Promise<EmailChange> {
  assertMayChangeEmail(ctx, { session })
  const newEmail = emailField('new_email', given.new_email)
  return transact(ctx.db, async (change) => {
    const found = await lockUser(change.db, userColumns(ctx.modules), id)
    if (!found) throw new AppError('INVALID_SESSION')
    const user = withoutPassword(found)
    if (user.email === newEmail) throw invalidField('new_email', 'is the address you have')
    return startEmailChange(ctx, change, { user, sessionId: session.id, newEmail, device, again: 'restart' })
  })
}
