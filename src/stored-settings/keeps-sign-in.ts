import type { Context, SessionView } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import { canSignIn } from '../sign-in-methods/can-sign-in.ts'
import { countLockedOut, problemWithoutPasswords } from '../sign-in-methods/locked-out.ts'

interface Accepted {
  /** The session of the superadmin who changes the setting. Undefined on the command line. */
  view: SessionView | undefined
  /** The number of users that the caller accepts to lock out. */
  lockedOut: number | undefined
}

const name = 'PASSWORDS_ENABLED'

/**
 * Rejects a change after which nobody could administer the service, or the caller could not sign in. If other users
 * would be locked out, the caller must accept their number, as shown in the error.
 */
export async function assertKeepsSignIn(
  ctx: Context,
  after: Context['config'],
  { view, lockedOut = 0 }: Accepted,
): Promise<void> {
  if (after.PASSWORDS_ENABLED || !ctx.config.PASSWORDS_ENABLED) return
  const problem = await problemWithoutPasswords(ctx, after)
  if (problem) throw invalidField(name, problem)
  if (view && !(await canSignIn(ctx, view.user.id, after))) throw invalidField(name, leavesYouOut)
  const count = await countLockedOut(ctx, ctx.config, after)
  if (count <= lockedOut) return
  const users = count === 1 ? '1 user' : `${count} users`
  throw invalidField(name, `would leave ${users} without a way to sign in: to accept this, send locked_out=${count}`)
}

const leavesYouOut =
  'would leave you without a way to sign in: add a passkey, link an account or verify your email address first'
