import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { PostReader } from '../blog/access.ts'
import { listPosts } from '../blog/lists/list-posts.ts'
import type { FiltersInput } from '../blog/lists/schemas.ts'
import { typesOf } from '../blog/read-post.ts'

export async function listPostsOfType(ctx: Context, reader: PostReader, key: string, input: FiltersInput) {
  if (!(await typesOf(ctx)).find(key)) throw new AppError('NOT_FOUND')
  return listPosts(ctx, reader, { ...input, post_type: key })
}
