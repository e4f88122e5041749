import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { newId } from '../../lib/ids.ts'
import type { PostRow } from './queries.ts'
import { insertRevision, removeOldRevisions } from './revision-queries.ts'

type Said = Pick<PostRow, 'id' | 'title' | 'body' | 'body_format' | 'excerpt' | 'custom_fields'>

/** Keeps what a post says, and forgets what it said longest ago. */
export async function keepRevision(
  { config }: Context,
  db: Db,
  { id, title, body, body_format, excerpt, custom_fields }: Said,
  { userId, now }: { userId: string | null; now: Date },
): Promise<void> {
  const kept = config.BLOG_REVISIONS_MAX
  if (kept === 0) return
  await insertRevision(db, {
    id: newId(),
    post_id: id,
    user_id: userId,
    title,
    body,
    body_format,
    excerpt,
    fields: custom_fields,
    created_at: now,
  })
  await removeOldRevisions(db, id, kept)
}
