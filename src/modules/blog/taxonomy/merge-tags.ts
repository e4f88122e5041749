import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/tables.ts'
import { invalidField } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import type { PostWriter } from '../change-post.ts'
import { changeTerms, getTerm } from './change-terms.ts'
import { copyTagLinks, countMergedPosts, lockPostsWithTag, lockTag, type MergeCounts } from './merge-queries.ts'
import { findTerm, removeTerm } from './queries.ts'

interface Merge {
  id: string
  into: string
}

/**
 * Replaces the tag `id` with the tag `into` in all posts, and deletes the tag `id`. Without the locks, a post that is
 * saved at the same time could lose the tag, or its copied link could keep an outdated visibility.
 */
export const mergeTags = (ctx: Context, writer: PostWriter, { id, into }: Merge): Promise<MergeCounts> =>
  changeTerms(ctx, writer, { kind: 'tag', id, did: 'merged', into }, async ({ db }) => {
    await assertMergeable(db, { id, into })
    await lockPostsWithTag(db, id)
    await lockTag(db, id)
    // While this transaction waited for the lock on the tag, other posts may have received the tag.
    await lockPostsWithTag(db, id)
    const counts = await countMergedPosts(db, id, into)
    await copyTagLinks(db, id, into)
    await removeTerm(db, 'tag', id)
    return counts
  })

/** Counts the affected posts without changing anything. */
export async function planTagMerge(ctx: Context, { id, into }: Merge): Promise<MergeCounts> {
  await assertMergeable(ctx.db, { id, into })
  return countMergedPosts(ctx.db, id, into)
}

async function assertMergeable(db: Db, { id, into }: Merge): Promise<void> {
  const tag = await getTerm(db, 'tag', id)
  if (into === id) throw invalidField('into', 'must be another tag')
  const other = looksLikeId(into) ? await findTerm(db, 'tag', into) : undefined
  if (!other) throw invalidField('into', 'must be the id of a tag')
  if (other.lang !== tag.lang) throw invalidField('into', 'must be a tag in the same language')
}
