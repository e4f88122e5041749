import type { PersonalData } from '../../context.ts'
import { partOfModule } from '../../profile/schemas.ts'
import { deletePending } from './deletion-queries.ts'
import { deleteExportOf } from './export-queries.ts'
import { wholeHistory } from './history.ts'
import { findStatus } from './queries.ts'
import { shownStatus } from './update-status.ts'

/** When the user is erased, the history loses its person by a foreign key and a trigger; the rest goes along. */
export const privacyData: PersonalData = {
  tables: ['user_privacy_events', 'user_deletion_requests', 'user_privacy_exports'],
  exported: { privacy: { schema: partOfModule, inProfile: true } },
  collect: async (_ctx, { id }) => {
    const status = await findStatus(_ctx.db, id)
    return { ...(status && { privacy: shownStatus(status) }), privacy_history: await wholeHistory(_ctx.db, id) }
  },
  // Somebody who is restored must not be deleted again by an older wish.
  leave: async (tx, userId) => {
    await deletePending(tx.db, userId)
    await deleteExportOf(tx.db, userId)
  },
}
