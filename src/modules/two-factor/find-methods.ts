import type { Context, SecondFactorMethod } from '../../context.ts'
import { day } from '../../lib/time.ts'
import { methodOf } from './methods/index.ts'
import { findMethods, findRecovery, type MethodRow } from './queries.ts'

/** Unfinished set-ups are ignored after this time. */
export const pendingLifetime = day

export async function userMethodsOf(ctx: Context, userId: string): Promise<MethodRow[]> {
  const stored = await findMethods(ctx.db, userId, new Date(ctx.clock.now() - pendingLifetime))
  const recovery = await findRecovery(ctx.db, userId)
  return recovery ? [...stored, recovery] : stored
}

/** Without recovery codes, which only substitute the others. */
export const activeOf = (rows: readonly MethodRow[]): MethodRow[] =>
  rows.filter(({ status, method }) => status === 'active' && method !== 'recovery')

export const shownMethod = ({ id, method, identifier }: MethodRow): SecondFactorMethod => ({
  id,
  method,
  status: 'active',
  identifier: methodOf(method).masked(identifier),
})
