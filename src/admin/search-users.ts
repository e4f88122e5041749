import type { Context } from '../context.ts'
import { tookTooLong } from '../db/errors.ts'
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
const few = 30_000

function orderOf({ sort, order_by: by, order_dir: direction }: UserSearch): UserOrder {
  if (sort === undefined) return { by: by ?? 'created_at', direction: direction ?? 'desc' }
  if (by ?? direction) throw invalidField('sort', 'cannot be combined with order_by or order_dir')
  return { by: sort.replace('-', '') as UserOrder['by'], direction: sort.startsWith('-') ? 'desc' : 'asc' }
}

export async function searchUsers(ctx: Context, search: UserSearch) {
  const page = pageOf(search)
  const filter = await readFilter(ctx, search)
  const order = orderOf(search)
  const columns = [...userColumns(ctx.modules), ...(filter.deleted ? ['deleted_at'] : [])]
  // The count and the page come from the same snapshot.
  const moment = ctx.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const searching = moment.execute(async (db) => {
    await planForValues(db)
    const { count_limit: limit = Infinity } = search
    const { found, plan } = await countMatches(db, filter, page, limit)
    // The last page is not read again because it is not full.
    const rest = { filter, order, page: { ...page, limit: Math.min(page.limit, found - page.offset) } }
    const users: FoundUser[] = rest.page.limit > 0 ? await findUsers(db, columns, rest, plan) : []
    const total = Math.min(found, limit)
    const pagination = { ...paginationOf(page, total), ...(total === limit && { total_is_exact: false as const }) }
    return { users, pagination }
  })
  return searching.catch(explainTimeout)
}

/** For example, users without a recent session are found only by reading all users if there are few of them. */
export function explainTimeout(error: unknown): never {
  if (tookTooLong(error))
    throw invalidField('query', 'takes too long with this many users: add a filter, such as created_from')
  throw error
}

interface Counted {
  /** Infinity if there are more than `max`. */
  found: number
  plan: ReadingPlan
}

async function countMatches(db: Db, filter: SearchFilter, page: PageRequest, max: number): Promise<Counted> {
  const end = page.offset + page.limit
  if (isEverybody(filter)) return { found: await countUsers(db, filter, 'scan'), plan: { way: 'scan', inOrder: end } }
  const { atLeast, about, share, way } = await estimateMatches(db, filter)
  const found = atLeast > max ? Infinity : await countUsers(db, filter, way)
  const inOrder = share > 0 ? end / share : 0
  // Reading a match and sorting it costs about twice as much as reading a user in order.
  if (found < few || inOrder > 2 * about) return { found, plan: { way } }
  return { found, plan: { way, inOrder: Math.ceil(Math.max(minRead, maxDelay * inOrder, about / 4)) } }
}

/** Reading this many users in the order of a page takes less than a tenth of a second. */
const minRead = 30_000
/** Reading in order is given up for matches that lie this many times farther from the start than evenly spread ones. */
const maxDelay = 3
