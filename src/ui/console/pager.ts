import { fill } from '../texts/index.ts'
import { adminTextsFor } from './texts/index.ts'

export interface Pagination {
  page: number
  limit: number
  total: number
  pages: number
}

/** Returns the data for `partials/pager.eta`. `countLimit` is the number at which the API stops counting. */
export function pagerOf(
  lang: string,
  { page, limit, total, pages }: Pagination,
  search: Readonly<Record<string, string | undefined>>,
  { path, countLimit = Number.POSITIVE_INFINITY }: { path: string; countLimit?: number },
) {
  const texts = adminTextsFor(lang).shared.pager
  const number = new Intl.NumberFormat(lang)
  const to = (other: number) => addressOf(path, { ...search, page: String(other) })
  const isMore = total >= countLimit
  const values = {
    from: number.format(Math.min(total, (page - 1) * limit + 1)),
    to: number.format(Math.min(total, page * limit)),
    total: number.format(total),
  }
  return {
    texts,
    sentence: fill(isMore ? texts.rangeOfMany : texts.range, values),
    previous: page > 1 ? to(page - 1) : undefined,
    next: page < pages ? to(page + 1) : undefined,
  }
}

/** Omits parameters without a value, and the page number of the first page. */
export function addressOf(path: string, search: Readonly<Record<string, string | undefined>>): string {
  const members = Object.entries(search).flatMap(([name, value]) =>
    value && !(name === 'page' && value === '1') ? [[name, value]] : [],
  )
  const query = new URLSearchParams(members as [string, string][]).toString()
  return query === '' ? path : `${path}?${query}`
}
