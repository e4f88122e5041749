import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import { heads, type MoreColumns, type PostHead, typeOf } from '../queries.ts'

interface Name {
  lang: string
  slug: string
}

/** Whoever had a slug last is found under it. */
export const insertFormerSlug = (db: Db, postId: string, { lang, slug }: Name) =>
  db
    .insertInto('post_former_slugs')
    .values({ lang, slug, post_id: postId })
    .onConflict((conflict) => conflict.columns(['lang', 'slug']).doUpdateSet({ post_id: postId }))
    .execute()

export const removeFormerSlug = (db: Db, postId: string, { lang, slug }: Name) =>
  db
    .deleteFrom('post_former_slugs')
    .where('lang', '=', lang)
    .where('slug', '=', slug)
    .where('post_id', '=', postId)
    .execute()

/** Posts that had this slug, themselves or one of their translations; the preferred languages first. */
export async function findHeadsByFormerSlug(
  db: Db,
  more: MoreColumns,
  slug: string,
  [wanted, fallback]: [string, string],
): Promise<{ head: PostHead; lang: string }[]> {
  const rows = await db
    .selectFrom('post_former_slugs as f')
    .innerJoin('posts as p', 'p.id', 'f.post_id')
    .select([...heads, ...typeOf(more)].map((name) => `p.${name}` as const))
    .select('f.lang as former_lang')
    .where('f.slug', '=', slug)
    .where('p.deleted_at', 'is', null)
    .orderBy(sql`f.lang = ${wanted}`, 'desc')
    .orderBy(sql`f.lang = ${fallback}`, 'desc')
    .orderBy('p.created_at')
    .limit(100)
    .execute()
  return rows.map(({ former_lang, ...head }) => ({ head, lang: former_lang }))
}
