import type { Context } from '../../../context.ts'
import { sha256 } from '../../../lib/hash.ts'
import { newId, newSecret } from '../../../lib/ids.ts'
import { type BoundTo, consumeSecret, insertSecret, voidSecretsTo } from '../../../secrets/queries.ts'

/** What a challenge was made for; it is good for nothing else. */
export type Ceremony = 'passkey_login' | 'passkey_setup' | 'passkey_check'

/** Who is to answer it; nobody yet, for a sign-in that begins with the passkey. And what the answer acts on. */
export interface Bound extends BoundTo {
  ceremony: Ceremony
}

interface ChallengeInput extends Bound {
  /** Milliseconds. */
  lifetime: number
}

/** A challenge that is answered once at most. A newer one to the same end is the end of it. */
export async function issueChallenge(ctx: Context, { ceremony, userId, target, lifetime }: ChallengeInput) {
  const [id, challenge] = [newId(), newSecret()]
  const now = ctx.clock.now()
  if (userId && target) await voidSecretsTo(ctx.db, ceremony, userId, target, new Date(now))
  await insertSecret(ctx.db, {
    id,
    purpose: ceremony,
    secret_hash: sha256(challenge),
    user_id: userId,
    target,
    created_at: new Date(now),
    expires_at: new Date(now + lifetime),
  })
  return { id, challenge }
}

/**
 * Spends a challenge, in the transaction of its effect: whoever brings it a second time finds nothing, and whoever
 * brings that of somebody else leaves it as it was. Gives its id, which the caller may have been told.
 */
export async function consumeChallenge(
  ctx: Context,
  challenge: string,
  { ceremony, userId, target }: Bound,
): Promise<string | undefined> {
  const now = new Date(ctx.clock.now())
  return (await consumeSecret(ctx.db, ceremony, sha256(challenge), now, { userId, target }))?.id
}
