import type { Context } from '../context.ts'
import { keyedHash, sha256 } from '../lib/hash.ts'
import { newCode, newId, newSecret } from '../lib/ids.ts'
import { insertToken, type TokenPurpose, voidTokens, voidTokensTo } from './queries.ts'

interface Issue {
  purpose: TokenPurpose
  userId: string | null
  /** The object of the secret, such as the address that it proves. */
  target: string | null
  /** In milliseconds. */
  lifetime: number
}

/** Only the hash is stored. Invalidates an older secret of the same purpose and user. */
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
  /** Chosen by the caller, because the response is sent before the secret is issued. */
  id: string
  target: string
  codeLifetime: number
}

/** Using the token or the code invalidates both. Invalidates an older one of the same purpose, user and target. */
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

/** Bound to the id, so equal digits of different secrets have different hashes. */
export const codeHash = ({ config }: Context, id: string, code: string): string =>
  keyedHash(config.AUTH_SECRET, 'one-time-code', `${id}.${code}`)
