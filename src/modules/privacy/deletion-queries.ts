import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'

const shownColumns = ['status', 'requested_at', 'scheduled_for'] as const

export type DeletionRequest = Pick<Selectable<Tables['user_deletion_requests']>, (typeof shownColumns)[number]>

/** Returns the pending request or, if there is none, the last cancelled one. */
export const findRequest = (db: Db, userId: string): Promise<DeletionRequest | undefined> =>
  db
    .selectFrom('user_deletion_requests')
    .select(shownColumns)
    .where('user_id', '=', userId)
    .orderBy((build) => build('status', '=', 'pending'), 'desc')
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

interface NewRequest {
  id: string
  user_id: string
  reason: string | null
  requested_at: Date
  scheduled_for: Date
}

// This is a literal because a generic plan with a parameter cannot use the partial indexes.
const pending = sql.lit('pending' as const)

/** Returns false if a request is already pending. A unique index prevents a second pending request. */
export async function insertRequest(db: Db, row: NewRequest): Promise<boolean> {
  const inserted = await db
    .insertInto('user_deletion_requests')
    .values({ ...row, status: 'pending' })
    .onConflict((conflict) => conflict.column('user_id').where('status', '=', pending).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const cancelPendingRequest = (db: Db, userId: string, now: Date): Promise<DeletionRequest | undefined> =>
  db
    .updateTable('user_deletion_requests')
    .set({ status: 'cancelled', cancelled_at: now })
    .where('user_id', '=', userId)
    .where('status', '=', pending)
    .returning(shownColumns)
    .executeTakeFirst()

export const findDue = (db: Db, now: Date, limit: number) =>
  db
    .selectFrom('user_deletion_requests')
    .select(['id', 'user_id'])
    .where('status', '=', pending)
    .where('scheduled_for', '<=', now)
    .orderBy('scheduled_for')
    .limit(limit)
    .execute()

export const findDueById = (db: Db, id: string, now: Date) =>
  db
    .selectFrom('user_deletion_requests')
    .select('reason')
    .where('id', '=', id)
    .where('status', '=', pending)
    .where('scheduled_for', '<=', now)
    .executeTakeFirst()

export const deletePendingRequest = (db: Db, userId: string) =>
  db.deleteFrom('user_deletion_requests').where('user_id', '=', userId).where('status', '=', pending).execute()

export async function postponeRequestedDeletions(db: Db, until: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('user_deletion_requests')
    .set({ scheduled_for: until })
    .where('status', '=', pending)
    .where('scheduled_for', '<', until)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
