import type { Context, SessionView } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import { canSignIn } from '../sign-in-methods/can-sign-in.ts'
import { countLockedOut, problemWithChange } from '../sign-in-methods/locked-out.ts'
import { offeredMethods, removesMethod } from '../sign-in-methods/offered-methods.ts'

interface Accepted {
  /** The session of the superadmin who changes the settings. Undefined on the command line. */
  view: SessionView | undefined
  /** The number of users that the caller accepts to lock out. */
  lockedOut: number | undefined
}

interface ConfigChange {
  before: Context['config']
  after: Context['config']
  names: readonly string[]
  /** Returns the configuration if only this setting were changed. */
  afterOnly(name: string): Context['config']
}

/**
 * Rejects a change after which nobody could administer the service, or the caller could not sign in. If other users
 * would be locked out, the caller must accept their number, as shown in the error.
 */
export async function assertKeepsSignIn(
  ctx: Context,
  { before, after, names, afterOnly }: ConfigChange,
  { view, lockedOut = 0 }: Accepted,
): Promise<void> {
  const offered = offeredMethods(before)
  if (!removesMethod(offered, offeredMethods(after))) return
  const cause = names.find((name) => removesMethod(offered, offeredMethods(afterOnly(name)))) ?? names[0]
  const reject = (message: string) => invalidField(cause ?? 'changes', message)
  const problem = await problemWithChange(ctx, before, after)
  if (problem) throw reject(problem)
  if (view && !(await canSignIn(ctx, view.user.id, after))) throw reject(leavesYouOut)
  const count = await countLockedOut(ctx, before, after)
  if (count <= lockedOut) return
  const users = count === 1 ? '1 user' : `${count} users`
  throw reject(`would leave ${users} without a way to sign in: to accept this, send locked_out=${count}`)
}

const leavesYouOut =
  'would leave you without a way to sign in: first add another one, such as a linked account or a verified email address'
