import { randomBytes } from 'node:crypto'
import type { Context, Transaction } from '../context.ts'
import { keyedHashBytes } from '../lib/hash.ts'
import { newId } from '../lib/ids.ts'
import { countPasskeys } from './queries.ts'
import {
  deleteRecoveryCodes,
  findRecoveryCodes,
  hasRecoveryCode,
  insertRecoveryCodes,
  markRecoveryCodeUsed,
} from './recovery-queries.ts'

/** A code is 64 bits in base32 (RFC 4648), in lower case, split into three groups. */
const shape = /^[a-z2-7]{4}-?[a-z2-7]{4}-?[a-z2-7]{5}$/
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const howMany = 10

export const looksLikeRecoveryCode = (code: string | undefined): boolean =>
  code !== undefined && shape.test(withoutGaps(code))

const withoutGaps = (code: string): string => code.replace(/[ -]/g, '')

const hashOf = ({ config }: Context, userId: string, code: string): Buffer =>
  keyedHashBytes(config.AUTH_SECRET, 'recovery-code', `${userId}.${withoutGaps(code)}`)

/** Replaces all earlier codes. The returned ones cannot be read later: the database stores only their hashes. */
export async function replaceRecoveryCodes(ctx: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, newRecoveryCode)
  const row = { user_id: userId, used_at: null, created_at: ctx.clock.date() }
  await deleteRecoveryCodes(ctx.db, userId)
  await insertRecoveryCodes(
    ctx.db,
    codes.map((code) => ({ ...row, id: newId(), code_hash: hashOf(ctx, userId, code) })),
  )
  return codes
}

/** Returns undefined if the user has unused codes, because codes that were shown stay valid. */
export async function issueRecoveryCodes(ctx: Context, userId: string): Promise<string[] | undefined> {
  const left = (await findRecoveryCodes(ctx.db, userId))?.remaining ?? 0
  return left > 0 ? undefined : replaceRecoveryCodes(ctx, userId)
}

/** Codes replace a lost authenticator, so they end with the last one. Returns whether none is left. */
export async function forgetUnusedCodes(tx: Transaction, userId: string): Promise<boolean> {
  if ((await countPasskeys(tx.db, userId)) > 0) return false
  if ((await tx.secondFactor.methodsOf(tx.db, userId)).length > 0) return false
  await deleteRecoveryCodes(tx.db, userId)
  return true
}

/** Does not consume the code. */
export const ownsRecoveryCode = (ctx: Context, userId: string, code: string): Promise<boolean> =>
  hasRecoveryCode(ctx.db, userId, hashOf(ctx, userId, code))

export const consumeRecoveryCode = (ctx: Context, userId: string, code: string): Promise<boolean> =>
  markRecoveryCodeUsed(ctx.db, userId, hashOf(ctx, userId, code), ctx.clock.date())

export function newRecoveryCode(): string {
  let bits = randomBytes(8).readBigUInt64BE()
  let text = ''
  for (let digit = 0; digit < 13; digit++) {
    text += alphabet[Number(bits & 31n)]
    bits >>= 5n
  }
  return [text.slice(0, 4), text.slice(4, 8), text.slice(8)].join('-')
}
