import { type RawBuilder, sql } from 'kysely'
import type { UserRow } from '../context.ts'
import { always, both } from '../db/conditions.ts'
import type { Db } from '../db/tables.ts'
import type { PageRequest } from '../lib/paging.ts'
import { countLivingUsers } from '../users/stored-count-queries.ts'

export const textColumns = ['email', 'name', 'user_name'] as const

export interface SearchFilter {
  /** If true, only deleted users are found. If false, only users that are not deleted are found. */
  deleted: boolean
  /** `part` is never empty. Case is ignored. */
  texts: { part: string; in: (typeof textColumns)[number] | 'any' }[]
  userType: string | undefined
  conditions: RawBuilder<boolean>[]
}

/** `deleted_at` is read only in a search for deleted users. */
export type FoundUser = UserRow & { deleted_at?: Date | null }

export const orders = ['created_at', 'updated_at', 'email', 'name', 'user_name', 'user_type'] as const

export interface UserOrder {
  by: (typeof orders)[number]
  direction: 'asc' | 'desc'
}

/**
 * `index`: finds the users by their text first, which is slower than comparing each user (`scan`) if many match.
 * `in page order`: reads and compares users in the order of the page until the page is full, which is slow if few match.
 */
export type ReadingPlan = 'index' | 'scan' | 'in page order'

export const isEverybody = ({ deleted, texts, userType, conditions }: SearchFilter): boolean =>
  !deleted && texts.length === 0 && conditions.length === 0 && userType === undefined

/** The number of users of each role is stored. */
const isCounted = (filter: SearchFilter): boolean => isEverybody({ ...filter, userType: undefined })

export async function countUsers(db: Db, filter: SearchFilter, way: ReadingPlan): Promise<number> {
  if (isCounted(filter)) return countLivingUsers(db, filter.userType)
  const { rows } = await sql<{
    count: string
  }>`SELECT count(*) AS count FROM users WHERE ${matches(filter, way)}`.execute(db)
  return Number(rows[0]?.count)
}

type Direction = UserOrder['direction']

/**
 * Each order matches an index, forwards or backwards. Backwards, all keys are reversed, because PostgreSQL would have to
 * sort all users of the same name or role otherwise.
 */
const sortKeys: Record<UserOrder['by'], [key: RawBuilder<unknown>, direction: Direction][]> = {
  created_at: [
    [sql`created_at`, 'desc'],
    [sql`id`, 'asc'],
  ],
  updated_at: [
    [sql`updated_at`, 'desc'],
    [sql`id`, 'asc'],
  ],
  email: [[sql`email`, 'asc']],
  name: [
    [sql`name`, 'asc'],
    [sql`id`, 'asc'],
  ],
  user_name: [[sql`lower(user_name)`, 'asc']],
  user_type: [
    [sql`user_type`, 'asc'],
    [sql`created_at`, 'desc'],
    [sql`id`, 'asc'],
  ],
}

function orderBy({ by, direction }: UserOrder): RawBuilder<unknown> {
  const keys = sortKeys[by]
  const isBackwards = keys[0]?.[1] !== direction
  return sql`ORDER BY ${sql.join(
    keys.map(([key, forwards]) => sql`${key} ${(forwards === 'desc') === isBackwards ? sql`ASC` : sql`DESC`}`),
  )}`
}

export async function findUsers(
  db: Db,
  columns: readonly string[],
  filter: SearchFilter,
  order: UserOrder,
  { limit, offset }: PageRequest,
  way: ReadingPlan,
): Promise<FoundUser[]> {
  const matching = sql`FROM users WHERE ${matches(filter, way)}`
  const source = way === 'in page order' ? matching : sql`FROM (SELECT ${sortColumns} ${matching} OFFSET 0) AS matching`
  if (way === 'in page order') await readInOrder(db)
  const found = await sql<{
    id: string
  }>`SELECT id ${source} ${orderBy(order)} LIMIT ${limit} OFFSET ${offset}`.execute(db)
  const ids = found.rows.map(({ id }) => id)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<FoundUser>`SELECT ${list} FROM users WHERE id = ANY (${ids}::uuid[])`.execute(db)
  const users = new Map(rows.map((user) => [user.id, user]))
  return ids.flatMap((id) => users.get(id) ?? [])
}

const sortColumns = sql`id, email, name, user_name, user_type, created_at, updated_at`

/** Otherwise, PostgreSQL joins other tables to all users, and sorts them, if it underestimates the matches. */
const readInOrder = (db: Db) =>
  sql`SELECT ${sql.join(
    ['enable_sort', 'enable_hashjoin', 'enable_mergejoin', 'enable_bitmapscan', 'enable_seqscan'].map(
      (name) => sql`set_config(${name}, 'off', true)`,
    ),
  )}`.execute(db)

/**
 * Sorted by id because, with any other sort key, a user whose key changes between batches could be skipped or repeated.
 */
export async function findUsersAfter(
  db: Db,
  columns: readonly string[],
  filter: SearchFilter,
  { after, limit }: { after: string; limit: number },
  way: ReadingPlan,
): Promise<FoundUser[]> {
  const { rows } = await sql<FoundUser>`SELECT ${sql.join(columns.map((column) => sql.ref(column)))}
    FROM users WHERE id > ${after}::uuid AND ${matches(filter, way)} ORDER BY id LIMIT ${limit}`.execute(db)
  return rows
}

export function matches({ deleted, texts, userType, conditions }: SearchFilter, way: ReadingPlan): RawBuilder<boolean> {
  return both([
    deleted ? sql`deleted_at IS NOT NULL` : sql`deleted_at IS NULL`,
    ...texts.map((text) => (way === 'index' ? indexed(text) : holds(text))),
    ofType(userType),
    ...conditions,
  ])
}

const ofType = (userType: string | undefined): RawBuilder<boolean> =>
  userType === undefined ? always : sql`user_type = ${userType}`

type Text = SearchFilter['texts'][number]

/** What each filter searches. A filter by name also finds last names. */
const lowered: Record<Text['in'], RawBuilder<string>> = {
  any: sql`search_text`,
  email: sql`lower(email)`,
  name: sql`lower(concat_ws(' ', name, last_name))`,
  user_name: sql`lower(user_name)`,
}

const holds = ({ part, in: column }: Text): RawBuilder<boolean> =>
  sql`position(lower(${part}::text) IN ${lowered[column]}) > 0`

/** The index finds users that have all trigrams of the text, so text longer than a trigram must also be compared. */
const indexed = (
  text: Text,
): RawBuilder<boolean> => sql`(search_terms(search_text) @@ wanted_terms(lower(${text.part}::text))
  AND (${text.in === 'any' ? sql`length(lower(${text.part}::text)) <= 3 OR ` : sql``}${holds(text)}))`
