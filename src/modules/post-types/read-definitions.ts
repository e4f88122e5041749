import type { Context } from '../../context.ts'
import { AppError, type FieldProblem } from '../../lib/errors.ts'
import type { PostReader } from '../blog/access.ts'
import { listPosts } from '../blog/lists/list-posts.ts'
import type { FiltersInput } from '../blog/lists/schemas.ts'
import { typesOf } from '../blog/read-post.ts'
import { definitionCacheOf } from './definition-cache.ts'
import type { DefinitionRow } from './queries.ts'

export async function listDefinitions(ctx: Context, { inactive }: { inactive: boolean }) {
  const { definitions, cached } = await definitionCacheOf(ctx).load()
  const rows = inactive ? definitions.rows : definitions.rows.filter(({ is_active }) => is_active)
  return { rows, cached }
}

export async function findOne(ctx: Context, key: string): Promise<{ row: DefinitionRow; cached: boolean }> {
  const { definitions, cached } = await definitionCacheOf(ctx).load()
  const row = definitions.rows.find(({ type_key }) => type_key === key)
  if (!row) throw new AppError('NOT_FOUND')
  return { row, cached }
}

export async function validateFields(
  ctx: Context,
  key: string,
  { fields = {}, publish = true }: { fields?: Record<string, unknown>; publish?: boolean },
): Promise<{ valid: boolean; errors: FieldProblem[] }> {
  const type = (await ctx.postTypeProvider.loadFresh(ctx.db)).find(key)
  if (!type) throw new AppError('NOT_FOUND')
  const read: Record<string, unknown> = {}
  const wrong = Object.entries(fields).flatMap(([name, value]) =>
    problemsOf(() => Object.assign(read, type.readFields({ [name]: value }))),
  )
  const missing = publish ? type.missingFields(type.columnsOf({}, { fields: read })) : []
  const errors = [...wrong, ...missing.filter(({ field }) => !wrong.some((problem) => problem.field === field))]
  return { valid: errors.length === 0, errors }
}

function problemsOf(check: () => unknown): FieldProblem[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof AppError && error.details) return error.details
    throw error
  }
}

export async function listPostsOfType(ctx: Context, reader: PostReader, key: string, input: FiltersInput) {
  if (!(await typesOf(ctx)).find(key)) throw new AppError('NOT_FOUND')
  return listPosts(ctx, reader, { ...input, post_type: key })
}
