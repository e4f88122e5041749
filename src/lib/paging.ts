import { invalidField } from './errors.ts'

export interface PageRequest {
  page: number
  limit: number
  offset: number
}

const maxPageSize = 100
const lastOffset = 1_000_000

export function pageOf(
  { page = 1, limit = 10 }: { page?: number; limit?: number },
  maxRows = maxPageSize,
): PageRequest {
  const lowered = Math.min(limit, maxRows)
  const offset = (page - 1) * lowered
  if (offset > lastOffset) throw invalidField('page', `must not start beyond row ${lastOffset}`)
  return { page, limit: lowered, offset }
}

export function paginationOf({ page, limit }: PageRequest, total: number) {
  const pages = Math.ceil(total / limit)
  return { page, limit, total, pages, has_more: page < pages }
}

/** The members of the modules' list envelope. */
export const listMetaOf = (pagination: ReturnType<typeof paginationOf>) => ({ ...pagination, cached: false as const })

export const reachable = lastOffset + maxPageSize
