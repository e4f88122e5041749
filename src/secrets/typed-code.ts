import type { Context } from '../context.ts'
import { sha256 } from '../lib/hash.ts'
import { newCode, newId, newSecret } from '../lib/ids.ts'
import { guesses } from './code-counter.ts'
import { codeHash } from './issue.ts'
import { findLiveCode, guessCode, insertSecret, type SecretPurpose, voidSecretsTo } from './queries.ts'

/** Codes without a link beside them. Whoever calls holds the user. */
interface Bound {
  purpose: SecretPurpose
  userId: string
  /** What the code is for. It is none for anything else. */
  target: string
}

/**
 * Makes a code; an older one for the same is dead, but the guesses that it has taken count for the new one, too.
 * Undefined when there are none left: then no code works until the time of the old one is over.
 */
export async function issueCode(
  ctx: Context,
  { purpose, userId, target }: Bound,
  lifetime: number,
): Promise<{ code: string; expiresAt: Date } | undefined> {
  const now = new Date(ctx.clock.now())
  const older = await findLiveCode(ctx.db, purpose, userId, target, now)
  if (older && older.guesses >= guesses.perCode) return undefined
  await voidSecretsTo(ctx.db, purpose, userId, target, now)
  const [id, code] = [newId(), newCode()]
  const expiresAt = new Date(now.getTime() + lifetime)
  await insertSecret(ctx.db, {
    id,
    purpose,
    // The row has a link's place, which nobody ever gets the link for.
    secret_hash: sha256(newSecret()),
    user_id: userId,
    target,
    created_at: now,
    expires_at: expiresAt,
    code_hash: codeHash(ctx, id, code),
    code_expires_at: expiresAt,
    guesses: older?.guesses ?? 0,
  })
  return { code, expiresAt }
}

/** Spends the code when it is right; else counts the guess, and says how many it may still take. */
export async function tryCode(
  ctx: Context,
  { purpose, userId, target }: Bound,
  code: string,
): Promise<{ right: boolean; left: number }> {
  const now = new Date(ctx.clock.now())
  const live = await findLiveCode(ctx.db, purpose, userId, target, now)
  if (!live) return { right: false, left: 0 }
  const hash = codeHash(ctx, live.id, code)
  const proven = await guessCode(ctx.db, purpose, { id: live.id, hash, most: guesses.perCode, now })
  return { right: proven !== undefined, left: Math.max(0, guesses.perCode - live.guesses - 1) }
}
