import { randomBytes } from 'node:crypto'
import { recordAudit } from '../../../audit/record.ts'
import type { Context, FactorProof } from '../../../context.ts'
import { invalidField } from '../../../lib/errors.ts'
import { keyedHashBytes } from '../../../lib/hash.ts'
import { notifyRecoveryCodeUsed } from '../notices.ts'
import { consumeRecoveryCode } from '../queries.ts'
import type { FactorMethod } from './method.ts'

/** A code is 64 bits in base32 (RFC 4648), in lower case, split into three groups. */
const shape = /^[a-z2-7]{4}-?[a-z2-7]{4}-?[a-z2-7]{5}$/
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

export const recoveryMethod: FactorMethod = {
  maxPerUser: 10,
  isAvailable: () => true,
  masked: () => null,
  start: async () => ({ sent: false }),
  assertForm: ({ code }) => {
    if (!looksLikeRecoveryCode(code)) throw invalidField('code', 'must be a recovery code such as abcd-efgh-ijklm')
  },
  check: async (ctx, row, _occasion, { code = '' }) => {
    const hash = recoveryHash(ctx, row.user_id, code)
    return { right: await consumeRecoveryCode(ctx.db, row.user_id, hash, ctx.clock.date()) }
  },
  taken: async (tx, row, { user, sessionId, device }) => {
    const remaining = Number(row.metadata.remaining) - 1
    const details = { remaining, session: sessionId }
    await recordAudit(tx, { event: 'backup_code_used', actor: user, target: user.id, device, details })
    await notifyRecoveryCodeUsed(tx, { user, device }, remaining)
  },
}

export const looksLikeRecoveryCode = (code: FactorProof['code']): boolean =>
  code !== undefined && shape.test(withoutGaps(code))

const withoutGaps = (code: string): string => code.replace(/[ -]/g, '')

export const recoveryHash = ({ config }: Context, userId: string, code: string): Buffer =>
  keyedHashBytes(config.AUTH_SECRET, 'recovery-code', `${userId}.${withoutGaps(code)}`)

export function newRecoveryCode(): string {
  let bits = randomBytes(8).readBigUInt64BE()
  let text = ''
  for (let digit = 0; digit < 13; digit++) {
    text += alphabet[Number(bits & 31n)]
    bits >>= 5n
  }
  return [text.slice(0, 4), text.slice(4, 8), text.slice(8)].join('-')
}
