import { type RawBuilder, sql } from 'kysely'
import { both } from '../../../db/conditions.ts'
import type { Db } from '../../../db/tables.ts'
import type { Page } from '../../../lib/paging.ts'
import { beside, columns, type FullPost, type MoreColumns } from '../queries.ts'
import { conditionsOf, keyOf, readableIn, type Sort, type Sought, sourceOf } from './condition-queries.ts'
import { countOf, lengthOf } from './count-queries.ts'
import type { PostListPart } from './parts.ts'

export interface ListQuestion {
  parts: readonly Counted[]
  sought: Sought
  sort: Sort
  order: 'asc' | 'desc'
  withBody: boolean
  /** Columns of posts that a module has added. */
  more: MoreColumns
}

/** A post of a list: what it says comes along only when it is wanted. */
export type ListedPost = Omit<FullPost, 'body' | 'body_html'> & Partial<Pick<FullPost, 'body'>>

/**
 * Plans made for these very values: which index is the quickest way depends on how many posts match. Call it first in a
 * transaction.
 */
export const planForValues = (db: Db) => sql`SET LOCAL plan_cache_mode = force_custom_plan`.execute(db)

/** A part of which it is known how much it has, and among how much. */
export type Counted = PostListPart & { count: number; among: number | null }

/** How many posts each part has. Parts without any are left out. */
export async function countParts(db: Db, parts: readonly PostListPart[], sought: Sought): Promise<Counted[]> {
  if (parts.length === 0) return []
  const numbers = parts.flatMap((part) => [countOf(part, sought), lengthOf(part, sought) ?? sql`NULL`])
  const { rows } = await sql<{
    numbers: (number | null)[]
  }>`SELECT ARRAY[${sql.join(numbers)}]::integer[] AS numbers`.execute(db)
  const found = rows[0]?.numbers ?? []
  return parts
    .map((part, at) => ({ ...part, count: found[2 * at] ?? 0, among: found[2 * at + 1] ?? null }))
    .filter(({ count }) => count > 0)
}

/** One page of all parts together. */
export async function findListed(db: Db, question: ListQuestion, page: Page): Promise<ListedPost[]> {
  const { parts, withBody, more } = question
  const ids = sql.join(
    parts.map((part) => idsOf(part, question, page)),
    sql` UNION ALL `,
  )
  // Copies beside links may be wrong after damage to the database: what is shown is asked of the posts themselves.
  const readable = parts.map((part) => sql`(${readableIn(part, question.sought.now)})`)
  const shown = sql`(${sql.join(readable, sql` OR `)})`
  const listed = [...columnsWithoutBody, ...(withBody ? (['body'] as const) : []), ...more]
  const { rows } = await sql<ListedPost>`
    WITH page AS MATERIALIZED (
      SELECT id, key FROM (${ids}) AS found ${inOrder(question, sql`key`, sql`id`)} LIMIT ${page.limit} OFFSET ${page.offset}
    )
    SELECT ${sql.join(listed.map((name) => sql.ref(`p.${name}`)))}, ${beside}
    FROM page JOIN posts p ON p.id = page.id WHERE ${shown} ${inOrder(question, sql`page.key`, sql`page.id`)}`.execute(
    db,
  )
  return rows
}

const columnsWithoutBody = columns.filter((name) => name !== 'body' && name !== 'body_html')

const directions = { asc: sql`ASC`, desc: sql`DESC` }

/** Many have been seen equally often, or never: their order turns around as a whole, to walk along one index both ways. */
const inOrder = ({ sort, order }: ListQuestion, key: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`ORDER BY ${key} ${directions[order]}, ${id} ${directions[sort === 'views' ? order : 'asc']}`

/**
 * Either along the order until a page is full, or all that there is, found and sorted. The planner knows how many rows
 * are of each kind, but not of which: where a part has few, its walk could take the whole table. OFFSET 0 keeps it from that.
 */
function idsOf(part: Counted, question: ListQuestion, { limit, offset }: Page): RawBuilder<unknown> {
  const { sort } = question
  const { from, sought } = sourceOf(part, question.sought, sort)
  const way = wayThrough(part, limit + offset)
  const views = sort === 'views' ? sql`JOIN post_view_totals v ON v.post_id = p.id` : sql``
  const matching = sql`SELECT p.id, ${keyOf(sort, part, sought.now)} AS key FROM ${from} ${views}
    WHERE ${both(conditionsOf(part, sought, way))}`
  return way === 'gather'
    ? sql`(SELECT id, key FROM (${matching} OFFSET 0) AS matching ${inOrder(question, sql`key`, sql`id`)} LIMIT ${limit + offset})`
    : sql`(${matching} ${inOrder(question, sql`2`, sql`1`)} LIMIT ${limit + offset})`
}

/** Gathers what is less than what a walk would meet until it has found enough, if what matches is spread evenly. */
function wayThrough({ count, among }: Counted, wanted: number): 'walk' | 'gather' {
  const few = among === null ? 5_000 : (wanted * among) / count
  return count <= few ? 'gather' : 'walk'
}
