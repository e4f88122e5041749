import { recordAudit } from '../../../audit/record.ts'
import { invalidField } from '../../../lib/errors.ts'
import { consumeRecoveryCode, looksLikeRecoveryCode } from '../../../webauthn/recovery-codes.ts'
import { notifyRecoveryCodeUsed } from '../../../webauthn/recovery-notices.ts'
import type { FactorMethod } from './method.ts'

export const recoveryMethod: FactorMethod = {
  maxPerUser: 10,
  isAvailable: () => true,
  masked: () => null,
  start: async () => ({ sent: false }),
  assertForm: ({ code }) => {
    if (!looksLikeRecoveryCode(code)) throw invalidField('code', 'must be a recovery code such as abcd-efgh-ijklm')
  },
  check: async (ctx, row, _occasion, { code = '' }) => ({ right: await consumeRecoveryCode(ctx, row.user_id, code) }),
  taken: async (tx, row, { user, sessionId, device }) => {
    const remaining = Number(row.metadata.remaining) - 1
    const details = { remaining, session: sessionId }
    await recordAudit(tx, { event: 'backup_code_used', actor: user, target: user.id, device, details })
    await notifyRecoveryCodeUsed(tx, { user, device }, remaining)
  },
}
