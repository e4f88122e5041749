import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../lib/errors.ts'
import { pageOf, paginationOf } from '../../../lib/paging.ts'
import { lockCaller } from '../../../sessions/authenticate.ts'
import type { PostReader } from '../access.ts'
import type { PostWriter } from '../change-post.ts'
import { loadReadablePost, type ReadPostInput, typesOf } from '../read-post.ts'
import { addBookmark, countBookmarks, findBookmarks, removeBookmark } from './queries.ts'

export async function bookmark(
  ctx: Context,
  { view }: PostWriter,
  reading: ReadPostInput,
  postId: string,
): Promise<void> {
  const { type } = await loadReadablePost(ctx, postId, reading)
  if (!type.features.bookmarks) throw new AppError('BOOKMARKS_DISABLED')
  await transact(ctx, async (tx) => {
    const { id } = await lockCaller(tx, view)
    await addBookmark(tx.db, postId, id, ctx.clock.date())
  })
}

export async function removeOwnBookmark(
  ctx: Context,
  { view }: PostWriter,
  reading: ReadPostInput,
  postId: string,
): Promise<void> {
  await loadReadablePost(ctx, postId, reading)
  await transact(ctx, async (tx) => {
    const { id } = await lockCaller(tx, view)
    if (!(await removeBookmark(tx.db, postId, id))) throw new AppError('NOT_FOUND')
  })
}

export async function listBookmarks(
  ctx: Context,
  reader: NonNullable<PostReader>,
  paging: { page?: number; limit?: number },
) {
  const page = pageOf(paging)
  const types = (await typesOf(ctx)).readable('p', reader)
  const readable = { reader, types, now: ctx.clock.date() }
  const total = await countBookmarks(ctx.db, readable)
  return { bookmarks: await findBookmarks(ctx.db, readable, page), pagination: paginationOf(page, total) }
}
