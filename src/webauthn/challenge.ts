import type { Context } from '../context.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { newId, newSecret } from '../lib/ids.ts'
import { type BoundTo, consumeToken, findPurpose, insertToken, voidTokensTo } from '../one-time-tokens/queries.ts'

/** A challenge is valid only for the ceremony for which it was issued. */
export type StoredCeremony = 'passkey_setup' | 'passkey_upgrade' | 'passkey_check' | 'passkey_registration'

/** The challenge is bound to the action's target and, if the user is known, to the user. */
export interface ChallengeBinding extends BoundTo {
  ceremony: StoredCeremony
  target: string
}

interface ChallengeInput extends ChallengeBinding {
  /** The id of the challenge's row. */
  id?: string
  /** In milliseconds. */
  lifetime: number
}

/** Replaces the previous challenge for the same ceremony, user and target. */
export async function issueChallenge(ctx: Context, challengeInput: ChallengeInput): Promise<string> {
  const { id = newId(), ceremony, userId, target, lifetime } = challengeInput
  const challenge = newSecret()
  const now = ctx.clock.now()
  await voidTokensTo(ctx.db, ceremony, userId, target, new Date(now))
  await insertToken(ctx.db, {
    id,
    purpose: ceremony,
    secret_hash: sha256Bytes(challenge),
    user_id: userId,
    target,
    created_at: new Date(now),
    expires_at: new Date(now + lifetime),
  })
  return challenge
}

/** Uses one conditional statement in the action's transaction. Other users' challenges are not affected. */
export async function consumeChallenge(
  ctx: Context,
  challenge: string,
  { ceremony, userId, target }: ChallengeBinding,
): Promise<string | undefined> {
  const now = ctx.clock.date()
  return (await consumeToken(ctx.db, ceremony, sha256Bytes(challenge), now, { userId, target }))?.id
}

/** Reveals nothing to the caller. `consumeChallenge` decides whether the challenge is valid. */
export const isChallengeOf = async ({ db }: Context, ceremony: StoredCeremony, challenge: string): Promise<boolean> =>
  (await findPurpose(db, [ceremony], sha256Bytes(challenge))) !== undefined
