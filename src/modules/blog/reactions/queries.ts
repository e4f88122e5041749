import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

export async function findCounts(db: Db, postId: string): Promise<{ reaction: string; count: number }[]> {
  return db
    .selectFrom('post_reactions')
    .select(['reaction', sql<number>`count(*)::int`.as('count')])
    .where('post_id', '=', postId)
    .groupBy('reaction')
    .orderBy('count', 'desc')
    .orderBy('reaction')
    .execute()
}

export async function findReaction(db: Db, postId: string, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('post_reactions')
    .select('reaction')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.reaction ?? null
}

/** Replaces the user's previous reaction to this post. */
export const putReaction = (
  db: Db,
  { id, postId, userId, reaction, at }: { id: string; postId: string; userId: string; reaction: string; at: Date },
) =>
  db
    .insertInto('post_reactions')
    .values({ id, post_id: postId, user_id: userId, reaction, created_at: at })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doUpdateSet({ reaction, created_at: at }))
    .execute()

export const removeReaction = (db: Db, postId: string, userId: string) =>
  db.deleteFrom('post_reactions').where('post_id', '=', postId).where('user_id', '=', userId).execute()

export const findReactionsOf = (db: Db, userId: string) =>
  db
    .selectFrom('post_reactions')
    .select(['post_id', 'reaction', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
