import type { Context, SecondFactorMethod } from '../../context.ts'
import { day } from '../../lib/time.ts'
import { methodOf } from './methods/index.ts'
import { findMethods, findRecovery, type MethodRow } from './queries.ts'

/** What was begun and not finished is forgotten after this time. */
export const pendingLifetime = day

/** All that a user has, the recovery codes as one of them; the default method first. */
export async function methodsOf(ctx: Context, userId: string): Promise<MethodRow[]> {
  const stored = await findMethods(ctx.db, userId, new Date(ctx.clock.now() - pendingLifetime))
  const recovery = await findRecovery(ctx.db, userId)
  return recovery ? [...stored, recovery] : stored
}

/** Those that protect the account. Recovery codes stand in for them, and are none themselves. */
export const activeOf = (rows: readonly MethodRow[]): MethodRow[] =>
  rows.filter(({ status, method }) => status === 'active' && method !== 'recovery')

/** As a sign-in shows what can confirm it. */
export const shownMethod = ({ id, method, identifier }: MethodRow): SecondFactorMethod => ({
  id,
  method,
  status: 'active',
  identifier: methodOf(method).masked(identifier),
})
