import type { PersonalData } from '../../context.ts'
import { partOfModule } from '../../profile/schemas.ts'
import { endUnprovenDeletion } from './cancel-deletion.ts'
import { deletePendingRequest } from './deletion-queries.ts'
import { deleteExportOf } from './export-queries.ts'
import { wholeHistory } from './history.ts'
import { findStatus } from './queries.ts'
import { forgetConsent, shownStatus } from './update-status.ts'

/** When a user is erased, a foreign key and a trigger remove the user from the history. All other rows are deleted. */
export const privacyData: PersonalData = {
  tables: ['user_privacy_events', 'user_deletion_requests', 'user_privacy_exports'],
  exported: { privacy: { schema: partOfModule, inProfile: true } },
  collect: async (_ctx, { id }) => {
    const status = await findStatus(_ctx.db, id)
    return { ...(status && { privacy: shownStatus(status) }), privacy_history: await wholeHistory(_ctx.db, id) }
  },
  unproven: async (tx, user) => {
    await endUnprovenDeletion(tx, user)
    await deleteExportOf(tx.db, user.id)
    await forgetConsent(tx, user.id)
  },
  // A pending request is deleted because it would delete the user again if the user were restored.
  onDelete: async (tx, userId) => {
    await deletePendingRequest(tx.db, userId)
    await deleteExportOf(tx.db, userId)
  },
}
