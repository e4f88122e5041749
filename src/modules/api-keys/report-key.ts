import { recordAudit } from '../../audit/record.ts'
import type { Context, RequestDevice } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { sha256Bytes } from '../../lib/hash.ts'
import { lockUsers } from '../../users/queries.ts'
import { lockServiceAccount } from './account-queries.ts'
import { revokeKeys } from './change-keys.ts'
import { findByHash } from './key-queries.ts'
import { isKey } from './key-text.ts'

/** Only a caller who has the key can end it. The response does not reveal whether it was valid. */
export async function reportKey(ctx: Context, text: string, device: RequestDevice): Promise<void> {
  const found = isKey(text) ? await findByHash(ctx.db, sha256Bytes(text)) : undefined
  if (!found) {
    const details = { reason: 'unknown_key' }
    return recordAudit(ctx, { event: 'api_key_refused', outcome: 'failure', device, details })
  }
  await transact(ctx, async (tx) => {
    const holder = { userId: found.user_id, accountId: found.service_account_id }
    if (holder.userId !== null) await lockUsers(tx.db, [holder.userId])
    else if (holder.accountId !== null) await lockServiceAccount(tx.db, holder.accountId)
    await revokeKeys(tx, { holder, actor: undefined, device, reason: 'reported', ids: [found.id] })
  })
}
