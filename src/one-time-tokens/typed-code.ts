import type { Context } from '../context.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { newCode, newId, newSecret } from '../lib/ids.ts'
import { guesses } from './code-counter.ts'
import { codeHash } from './one-time-token.ts'
import { findLiveCode, guessCode, insertToken, type TokenPurpose, voidTokensTo } from './queries.ts'

/** Identifies a code that is sent without a link. The caller must have locked the user. */
interface CodeBinding {
  purpose: TokenPurpose
  userId: string
  /** The code is accepted only together with this target. */
  target: string
}

/** Wrong attempts with an older valid code also count towards the new one. Returns undefined if no attempts remain. */
export async function issueCode(
  ctx: Context,
  { purpose, userId, target }: CodeBinding,
  lifetime: number,
): Promise<{ code: string; expiresAt: Date } | undefined> {
  const now = ctx.clock.date()
  const older = await findLiveCode(ctx.db, purpose, userId, target, now)
  if (older && older.guesses >= guesses.perCode) return undefined
  await voidTokensTo(ctx.db, purpose, userId, target, now)
  const [id, code] = [newId(), newCode()]
  const expiresAt = new Date(now.getTime() + lifetime)
  await insertToken(ctx.db, {
    id,
    purpose,
    // The column is required, but no link is sent for this token.
    secret_hash: sha256Bytes(newSecret()),
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

export async function tryCode(
  ctx: Context,
  { purpose, userId, target }: CodeBinding,
  code: string,
): Promise<{ right: boolean; left: number }> {
  const now = ctx.clock.date()
  const live = await findLiveCode(ctx.db, purpose, userId, target, now)
  if (!live) return { right: false, left: 0 }
  const hash = codeHash(ctx, live.id, code)
  const proven = await guessCode(ctx.db, purpose, { id: live.id, hash, max: guesses.perCode, now })
  return { right: proven !== undefined, left: Math.max(0, guesses.perCode - live.guesses - 1) }
}
