import { type RawBuilder, sql } from 'kysely'
import type { UserRow } from '../context.ts'
import type { Db } from '../db/tables.ts'
import type { PageRequest } from '../lib/paging.ts'
import { countLivingUsers } from '../users/stored-count-queries.ts'

export const textColumns = ['email', 'name', 'user_name'] as const

export interface UserFilter {
  /** `part` is never empty. Case is ignored. */
  texts: { part: string; in: (typeof textColumns)[number] | 'any' }[]
  userType: string | undefined
  /** Module columns. NULL counts as the value `unset`. */
  columns: { name: string; value: unknown; unset: unknown }[]
}

export const orders = ['created_at', 'updated_at', 'email', 'name', 'user_name', 'user_type'] as const

export interface UserOrder {
  by: (typeof orders)[number]
  direction: 'asc' | 'desc'
}

export type SearchPlan = 'index' | 'scan'

const newest = { looked: 1_000, many: 100 }

/** Samples the newest users, because PostgreSQL misestimates trigrams, and the index is slow for frequent text. */
export async function choosePlan(
  db: Db,
  filter: UserFilter,
  { by, direction }: UserOrder,
  { limit, offset }: PageRequest,
) {
  if (filter.texts.length === 0) return { toCount: 'index', toFind: 'index' } as const
  const { rows } = await sql<{ found: number }>`SELECT count(*)::int AS found FROM (
      SELECT * FROM users WHERE deleted_at IS NULL ORDER BY created_at DESC, id LIMIT ${newest.looked}
    ) AS newest WHERE ${matches(filter, 'scan')}`.execute(db)
  const found = rows[0]?.found ?? 0
  const isAmongNewest = by === 'created_at' && direction === 'desc' && found >= offset + limit
  return {
    toCount: found >= newest.many ? 'scan' : 'index',
    toFind: isAmongNewest || found >= newest.many ? 'scan' : 'index',
  } as const
}

export async function countUsers(db: Db, filter: UserFilter, way: SearchPlan): Promise<number> {
  if (filter.texts.length === 0 && filter.columns.length === 0) return countLivingUsers(db, filter.userType)
  const query = sql<{ count: string }>`SELECT count(*) AS count FROM users WHERE ${matches(filter, way)}`
  const { rows } = await query.execute(db)
  return Number(rows[0]?.count)
}

export async function findUsers(
  db: Db,
  columns: readonly string[],
  filter: UserFilter,
  { by, direction }: UserOrder,
  { limit, offset }: PageRequest,
  way: SearchPlan,
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`SELECT ${sql.join(columns.map((column) => sql.ref(column)))}
    FROM users WHERE ${matches(filter, way)}
    ORDER BY ${sql.ref(by)} ${direction === 'asc' ? sql`ASC` : sql`DESC`}, id LIMIT ${limit} OFFSET ${offset}`.execute(
    db,
  )
  return rows
}

function matches({ texts, userType, columns }: UserFilter, way: SearchPlan): RawBuilder<boolean> {
  const conditions = [
    sql`deleted_at IS NULL`,
    ...texts.map((text) => (way === 'index' ? indexed(text) : holds(text))),
    ...(userType === undefined ? [] : [sql`user_type = ${userType}`]),
    ...columns.map(({ name, value, unset }) =>
      value === unset
        ? sql`(${sql.ref(name)} = ${value} OR ${sql.ref(name)} IS NULL)`
        : sql`${sql.ref(name)} = ${value}`,
    ),
  ]
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`
}

type Text = UserFilter['texts'][number]

const holds = ({ part, in: column }: Text) =>
  sql`position(lower(${part}::text) IN ${column === 'any' ? sql`search_text` : sql`lower(${sql.ref(column)})`}) > 0`

/** The index only finds users with the same trigrams, so text longer than one trigram must also be compared. */
const indexed = (text: Text) => sql`(search_grams(search_text) @> wanted_grams(lower(${text.part}::text))
  AND (${text.in === 'any' ? sql`length(${text.part}::text) <= 3 OR ` : sql``}${holds(text)}))`
