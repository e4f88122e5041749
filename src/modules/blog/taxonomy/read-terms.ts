import type { Context } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { pageOf, paginationOf } from '../../../lib/paging.ts'
import { readAll } from '../../../lib/read-all.ts'
import { iso } from '../../../lib/time.ts'
import { searchField } from '../lists/read-filters.ts'
import { defaultLang, postLanguageField } from '../read-members.ts'
import { scopeOf } from '../sitemap/scope.ts'
import { type CountedTerm, findTermNamed, findTerms, type TermKind } from './queries.ts'
import type { TermsQuery } from './schemas.ts'

export async function listTerms(ctx: Context, kind: TermKind, { limit = 100, ...query }: TermsQuery) {
  const wanted = readAll((attempt) => ({
    lang: query.lang === undefined ? undefined : attempt(() => postLanguageField('lang', query.lang ?? '')),
    q: query.q === undefined ? undefined : attempt(() => searchField(query.q ?? '')),
  }))
  const page = pageOf({ ...query, limit })
  const { terms, total } = await findTerms(ctx.db, kind, { ...wanted, ...page }, await scopeOf(ctx))
  return { terms: terms.map(shownTerm), pagination: paginationOf(page, total) }
}

export async function readTerm(ctx: Context, kind: TermKind, name: string) {
  const found = await findTermNamed(ctx.db, kind, { name, lang: defaultLang(ctx.config) }, await scopeOf(ctx))
  if (!found) throw new AppError('NOT_FOUND')
  return shownTerm(found)
}

const shownTerm = ({
  created_at,
  updated_at,
  description = '',
  parent_id = null,
  sort_order = 0,
  ...term
}: CountedTerm) => ({
  ...term,
  description,
  parent_id,
  sort_order,
  created_at: iso(created_at),
  updated_at: iso(updated_at),
})
