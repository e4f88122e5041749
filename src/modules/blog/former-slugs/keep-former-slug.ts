import type { Db } from '../../../db/tables.ts'
import type { PostRow } from '../queries.ts'
import { insertFormerSlug, removeFormerSlug } from './queries.ts'

interface Name {
  lang: string
  slug: string
}

export async function keepFormerSlug(
  db: Db,
  { id, published_at }: Pick<PostRow, 'id' | 'published_at'>,
  before: Name,
  after: Name,
): Promise<void> {
  if (before.slug === after.slug && before.lang === after.lang) return
  await removeFormerSlug(db, id, after)
  if (published_at !== null) await insertFormerSlug(db, id, before)
}
