import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'
import type { FullPost } from '../queries.ts'

export type TranslationRow = Selectable<Tables['post_translations']>
export type TranslationChanges = Updateable<Tables['post_translations']>

const shown = ['post_id', 'lang', 'title', 'slug', 'body', 'excerpt', 'created_at', 'updated_at'] as const
export type TranslationView = Pick<TranslationRow, (typeof shown)[number]>

export const findTranslations = (db: Db, postId: string): Promise<TranslationView[]> =>
  db.selectFrom('post_translations').select(shown).where('post_id', '=', postId).orderBy('lang').execute()

const overlaid = ['lang', 'title', 'slug', 'body', 'body_format', 'body_html', 'body_start', 'excerpt'] as const

export const findOverlay = (
  db: Db,
  postId: string,
  lang: string,
): Promise<Pick<FullPost, (typeof overlaid)[number]> | undefined> =>
  db
    .selectFrom('post_translations')
    .select(overlaid)
    .where('post_id', '=', postId)
    .where('lang', '=', lang)
    .executeTakeFirst()

export const findOverlays = (db: Db, postIds: readonly string[], lang: string) =>
  db
    .selectFrom('post_translations')
    .select(['post_id', 'lang', 'title', 'slug', 'body', 'body_format', 'body_start', 'excerpt'])
    .where('post_id', 'in', postIds)
    .where('lang', '=', lang)
    .execute()

export const lockTranslation = (
  db: Db,
  postId: string,
  lang: string,
): Promise<Pick<TranslationRow, 'id' | 'user_id' | 'slug' | 'updated_at'> | undefined> =>
  db
    .selectFrom('post_translations')
    .select(['id', 'user_id', 'slug', 'updated_at'])
    .where('post_id', '=', postId)
    .where('lang', '=', lang)
    .forUpdate()
    .executeTakeFirst()

export async function countTranslations(db: Db, postId: string): Promise<number> {
  const row = await db
    .selectFrom('post_translations')
    .select((build) => build.fn.countAll<string>().as('count'))
    .where('post_id', '=', postId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function insertTranslation(db: Db, row: Insertable<Tables['post_translations']>): Promise<boolean> {
  const inserted = await db
    .insertInto('post_translations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['lang', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const updateTranslation = (db: Db, id: string, changes: TranslationChanges) =>
  db.updateTable('post_translations').set(changes).where('id', '=', id).execute()

export const removeTranslation = (db: Db, id: string) =>
  db.deleteFrom('post_translations').where('id', '=', id).execute()

export const findTranslatedBy = (db: Db, userId: string) =>
  db
    .selectFrom('post_translations')
    .select([...shown, 'body_format'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
