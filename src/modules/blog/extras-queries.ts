import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import type { BlogExtension } from './components.ts'

export interface ExtraColumn {
  component: BlogExtension
  name: string
  /** Returns the value for the post `p` and this reader. */
  value(readerId: string): RawBuilder<unknown>
}

export const countColumns: readonly ExtraColumn[] = [
  {
    component: 'ext-comments',
    name: 'comments',
    value: () => sql`(SELECT count(*)::int FROM post_comments c
      WHERE c.post_id = p.id AND c.status = 'approved' AND c.deleted_at IS NULL)`,
  },
  {
    component: 'ext-reactions',
    name: 'reactions',
    value: () => sql`(SELECT count(*)::int FROM post_reactions r WHERE r.post_id = p.id)`,
  },
  {
    component: 'ext-bookmarks',
    name: 'bookmarks',
    value: () => sql`(SELECT count(*)::int FROM post_bookmarks b WHERE b.post_id = p.id)`,
  },
  {
    component: 'ext-views',
    name: 'views',
    value: () => sql`coalesce((SELECT v.views FROM post_view_totals v WHERE v.post_id = p.id), 0)`,
  },
]

export const viewerColumns: readonly ExtraColumn[] = [
  {
    component: 'ext-reactions',
    name: 'reaction',
    value: (readerId) =>
      sql`(SELECT r.reaction FROM post_reactions r WHERE r.post_id = p.id AND r.user_id = ${readerId})`,
  },
  {
    component: 'ext-bookmarks',
    name: 'bookmarked',
    value: (readerId) => sql`EXISTS (SELECT FROM post_bookmarks b WHERE b.post_id = p.id AND b.user_id = ${readerId})`,
  },
]

interface ExtrasInput {
  counts: readonly ExtraColumn[]
  viewer: readonly ExtraColumn[]
  translations: boolean
  readerId: string | undefined
}

const languages = sql`ARRAY(SELECT t.lang FROM post_translations t WHERE t.post_id = p.id ORDER BY t.lang) AS translations`

export async function findExtras(
  db: Db,
  ids: readonly string[],
  { counts, viewer, translations, readerId = '' }: ExtrasInput,
): Promise<({ id: string } & Record<string, unknown>)[]> {
  const columns = [...counts, ...viewer].map(({ name, value }) => sql`${value(readerId)} AS ${sql.id(name)}`)
  if (translations) columns.push(languages)
  if (columns.length === 0) return ids.map((id) => ({ id }))
  const { rows } = await sql<{ id: string } & Record<string, unknown>>`
    SELECT p.id, ${sql.join(columns)} FROM unnest(${ids}::uuid[]) AS p (id)`.execute(db)
  return rows
}
