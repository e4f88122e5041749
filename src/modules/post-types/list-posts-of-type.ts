import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { listPosts } from '../blog/lists/list-posts.ts'
import type { GivenFilters } from '../blog/lists/schemas.ts'
import { typesOf } from '../blog/read-post.ts'
import type { Reader } from '../blog/readers.ts'

export async function listPostsOfType(ctx: Context, reader: Reader, key: string, given: GivenFilters) {
  if (!(await typesOf(ctx)).find(key)) throw new AppError('NOT_FOUND')
  return listPosts(ctx, reader, { ...given, post_type: key })
}
