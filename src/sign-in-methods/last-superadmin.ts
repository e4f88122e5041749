import type { Context } from '../context.ts'
import { waitForLock } from '../db/advisory-locks.ts'
import { holdSettings } from './hold-settings.ts'
import { offeredMethods } from './offered-methods.ts'
import { canSuperadminSignIn } from './queries.ts'

/**
 * Whether no other superadmin can sign in. Serializes callers because two superadmins could otherwise remove each other
 * concurrently.
 */
export async function isLastSuperadmin(
  ctx: Pick<Context, 'db' | 'clock' | 'settings'>,
  userId: string,
): Promise<boolean> {
  await waitForLock(ctx.db, 'lastSuperadmin')
  const offered = offeredMethods(await holdSettings(ctx))
  return !(await canSuperadminSignIn(ctx.db, offered, { now: ctx.clock.date(), except: userId }))
}
