import { type RawBuilder, sql } from 'kysely'
import type { UserRow } from '../context.ts'
import type { Db } from '../db/tables.ts'
import type { Page } from '../lib/paging.ts'

export interface UserFilter {
  /** Part of an address, name or user name; any case. Empty: everybody. */
  text: string
  userType: string | undefined
  /** Columns of modules: the value that is asked for, and what an unset column counts as. */
  columns: { name: string; value: unknown; unset: unknown }[]
}

export const orders = ['created_at', 'updated_at', 'email', 'name', 'user_name', 'user_type'] as const

export interface UserOrder {
  by: (typeof orders)[number]
  direction: 'asc' | 'desc'
}

/**
 * Plans made for these very values: whether the index of the text or that of the order is the quicker way depends on how
 * many users match. Call it first in a transaction.
 */
export const planForValues = (db: Db) => sql`SET LOCAL plan_cache_mode = force_custom_plan`.execute(db)

export async function countUsers(db: Db, filter: UserFilter): Promise<number> {
  const { rows } = await sql<{ count: string }>`SELECT count(*) AS count FROM users WHERE ${matches(filter)}`.execute(
    db,
  )
  return Number(rows[0]?.count)
}

export async function findUsers(
  db: Db,
  columns: readonly string[],
  filter: UserFilter,
  { by, direction }: UserOrder,
  { limit, offset }: Page,
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`SELECT ${sql.join(columns.map((column) => sql.ref(column)))}
    FROM users WHERE ${matches(filter)}
    ORDER BY ${sql.ref(by)} ${direction === 'asc' ? sql`ASC` : sql`DESC`}, id LIMIT ${limit} OFFSET ${offset}`.execute(
    db,
  )
  return rows
}

function matches({ text, userType, columns }: UserFilter): RawBuilder<boolean> {
  const conditions = [
    sql`deleted_at IS NULL`,
    ...(text === '' ? [] : [holds(text)]),
    ...(userType === undefined ? [] : [sql`user_type = ${userType}`]),
    ...columns.map(({ name, value, unset }) =>
      value === unset
        ? sql`(${sql.ref(name)} = ${value} OR ${sql.ref(name)} IS NULL)`
        : sql`${sql.ref(name)} = ${value}`,
    ),
  ]
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`
}

/** The index finds who has the same runs of letters; up to three letters they are the text, beyond they may be scattered. */
const holds = (text: string) => sql`(search_grams(search_text) @> wanted_grams(lower(${text}::text))
  AND (length(${text}::text) <= 3 OR position(lower(${text}::text) IN search_text) > 0))`
