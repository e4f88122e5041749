import type { Context } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { pageOf, paginationOf } from '../../../lib/paging.ts'
import { pictureAddress } from '../../../users/picture-address.ts'
import { scopeOf } from '../sitemap/scope.ts'
import { type AuthorWithCount, countAuthors, findAuthor, findAuthors } from './author-queries.ts'

/** Lists users with at least one public post. The list contains neither login names nor email addresses. */
export async function listAuthors(ctx: Context, paging: { page?: number; limit?: number }) {
  const page = pageOf(paging)
  const scope = await scopeOf(ctx)
  const authors = await findAuthors(ctx.db, scope, page)
  const total = authors[0]?.total ?? (page.offset === 0 ? 0 : await countAuthors(ctx.db, scope))
  return { authors: authors.map((author) => shownAuthor(ctx, author)), pagination: paginationOf(page, total) }
}

export async function readAuthor(ctx: Context, id: string) {
  const scope = await scopeOf(ctx)
  const author = looksLikeId(id) ? await findAuthor(ctx.db, id, scope) : undefined
  if (!author) throw new AppError('NOT_FOUND')
  return shownAuthor(ctx, author)
}

const shownAuthor = (ctx: Context, { id, name, last_name, display_name, picture, post_count }: AuthorWithCount) => ({
  id,
  name,
  last_name,
  display_name,
  picture: pictureAddress(ctx.config, picture) || null,
  post_count,
})
