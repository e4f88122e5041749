import type { Context, FactorProof } from '../../context.ts'
import { keyedHash } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import { findUsable, insertToken } from '../../one-time-tokens/queries.ts'
import type { FactorRequest } from './methods/method.ts'

const purpose = 'two_factor_promotion'

/** Stores the proof for as long as a partial session can last. */
export async function notePromotion(ctx: Context, { user, sessionId }: FactorRequest, proof: FactorProof) {
  const now = ctx.clock.now()
  await insertToken(ctx.db, {
    id: newId(),
    purpose,
    secret_hash: hashOf(ctx, sessionId, proof),
    user_id: user.id,
    target: sessionId,
    created_at: new Date(now),
    expires_at: new Date(now + ctx.config.PARTIAL_SESSION_TTL),
  })
}

/** Whether this proof has already completed this session. A repeated request does not count as a wrong attempt. */
export async function hasPromoted(ctx: Context, { sessionId }: FactorRequest, proof: FactorProof): Promise<boolean> {
  const now = ctx.clock.date()
  return (await findUsable(ctx.db, purpose, hashOf(ctx, sessionId, proof), now)) !== undefined
}

const hashOf = ({ config }: Context, sessionId: string, { code, response }: FactorProof): string =>
  keyedHash(config.AUTH_SECRET, 'promoting-proof', `${sessionId}.${code ?? JSON.stringify(response)}`)
