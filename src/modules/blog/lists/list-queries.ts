import { type RawBuilder, sql } from 'kysely'
import { both } from '../../../db/conditions.ts'
import type { Db } from '../../../db/tables.ts'
import type { PageRequest } from '../../../lib/paging.ts'
import { columns, type FullPost, type MoreColumns, relatedColumns } from '../queries.ts'
import { conditionsOf, keyOf, type PostConditions, type PostSort, readableIn, sourceOf } from './condition-queries.ts'
import { countOf, lengthOf } from './count-queries.ts'
import type { ListPartition } from './parts.ts'

export interface ListQuery {
  parts: readonly CountedPart[]
  conditions: PostConditions
  sort: PostSort
  order: 'asc' | 'desc'
  withBody: boolean
  more: MoreColumns
}

export type ListedPostRow = Omit<FullPost, 'body' | 'body_html'> & Partial<Pick<FullPost, 'body'>>

/** `count` is the number of matching posts in the partition. `among` is the number of posts that a walk could read. */
export type CountedPart = ListPartition & { count: number; among: number | null }

export async function countParts(
  db: Db,
  parts: readonly ListPartition[],
  conditions: PostConditions,
): Promise<CountedPart[]> {
  if (parts.length === 0) return []
  const numbers = parts.flatMap((part) => [countOf(part, conditions), lengthOf(part, conditions) ?? sql`NULL`])
  const { rows } = await sql<{
    numbers: (number | null)[]
  }>`SELECT ARRAY[${sql.join(numbers)}]::integer[] AS numbers`.execute(db)
  const found = rows[0]?.numbers ?? []
  return parts
    .map((part, at) => ({ ...part, count: found[2 * at] ?? 0, among: found[2 * at + 1] ?? null }))
    .filter(({ count }) => count > 0)
}

export async function findListed(db: Db, question: ListQuery, page: PageRequest): Promise<ListedPostRow[]> {
  const { parts, withBody, more } = question
  const ids = sql.join(
    parts.map((part) => idsOf(part, question, page)),
    sql` UNION ALL `,
  )
  // The copies of columns in the link tables may be wrong, so access is checked against the posts' own columns.
  const readable = parts.map((part) => sql`(${readableIn(part, question.conditions.now)})`)
  const shown = sql`(${sql.join(readable, sql` OR `)})`
  const listed = [...columnsWithoutBody, ...(withBody ? (['body'] as const) : []), ...more]
  const { rows } = await sql<ListedPostRow>`
    WITH page AS MATERIALIZED (
      SELECT id, key FROM (${ids}) AS found ${inOrder(question, sql`key`, sql`id`)} LIMIT ${page.limit} OFFSET ${page.offset}
    )
    SELECT ${sql.join(listed.map((name) => sql.ref(`p.${name}`)))}, ${relatedColumns}
    FROM page JOIN posts p ON p.id = page.id WHERE ${shown} ${inOrder(question, sql`page.key`, sql`page.id`)}`.execute(
    db,
  )
  return rows
}

const columnsWithoutBody = columns.filter((name) => name !== 'body' && name !== 'body_html')

const directions = { asc: sql`ASC`, desc: sql`DESC` }

/**
 * Posts with the same number of views are sorted by id. Both columns are sorted in the same direction so that one index
 * serves ascending and descending lists.
 */
const inOrder = ({ sort, order }: ListQuery, key: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`ORDER BY ${key} ${directions[order]}, ${id} ${directions[sort === 'views' ? order : 'asc']}`

/** The planner cannot estimate where the matching rows are. OFFSET 0 stops it from scanning the entire table. */
function idsOf(part: CountedPart, question: ListQuery, { limit, offset }: PageRequest): RawBuilder<unknown> {
  const { sort } = question
  const { from, conditions } = sourceOf(part, question.conditions, sort)
  const way = accessPathOf(part, limit + offset)
  const views = sort === 'views' ? sql`JOIN post_view_totals v ON v.post_id = p.id` : sql``
  const matching = sql`SELECT p.id, ${keyOf(sort, part, conditions.now)} AS key FROM ${from} ${views}
    WHERE ${both(conditionsOf(part, conditions, way))}`
  return way === 'gather'
    ? sql`(SELECT id, key FROM (${matching} OFFSET 0) AS matching ${inOrder(question, sql`key`, sql`id`)} LIMIT ${limit + offset})`
    : sql`(${matching} ${inOrder(question, sql`2`, sql`1`)} LIMIT ${limit + offset})`
}

/** Chooses `gather` if a walk would read more posts, assuming evenly distributed matches. */
function accessPathOf({ count, among }: CountedPart, wanted: number): 'walk' | 'gather' {
  const few = among === null ? 5_000 : (wanted * among) / count
  return count <= few ? 'gather' : 'walk'
}
