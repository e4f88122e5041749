import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { UserBlocksTable } from '../db/rows/users.ts'
import type { Db } from '../db/tables.ts'

export type UserBlock = Selectable<UserBlocksTable>

export const findBlocks = (db: Db, userIds: readonly string[], now: Date): Promise<UserBlock[]> =>
  db
    .selectFrom('user_blocks')
    .selectAll()
    .where('user_id', 'in', [...userIds])
    .where((on) => on.or([on('until', 'is', null), on('until', '>', now)]))
    .execute()

export async function findBlock(db: Db, userId: string, now: Date): Promise<UserBlock | undefined> {
  const [block] = await findBlocks(db, [userId], now)
  return block
}

/** A condition for the user whose id is in this column. */
export const isBlocked = (now: Date, idColumn = 'users.id'): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM user_blocks WHERE user_id = ${sql.ref(idColumn)} AND (until IS NULL OR until > ${now}))`

/** A new block replaces the user's previous block. */
export const writeBlock = (db: Db, block: UserBlock) =>
  db
    .insertInto('user_blocks')
    .values(block)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(block))
    .execute()

/** Returns the deleted block if it was still in force. */
export async function deleteBlock(db: Db, userId: string, now: Date): Promise<UserBlock | undefined> {
  const row = await db.deleteFrom('user_blocks').where('user_id', '=', userId).returningAll().executeTakeFirst()
  return row && (row.until === null || row.until > now) ? row : undefined
}
