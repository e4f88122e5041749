import type { Context } from '../context.ts'
import { holdSettings } from './hold-settings.ts'
import { offeredMethods } from './offered-methods.ts'
import { opensFor } from './queries.ts'

/**
 * Whether the user can sign in, by default with the stored settings. Everything that removes a way to sign in asks this
 * function, in the transaction of the removal.
 */
export async function canSignIn(ctx: Context, userId: string, config?: Context['config']): Promise<boolean> {
  return opensFor(ctx.db, userId, offeredMethods(config ?? (await holdSettings(ctx))))
}
