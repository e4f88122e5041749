import type { Context, UserRow } from '../context.ts'
import { planForValues } from '../db/run-text.ts'
import { AppError } from '../lib/errors.ts'
import { pageOf, paginationOf } from '../lib/paging.ts'
import { userColumns } from '../users/columns.ts'
import { choosePlan, countUsers, findUsers, textColumns, type UserFilter, type UserOrder } from './search-queries.ts'

export interface UserSearch {
  q?: string
  email?: string
  name?: string
  user_name?: string
  user_type?: string
  order_by?: UserOrder['by']
  order_dir?: UserOrder['direction']
  page?: number
  limit?: number
}

/** Text is matched literally, without wildcards. */
export async function searchUsers(ctx: Context, search: UserSearch) {
  const page = pageOf(search)
  const filter = {
    texts: textFilters(search),
    userType: search.user_type,
    columns: moduleFilters(ctx, search),
  }
  const order = { by: search.order_by ?? 'created_at', direction: search.order_dir ?? 'desc' }
  // The count and the page are read from one snapshot.
  const moment = ctx.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return moment.execute(async (db) => {
    await planForValues(db)
    const ways = await choosePlan(db, filter, order, page)
    const total = await countUsers(db, filter, ways.toCount)
    const users: UserRow[] =
      total > page.offset ? await findUsers(db, userColumns(ctx.modules), filter, order, page, ways.toFind) : []
    return { users, pagination: paginationOf(page, total) }
  })
}

function textFilters(search: UserSearch): UserFilter['texts'] {
  const parts = [
    { part: search.q, in: 'any' as const },
    ...textColumns.map((column) => ({ part: search[column], in: column })),
  ]
  return parts.flatMap(({ part, in: column }) => (part ? [{ part: part.normalize('NFC'), in: column }] : []))
}

/** Filters of modules that are not installed are refused, because ignoring a filter would list all users. */
function moduleFilters({ modules }: Context, search: UserSearch): UserFilter['columns'] {
  const requested: Readonly<Record<string, unknown>> = { ...search }
  return modules.userFilters().flatMap(({ name, unset, filter }) => {
    const value = requested[name]
    if (value === undefined) return []
    const isThere = modules.userColumns().some((known) => known.name === name)
    if (!isThere) throw new AppError('module_not_installed', { status: 400 })
    return [{ name, value: filter?.read?.(value) ?? value, unset }]
  })
}
