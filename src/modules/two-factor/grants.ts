import type { Context } from '../../context.ts'
import { sha256Bytes } from '../../lib/hash.ts'
import { newId, newSecret } from '../../lib/ids.ts'
import { minute, second } from '../../lib/time.ts'
import { consumeAnyOf, insertToken } from '../../one-time-tokens/queries.ts'
import type { FactorRequest } from './methods/method.ts'
import type { MethodRow } from './queries.ts'

const lifetime = 10 * minute
export const grantSeconds = lifetime / second

/** A grant records that a factor was verified. It permits one action in the same session. */
export async function issueGrant(ctx: Context, row: MethodRow, factorRequest: FactorRequest): Promise<void> {
  const now = ctx.clock.now()
  await insertToken(ctx.db, {
    id: newId(),
    purpose: 'two_factor_grant',
    // The grant is found and consumed by its target. The secret is not used and never leaves this function.
    secret_hash: sha256Bytes(newSecret()),
    user_id: row.user_id,
    target: targetOf(row, factorRequest),
    created_at: new Date(now),
    expires_at: new Date(now + lifetime),
  })
}

export const spendGrant = (ctx: Context, rows: readonly MethodRow[], factorRequest: FactorRequest): Promise<boolean> =>
  consumeAnyOf(
    ctx.db,
    'two_factor_grant',
    factorRequest.user.id,
    rows.map((row) => targetOf(row, factorRequest)),
    ctx.clock.date(),
  )

const targetOf = ({ id }: MethodRow, { sessionId, action }: FactorRequest): string => `${sessionId}:${action}:${id}`
