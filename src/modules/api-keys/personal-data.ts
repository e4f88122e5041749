import { recordAudit } from '../../audit/record.ts'
import type { PersonalData, Transaction } from '../../context.ts'
import { listOfModule } from '../../profile/schemas.ts'
import { findEpoch, removeOwner, updateAccount } from './account-queries.ts'
import { revokeKeys } from './change-keys.ts'
import { listKeys } from './key-queries.ts'
import { shownKey } from './shapes.ts'

export const keyData: PersonalData = {
  tables: ['api_keys', 'service_account_owners'],
  exported: { api_keys: { schema: listOfModule, inProfile: true } },
  collect: async (ctx, user) => {
    const now = ctx.clock.date()
    const rows = await listKeys(ctx.db, { userId: user.id, accountId: null }, now)
    return { api_keys: rows.map((row) => shownKey(row, now)) }
  },
  async onDelete(tx, userId) {
    await revokeKeys(tx, { ...ofUser(userId), reason: 'user_deleted' })
    await leaveAccounts(tx, userId)
  },
  unproven: async (tx, user) => void (await revokeKeys(tx, { ...ofUser(user.id), reason: 'unproven' })),
}

const ofUser = (userId: string) => ({ holder: { userId, accountId: null }, actor: undefined, device: undefined })

/** Restoring the user does not restore the ownership, so an account without owners does not work again by itself. */
async function leaveAccounts(tx: Transaction, userId: string): Promise<void> {
  for (const { id, left } of await removeOwner(tx.db, userId)) {
    if (left === 0 && tx.config.SERVICE_ACCOUNT_OWNER_RULE === 'disable') {
      await updateAccount(tx.db, id, { is_enabled: false, updated_at: tx.clock.date() })
      const details = { service_account: id, reason: 'no_owner' }
      await recordAudit(tx, { event: 'service_account_disabled', details })
    }
    const epoch = await findEpoch(tx.db, id)
    tx.after(() => tx.sessions.invalidate(id, epoch))
  }
}
