import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { Page } from '../../../lib/paging.ts'
import { beside, columns, type FullPost, type MoreColumns } from '../queries.ts'
import { both, conditionsOf, keyOf, type Sort, type Sought } from './condition-queries.ts'
import { countOf } from './count-queries.ts'
import type { Part } from './parts.ts'

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

/** How many posts each part has. */
export async function countParts(db: Db, parts: readonly Part[], sought: Sought): Promise<number[]> {
  if (parts.length === 0) return []
  const { rows } = await sql<{ counts: number[] }>`SELECT ARRAY[${sql.join(
    parts.map((part) => countOf(part, sought)),
  )}]::integer[] AS counts`.execute(db)
  return rows[0]?.counts ?? []
}

/** Up to here all that a part has is found and sorted; what has more of it is met soon enough on a walk in order. */
const few = 5_000

/** A part of which it is known how much it has. */
export type Counted = Part & { count: number }

/** One page of all parts together. */
export async function findListed(db: Db, question: ListQuestion, page: Page): Promise<ListedPost[]> {
  const { parts, order, withBody, more } = question
  const direction = directions[order]
  const ids = sql.join(
    parts.map((part) => idsOf(part, question, page)),
    sql` UNION ALL `,
  )
  const listed = [...columnsWithoutBody, ...(withBody ? (['body'] as const) : []), ...more]
  const { rows } = await sql<ListedPost>`
    WITH page AS MATERIALIZED (
      SELECT id, key FROM (${ids}) AS found ORDER BY key ${direction}, id LIMIT ${page.limit} OFFSET ${page.offset}
    )
    SELECT ${sql.join(listed.map((name) => sql.ref(`p.${name}`)))}, ${beside}
    FROM page JOIN posts p ON p.id = page.id ORDER BY page.key ${direction}, page.id`.execute(db)
  return rows
}

const columnsWithoutBody = columns.filter((name) => name !== 'body' && name !== 'body_html')

const directions = { asc: sql`ASC`, desc: sql`DESC` }

/**
 * The planner knows how many rows there are of each kind, but not of which: where a part has few, walking along the order
 * until a page is full could take the whole table. OFFSET 0 keeps it from that.
 */
function idsOf(part: Counted, { sought, sort, order }: ListQuestion, { limit, offset }: Page): RawBuilder<unknown> {
  const views = sort === 'views' ? sql`LEFT JOIN post_view_totals v ON v.post_id = p.id` : sql``
  const matching = sql`SELECT p.id, ${keyOf(sort, part, sought.now)} AS key FROM posts p ${views}
    WHERE ${both(conditionsOf(part, sought))}`
  const ordered = sql`ORDER BY key ${directions[order]}, id LIMIT ${limit + offset}`
  return part.count <= few
    ? sql`(SELECT id, key FROM (${matching} OFFSET 0) AS matching ${ordered})`
    : sql`(${matching} ORDER BY 2 ${directions[order]}, 1 LIMIT ${limit + offset})`
}

/** Those that have this id or, in any language, this slug. */
export async function findNamed(db: Db, table: 'post_categories' | 'post_tags', name: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM ${sql.table(table)}
    WHERE id::text = ${name} OR slug = ${name} ORDER BY id`.execute(db)
  return rows.map(({ id }) => id)
}
