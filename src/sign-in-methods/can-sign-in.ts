import type { Context } from '../context.ts'
import { offeredMethods } from './offered-methods.ts'
import { opensFor } from './queries.ts'

/**
 * Whether the user can sign in with the given settings. Everything that removes a way to sign in asks this function, in
 * the transaction of the removal.
 */
export const canSignIn = (ctx: Context, userId: string, config = ctx.config): Promise<boolean> =>
  opensFor(ctx.db, userId, offeredMethods(config))
