import type { Context } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { pageOf, paginationOf } from '../../../lib/paging.ts'
import { readAll } from '../../../lib/read-all.ts'
import { iso } from '../../../lib/time.ts'
import { searchField } from '../lists/read-filters.ts'
import { defaultLang, languageField } from '../read-members.ts'
import { type CountedTerm, findTermNamed, findTerms, type Kind } from './queries.ts'
import type { TermsQuery } from './schemas.ts'

export async function listTerms({ db, clock }: Context, kind: Kind, { limit = 100, ...query }: TermsQuery) {
  const wanted = readAll((attempt) => ({
    lang: query.lang === undefined ? undefined : attempt(() => languageField('lang', query.lang ?? '')),
    q: query.q === undefined ? undefined : attempt(() => searchField(query.q ?? '')),
  }))
  const page = pageOf({ ...query, limit })
  const { terms, total } = await findTerms(db, kind, wanted, new Date(clock.now()), page)
  return { terms: terms.map(shownTerm), pagination: paginationOf(page, total) }
}

export async function readTerm({ db, clock, config }: Context, kind: Kind, name: string) {
  const found = await findTermNamed(db, kind, name, defaultLang(config), new Date(clock.now()))
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
