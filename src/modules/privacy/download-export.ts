import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { unseal } from '../../lib/seal.ts'
import { consumeOneTimeToken, recordingRejection } from '../../one-time-tokens/one-time-token.ts'
import { takeArchive } from './export-queries.ts'

export const downloadExport = (ctx: Context, token: string, device: RequestDevice): Promise<string> =>
  recordingRejection(ctx, 'personal_data', { device }, () =>
    transact(ctx, async (tx) => {
      const { user_id, target } = await consumeOneTimeToken(tx, 'personal_data', token)
      const sealed = target && (await takeArchive(tx.db, target, ctx.clock.date()))
      if (!sealed) throw new AppError('INVALID_TOKEN')
      const details = { purpose: 'personal_data' }
      await recordAudit(tx, { event: 'token_used', target: user_id ?? undefined, device, details })
      return unseal(ctx.dataKeys, sealed)
    }),
  )
