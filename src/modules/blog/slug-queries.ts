import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import { headColumns, type MoreColumns, type PostHead, typeOf } from './queries.ts'

export async function findHeadsBySlugIn(
  db: Db,
  table: 'post_translations' | 'post_former_slugs',
  more: MoreColumns,
  { slug, preferred: [wanted, fallback] }: { slug: string; preferred: [string, string] },
): Promise<{ head: PostHead; lang: string }[]> {
  const rows = await db
    .selectFrom(sql<{ post_id: string; lang: string; slug: string }>`${sql.table(table)}`.as('s'))
    .innerJoin('posts as p', 'p.id', 's.post_id')
    .select([...headColumns, ...typeOf(more)].map((name) => `p.${name}` as const))
    .select('s.lang as slug_lang')
    .where('s.slug', '=', slug)
    .where('p.deleted_at', 'is', null)
    .orderBy(sql`s.lang = ${wanted}`, 'desc')
    .orderBy(sql`s.lang = ${fallback}`, 'desc')
    .orderBy('p.created_at')
    .limit(100)
    .execute()
  return rows.map(({ slug_lang, ...head }) => ({ head, lang: slug_lang }))
}
