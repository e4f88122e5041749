import type { Context, SecondFactorMethod } from '../../context.ts'
import { day } from '../../lib/time.ts'
import { methodOf } from './methods/index.ts'
import { findMethods, findRecovery, type MethodRow } from './queries.ts'

/** A set-up that is still unfinished after this time is ignored. */
export const pendingLifetime = day

export async function userMethodsOf(ctx: Context, userId: string): Promise<MethodRow[]> {
  const stored = await findMethods(ctx.db, userId, new Date(ctx.clock.now() - pendingLifetime))
  const recovery = await findRecovery(ctx.db, userId)
  return recovery ? [...stored, recovery] : stored
}

/** Excludes recovery codes, which only replace the other methods. */
export const activeOf = (rows: readonly MethodRow[]): MethodRow[] =>
  rows.filter(({ status, method }) => status === 'active' && method !== 'recovery')

export const shownMethod = ({ id, method, identifier }: MethodRow): SecondFactorMethod => ({
  id,
  method,
  status: 'active',
  identifier: methodOf(method).masked(identifier),
})
