import type { Context } from '../../../context.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { pageOf, paginationOf } from '../../../lib/paging.ts'
import type { PostReader } from '../access.ts'
import { loadReadablePost, type ReadPostInput } from '../read-post.ts'
import { type CommentFilter, type CommentRow, countComments, type FullComment, findComments } from './queries.ts'
import { commentViewerOf, isModerator } from './rules.ts'

interface Paging {
  page?: number
  limit?: number
}

interface PostList extends Paging {
  order?: 'asc' | 'desc'
  parent_id?: string
  status?: CommentRow['status']
}

export interface CommentList {
  comments: FullComment[]
  pagination: ReturnType<typeof paginationOf>
}

export async function listCommentsOf(
  ctx: Context,
  reading: ReadPostInput,
  postId: string,
  { parent_id, status, order = 'asc', ...paging }: PostList,
): Promise<CommentList> {
  if (status !== undefined) assertModerator(ctx, reading.reader)
  const parentId = parent_id ? parentField(parent_id) : undefined
  await loadReadablePost(ctx, postId, reading)
  return list(ctx, reading.reader, { postId, parentId, status, onlyLive: false }, { ...paging, order })
}

export function listForModerator(
  ctx: Context,
  reader: PostReader,
  { post_id, status = 'pending', ...paging }: Paging & { post_id?: string; status?: CommentRow['status'] },
): Promise<CommentList> {
  if (post_id && !looksLikeId(post_id)) throw invalidField('post_id', 'must be an id')
  const filter = { postId: post_id || undefined, parentId: undefined, status, onlyLive: true }
  return list(ctx, reader, filter, { ...paging, order: 'asc' })
}

async function list(
  ctx: Context,
  reader: PostReader,
  filter: CommentFilter,
  { order, ...paging }: Paging & { order: 'asc' | 'desc' },
): Promise<CommentList> {
  const page = pageOf(paging)
  const eyes = commentViewerOf(ctx.config, reader)
  const total = await countComments(ctx.db, eyes, filter)
  return {
    comments: await findComments(ctx.db, eyes, filter, { ...page, order }),
    pagination: paginationOf(page, total),
  }
}

function assertModerator({ config }: Context, reader: PostReader): void {
  if (!reader) throw new AppError('INVALID_SESSION')
  if (!isModerator(config, reader)) throw new AppError('FORBIDDEN')
}

function parentField(text: string): string | null {
  if (text === 'root') return null
  if (!looksLikeId(text)) throw invalidField('parent_id', 'must be root or the id of a comment')
  return text
}
