import type { Context } from '../context.ts'
import { planForValues } from '../db/run-text.ts'
import type { Db } from '../db/tables.ts'
import { invalidField } from '../lib/errors.ts'
import { type PageRequest, pageOf, paginationOf } from '../lib/paging.ts'
import { userColumns } from '../users/columns.ts'
import { estimateMatches } from './estimate-queries.ts'
import { readFilter, type UserFilters } from './search-filter.ts'
import {
  countUsers,
  type FoundUser,
  findUsers,
  isEverybody,
  type ReadingPlan,
  type SearchFilter,
  type UserOrder,
} from './search-queries.ts'

export interface UserSearch extends UserFilters {
  sort?: UserOrder['by'] | `-${UserOrder['by']}`
  order_by?: UserOrder['by']
  order_dir?: UserOrder['direction']
  page?: number
  limit?: number
  count_limit?: number
}

/** Sorting up to this many matches takes about as long as counting them. */
const few = 10_000

function orderOf({ sort, order_by: by, order_dir: direction }: UserSearch): UserOrder {
  if (sort === undefined) return { by: by ?? 'created_at', direction: direction ?? 'desc' }
  if (by ?? direction) throw invalidField('sort', 'cannot be combined with order_by or order_dir')
  return { by: sort.replace('-', '') as UserOrder['by'], direction: sort.startsWith('-') ? 'desc' : 'asc' }
}

export async function searchUsers(ctx: Context, search: UserSearch) {
  const page = pageOf(search)
  const filter = readFilter(ctx, search)
  const order = orderOf(search)
  const columns = [...userColumns(ctx.modules), ...(filter.deleted ? ['deleted_at'] : [])]
  // The count and the page come from the same snapshot.
  const moment = ctx.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return moment.execute(async (db) => {
    await planForValues(db)
    const { count_limit: limit } = search
    const max = limit && Math.max(limit, few)
    const { found, plan } = await countMatches(db, filter, page, max)
    const isOnPage = found > page.offset || found === max
    const users: FoundUser[] = isOnPage ? await findUsers(db, columns, filter, order, page, plan) : []
    const total = Math.min(found, limit ?? found)
    const pagination = { ...paginationOf(page, total), ...(total === limit && { total_is_exact: false as const }) }
    return { users, pagination }
  })
}

interface Counted {
  /** At most `max`. */
  found: number
  plan: ReadingPlan
}

async function countMatches(db: Db, filter: SearchFilter, page: PageRequest, max = Infinity): Promise<Counted> {
  const end = page.offset + page.limit
  if (isEverybody(filter))
    return { found: Math.min(await countUsers(db, filter, 'scan'), max), plan: { way: 'scan', inOrder: end } }
  const { atLeast, share, way } = await estimateMatches(db, filter)
  const found = atLeast > max ? max : Math.min(await countUsers(db, filter, way), max)
  const spread = share > 0 ? Math.ceil((maxDelay * end) / share) : 0
  return { found, plan: { way, ...(found >= few && { inOrder: Math.max(minRead, spread) }) } }
}

/** Reading this many users in the order of a page takes about a tenth of a second. */
const minRead = 100_000
/** Reading in order is given up for matches that lie this many times farther from the start than evenly spread ones. */
const maxDelay = 3
