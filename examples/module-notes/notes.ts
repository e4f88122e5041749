import type { Context, SessionView } from '../../src/context.ts'
import type { Db } from '../../src/db/tables.ts'
import type { Toolkit } from '../../src/modules/toolkit.ts'

export const notesOf = (db: Db, userId: string) =>
  db
    .selectFrom('user_notes')
    .select(['id', 'note', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Locks the user, so that concurrent requests cannot exceed NOTES_MAX. */
export const addNote = (
  { transact, lockCaller, newId, AppError }: Toolkit,
  ctx: Context,
  view: SessionView,
  note: string,
) =>
  transact(ctx, async (tx) => {
    const { id: userId } = await lockCaller(tx, view)
    if ((await notesOf(tx.db, userId)).length >= ctx.config.NOTES_MAX) throw new AppError('TOO_MANY_NOTES')
    const row = { id: newId(), note, created_at: ctx.clock.date() }
    await tx.db
      .insertInto('user_notes')
      .values({ ...row, user_id: userId })
      .execute()
    await tx.db.updateTable('users').set({ keeps_notes: true }).where('id', '=', userId).execute()
    return row
  })
