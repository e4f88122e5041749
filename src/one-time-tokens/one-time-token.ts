import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { keyedHashBytes, sha256Bytes } from '../lib/hash.ts'
import { newCode, newId, newSecret } from '../lib/ids.ts'
import { lockUsers } from '../users/queries.ts'
import { consumeToken, findOwnerId, insertToken, type TokenPurpose, voidTokens, voidTokensTo } from './queries.ts'

interface Issue {
  purpose: TokenPurpose
  userId: string | null
  /** The token's target, such as the email address that it verifies. */
  target: string | null
  /** In milliseconds. */
  lifetime: number
}

/** Invalidates older tokens with the same purpose and user. Only the new token's hash is stored. */
export async function issueOneTimeToken(ctx: Context, { purpose, userId, target, lifetime }: Issue) {
  const secret = newSecret()
  const now = ctx.clock.now()
  const expiresAt = new Date(now + lifetime)
  await voidTokens(ctx.db, purpose, userId, new Date(now))
  await insertToken(ctx.db, {
    id: newId(),
    purpose,
    secret_hash: sha256Bytes(secret),
    user_id: userId,
    target,
    created_at: new Date(now),
    expires_at: expiresAt,
  })
  return { secret, expiresAt }
}

interface IssueWithCode extends Issue {
  /** The caller chooses the id because the response contains it and is sent before the token is issued. */
  id: string
  target: string
  codeLifetime: number
  /** Keeps older ones valid, because anyone may request a new one for the target. */
  keepsOlder?: true
}

/**
 * Issues a token and a code. Older ones with the same purpose, user and target become invalid unless `keepsOlder` is set.
 * Using the new token or the new code invalidates both.
 */
export async function issueTokenAndCode(ctx: Context, issue: IssueWithCode) {
  const { id, purpose, userId, target, lifetime, codeLifetime, keepsOlder } = issue
  const [secret, code] = [newSecret(), newCode()]
  const now = ctx.clock.now()
  const expiresAt = new Date(now + lifetime)
  if (!keepsOlder) await voidTokensTo(ctx.db, purpose, userId, target, new Date(now))
  await insertToken(ctx.db, {
    id,
    purpose,
    secret_hash: sha256Bytes(secret),
    user_id: userId,
    target,
    created_at: new Date(now),
    expires_at: expiresAt,
    code_hash: codeHash(ctx, id, code),
    code_expires_at: new Date(now + codeLifetime),
  })
  return { secret, code, expiresAt }
}

/** The hash includes the id so that equal codes have different hashes. */
export const codeHash = ({ config }: Context, id: string, code: string): Buffer =>
  keyedHashBytes(config.AUTH_SECRET, 'one-time-code', `${id}.${code}`)

/**
 * Throws INVALID_TOKEN if the token is not valid. A conditional UPDATE prevents parallel use. The user lock serializes
 * use and invalidation.
 */
export async function consumeOneTimeToken(ctx: Context, purpose: TokenPurpose, secret: string) {
  const hash = sha256Bytes(secret)
  const owner = await findOwnerId(ctx.db, purpose, hash)
  if (owner) await lockUsers(ctx.db, [owner])
  const redeemed = await consumeToken(ctx.db, purpose, hash, ctx.clock.date())
  if (!redeemed) throw new AppError('INVALID_TOKEN')
  return redeemed
}

interface TokenUse {
  device: RequestDevice
  /** The id of the user whose token it is, if it is known. */
  target?: string | undefined
}

export async function recordingRejection<Result>(
  ctx: Context,
  purpose: TokenPurpose | 'email_change',
  { device, target }: TokenUse,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'INVALID_TOKEN' || error.code === 'INVALID_CODE')) {
      const details = { reason: error.code === 'INVALID_CODE' ? `${purpose}_code` : purpose }
      await recordAudit(ctx, { event: 'token_rejected', outcome: 'failure', target, device, details })
    }
    throw error
  }
}
