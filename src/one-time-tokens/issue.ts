import type { Context } from '../context.ts'
import { keyedHash, sha256 } from '../lib/hash.ts'
import { newCode, newId, newSecret } from '../lib/ids.ts'
import { insertToken, type TokenPurpose, voidTokens, voidTokensTo } from './queries.ts'

interface Issue {
  purpose: TokenPurpose
  userId: string | null
  /** What the token is for, such as the address that it verifies. */
  target: string | null
  /** In milliseconds. */
  lifetime: number
}

/** Invalidates an older token of the same purpose and user. Only the hash of the new one is stored. */
export async function issueOneTimeToken(ctx: Context, { purpose, userId, target, lifetime }: Issue) {
  const secret = newSecret()
  const now = ctx.clock.now()
  const expiresAt = new Date(now + lifetime)
  await voidTokens(ctx.db, purpose, userId, new Date(now))
  await insertToken(ctx.db, {
    id: newId(),
    purpose,
    secret_hash: sha256(secret),
    user_id: userId,
    target,
    created_at: new Date(now),
    expires_at: expiresAt,
  })
  return { secret, expiresAt }
}

interface IssueWithCode extends Issue {
  /** The caller chooses the id, because the response contains it and is sent before the token is issued. */
  id: string
  target: string
  codeLifetime: number
}

/** Invalidates older tokens and codes of the same purpose, user and target. Use of either invalidates both. */
export async function issueTokenAndCode(ctx: Context, issue: IssueWithCode) {
  const { id, purpose, userId, target, lifetime, codeLifetime } = issue
  const [secret, code] = [newSecret(), newCode()]
  const now = ctx.clock.now()
  const expiresAt = new Date(now + lifetime)
  await voidTokensTo(ctx.db, purpose, userId, target, new Date(now))
  await insertToken(ctx.db, {
    id,
    purpose,
    secret_hash: sha256(secret),
    user_id: userId,
    target,
    created_at: new Date(now),
    expires_at: expiresAt,
    code_hash: codeHash(ctx, id, code),
    code_expires_at: new Date(now + codeLifetime),
  })
  return { secret, code, expiresAt }
}

/** Includes the id, so that equal codes have different hashes. */
export const codeHash = ({ config }: Context, id: string, code: string): string =>
  keyedHash(config.AUTH_SECRET, 'one-time-code', `${id}.${code}`)
