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

export type SearchPlan = 'index' | 'scan'

const newest = { looked: 1_000, many: 100 }

/** For common text, a scan is faster. Samples the newest users, because PostgreSQL misestimates trigram matches. */
export async function choosePlan(
  db: Db,
  { deleted, texts, userType, conditions }: SearchFilter,
  { by, direction }: UserOrder,
  { limit, offset }: PageRequest,
): Promise<{ toCount: SearchPlan; toFind: SearchPlan }> {
  if (texts.length === 0) return { toCount: 'index', toFind: 'index' }
  // The text index contains no deleted users.
  if (deleted) return { toCount: 'scan', toFind: 'scan' }
  const { rows } = await sql<{ of_text: number; of_type: number }>`SELECT count(*)::int AS of_text,
      (count(*) FILTER (WHERE ${ofType(userType)}))::int AS of_type
    FROM (SELECT * FROM users WHERE deleted_at IS NULL ORDER BY created_at DESC, id LIMIT ${newest.looked}) AS users
    WHERE ${both(texts.map(holds))}`.execute(db)
  const { of_text: ofText = 0, of_type: found = 0 } = rows[0] ?? {}
  const isAmongNewest =
    conditions.length === 0 && by === 'created_at' && direction === 'desc' && found >= offset + limit
  const isFrequent = ofText >= newest.many
  return { toCount: isFrequent ? 'scan' : 'index', toFind: isAmongNewest || isFrequent ? 'scan' : 'index' }
}

export async function countUsers(db: Db, filter: SearchFilter, way: SearchPlan, max?: number): Promise<number> {
  if (!filter.deleted && filter.texts.length === 0 && filter.conditions.length === 0)
    return Math.min(await countLivingUsers(db, filter.userType), max ?? Infinity)
  const matching = sql`SELECT FROM users WHERE ${matches(filter, way)} ${max === undefined ? sql`` : sql`LIMIT ${max}`}`
  const { rows } = await sql<{ count: string }>`SELECT count(*) AS count FROM (${matching}) AS matching`.execute(db)
  return Number(rows[0]?.count)
}

export async function findUsers(
  db: Db,
  columns: readonly string[],
  filter: SearchFilter,
  { by, direction }: UserOrder,
  { limit, offset }: PageRequest,
  { way, few }: { way: SearchPlan; few: boolean },
): Promise<FoundUser[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const order = sql`ORDER BY ${sql.ref(by)} ${direction === 'asc' ? sql`ASC` : sql`DESC`}, id`
  const page = sql`LIMIT ${limit} OFFSET ${offset}`
  // If there are few matches, reading the users in page order could scan the entire table.
  const query = few
    ? sql<FoundUser>`WITH matching AS MATERIALIZED (SELECT id, ${sql.ref(by)} FROM users WHERE ${matches(filter, way)})
        SELECT ${list} FROM users WHERE id = ANY (ARRAY (SELECT id FROM matching ${order} ${page})) ${order}`
    : sql<FoundUser>`SELECT ${list} FROM users WHERE ${matches(filter, way)} ${order} ${page}`
  return (await query.execute(db)).rows
}

/**
 * Sorted by id because, with any other sort key, a user whose key changes between batches could be skipped or repeated.
 */
export async function findUsersAfter(
  db: Db,
  columns: readonly string[],
  filter: SearchFilter,
  { after, limit }: { after: string; limit: number },
  way: SearchPlan,
): Promise<FoundUser[]> {
  const { rows } = await sql<FoundUser>`SELECT ${sql.join(columns.map((column) => sql.ref(column)))}
    FROM users WHERE id > ${after}::uuid AND ${matches(filter, way)} ORDER BY id LIMIT ${limit}`.execute(db)
  return rows
}

function matches({ deleted, texts, userType, conditions }: SearchFilter, way: SearchPlan): RawBuilder<boolean> {
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
