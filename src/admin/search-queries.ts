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
  /** These have an index that also has the order of creation. */
  indexed: RawBuilder<boolean>[]
  conditions: RawBuilder<boolean>[]
}

/** `deleted_at` is read only in a search for deleted users. */
export type FoundUser = UserRow & { deleted_at?: Date | null }

export const orders = ['created_at', 'updated_at', 'email', 'name', 'user_name', 'user_type'] as const

export interface UserOrder {
  by: (typeof orders)[number]
  direction: 'asc' | 'desc'
}

/** One page of the users that match the filter. */
export interface SearchedPage {
  filter: SearchFilter
  order: UserOrder
  page: PageRequest
}

export interface ReadingPlan {
  /** With `index`, users are found by their text first, which is slower than comparing each user if many match. */
  way: 'index' | 'scan'
  /** First compares up to this many users in the order of the page, because that ends when the page is full. */
  inOrder?: number
}

export const isEverybody = ({ deleted, texts, userType, indexed: inIndex, conditions }: SearchFilter): boolean =>
  !deleted && userType === undefined && texts.length + inIndex.length === 0 && conditions.length === 0

/** The number of users of each role is stored. */
const isCounted = (filter: SearchFilter): boolean => isEverybody({ ...filter, userType: undefined })

export async function countUsers(db: Db, filter: SearchFilter, way: ReadingPlan['way']): Promise<number> {
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
const sortKeys: Record<UserOrder['by'], [key: string, direction: Direction][]> = {
  created_at: [
    ['created_at', 'desc'],
    ['id', 'asc'],
  ],
  updated_at: [
    ['updated_at', 'desc'],
    ['id', 'asc'],
  ],
  email: [['email', 'asc']],
  name: [
    ['name', 'asc'],
    ['id', 'asc'],
  ],
  user_name: [['lower_user_name', 'asc']],
  user_type: [
    ['user_type', 'asc'],
    ['created_at', 'desc'],
    ['id', 'asc'],
  ],
}
const sortColumns = sql`id, email, name, user_type, created_at, updated_at, lower(user_name) AS lower_user_name`

function orderBy({ by, direction }: UserOrder): RawBuilder<unknown> {
  const keys = sortKeys[by]
  const isBackwards = keys[0]?.[1] !== direction
  return sql`ORDER BY ${sql.join(
    keys.map(([key, forwards]) => sql`${sql.ref(key)} ${(forwards === 'desc') === isBackwards ? sql`ASC` : sql`DESC`}`),
  )}`
}

export async function findUsers(
  db: Db,
  columns: readonly string[],
  search: SearchedPage,
  { way, inOrder }: ReadingPlan,
): Promise<FoundUser[]> {
  const first = inOrder ? await findIdsInOrder(db, search, inOrder) : []
  const isFull = first.length === search.page.limit
  const ids = isFull ? first : await findIds(db, search, way)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<FoundUser>`SELECT ${list} FROM users WHERE id = ANY (${ids}::uuid[])`.execute(db)
  const users = new Map(rows.map((user) => [user.id, user]))
  return ids.flatMap((id) => users.get(id) ?? [])
}

/** Reads and sorts all matches. */
const findIds = (db: Db, search: SearchedPage, way: ReadingPlan['way']) =>
  idsOf(db, sql`SELECT ${sortColumns} FROM users WHERE ${matches(search.filter, way)} OFFSET 0`, always, search)

async function findIdsInOrder(db: Db, search: SearchedPage, most: number) {
  const { filter, order } = search
  await setJoinsAndSorts(db, 'off')
  const inIndex = order.by === 'created_at' ? [isDeleted(filter), ...filter.indexed] : [isDeleted(filter)]
  const users = sql`SELECT *, lower(user_name) AS lower_user_name FROM users WHERE ${both(inIndex)}
    ${orderBy(order)} LIMIT ${most}`
  const ids = await idsOf(db, users, matches(filter, 'scan'), search)
  await setJoinsAndSorts(db, 'on')
  return ids
}

async function idsOf(
  db: Db,
  users: RawBuilder<unknown>,
  condition: RawBuilder<boolean>,
  { order, page: { limit, offset } }: SearchedPage,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM (${users}) AS users WHERE ${condition}
    ${orderBy(order)} LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** PostgreSQL would join other tables to all users, and sort them, where it underestimates the matches. */
export const setJoinsAndSorts = (db: Db, value: 'on' | 'off') =>
  sql`SELECT ${sql.join(
    ['enable_sort', 'enable_hashjoin', 'enable_mergejoin', 'enable_bitmapscan', 'enable_seqscan'].map(
      (name) => sql`set_config(${name}, ${value}, true)`,
    ),
  )}`.execute(db)

/**
 * Sorted by id because, with any other sort key, a user whose key changes between batches could be skipped or repeated.
 */
export async function findUsersAfter(
  db: Db,
  columns: readonly string[],
  { filter, after, limit }: { filter: SearchFilter; after: string; limit: number },
  way: ReadingPlan['way'],
): Promise<FoundUser[]> {
  const { rows } = await sql<FoundUser>`SELECT ${sql.join(columns.map((column) => sql.ref(column)))}
    FROM users WHERE id > ${after}::uuid AND ${matches(filter, way)} ORDER BY id LIMIT ${limit}`.execute(db)
  return rows
}

const isDeleted = ({ deleted }: Pick<SearchFilter, 'deleted'>): RawBuilder<boolean> =>
  deleted ? sql`deleted_at IS NOT NULL` : sql`deleted_at IS NULL`

export function matches(filter: SearchFilter, way: ReadingPlan['way']): RawBuilder<boolean> {
  const { texts, userType, indexed: inIndex, conditions } = filter
  return both([
    isDeleted(filter),
    ...texts.map((text) => (way === 'index' ? indexed(text) : holds(text))),
    ofType(userType),
    ...inIndex,
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
