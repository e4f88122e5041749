import { type RawBuilder, sql } from 'kysely'
import { both } from '../../../db/conditions.ts'
import { day } from '../../../lib/time.ts'
import { conditionsOf, ofTypes, type PostConditions, sourceOf } from './condition-queries.ts'
import type { ListPartition } from './parts.ts'

type Count = RawBuilder<number>

/** `post_counts` stores the counts for common filters. Other filters match few posts, which are counted directly. */
export function countOf(part: ListPartition, conditions: PostConditions): Count {
  const { typeKeys } = conditions
  const isKept = part.state === 'live'
  if (!isKept || !typeKeys) return (isKept ? storedCountOf(part, conditions) : undefined) ?? countAll(part, conditions)
  // A user has few posts of owner-only types, so these posts are counted directly.
  const kept = storedCountOf(part, { ...conditions, typed: ofTypes(typeKeys.open) })
  return kept ? sql`(${kept} + ${countOfOwn(part, conditions, typeKeys)})` : countAll(part, conditions)
}

function countOfOwn(
  part: ListPartition,
  conditions: PostConditions,
  { own, reader }: NonNullable<PostConditions['typeKeys']>,
): Count {
  if (reader === undefined || own.length === 0) return sql`0`
  return oneByOne([...conditionsOf(part, conditions, 'gather'), ofTypes(own), sql<boolean>`p.user_id = ${reader}`])
}

/** The number of posts that an index walk through the partition could read. Undefined if no count is stored. */
export const lengthOf = (part: ListPartition, conditions: PostConditions): Count | undefined =>
  part.state === 'live' && part.owner === undefined
    ? sumOf(part, { ...conditions, lang: undefined, postType: undefined }, 'all', sql`key = ''`)
    : undefined

function countAll(part: ListPartition, conditions: PostConditions): Count {
  const source = sourceOf(part, conditions)
  return oneByOne(conditionsOf(part, source.conditions, 'gather'), source.from)
}

const oneByOne = (conditions: RawBuilder<boolean>[], from: RawBuilder<unknown> = sql`posts p`): Count =>
  sql`(SELECT count(*) FROM ${from} WHERE ${both(conditions)})`

/** Returns undefined if no count is stored. Adds due posts because the stored count may not include them yet. */
function storedCountOf(part: ListPartition, conditions: PostConditions): Count | undefined {
  const { query, after, before, categories, tags } = conditions
  if (query !== undefined || part.language === 'translated') return undefined
  const facets: Count[] = []
  const keep = (facet: string, keys: readonly string[]) =>
    facets.push(sumOf(part, conditions, facet, sql`key = ANY (${keys}::text[])`))
  const owners = [...new Set([part.owner, conditions.author].filter((id) => id !== undefined))]
  if (owners.length > 1) return sql`0`
  if (owners.length > 0) keep('author', owners)
  // A post can have several categories or tags, so the sum of their counts could include the post more than once.
  for (const ids of [categories, tags]) if (ids && ids.length > 1) return undefined
  if (categories) keep('category', categories)
  if (tags) keep('tag', tags)
  if (after !== undefined || before !== undefined) facets.push(countOfDays(part, conditions))
  if (facets.length === 0) keep('all', [''])
  if (facets.length > 1) return undefined
  const due = [
    ...conditionsOf(part, conditions, 'gather'),
    sql<boolean>`p.status = 'scheduled'`,
    sql<boolean>`p.scheduled_at <= ${conditions.now}`,
  ]
  return sql`(${facets[0] as Count} + ${oneByOne(due)})`
}

function sumOf(
  { visibility }: ListPartition,
  { lang, postType, typeKeys }: PostConditions,
  facet: string,
  keys: RawBuilder<boolean>,
): Count {
  const conditions = [
    sql<boolean>`facet = ${facet}`,
    visibility === undefined
      ? sql<boolean>`visibility IN ('public', 'auth', 'password', 'private')`
      : sql<boolean>`visibility = ${visibility}`,
    keys,
    ...(lang === undefined ? [] : [sql<boolean>`lang = ${lang}`]),
    ...(postType === undefined ? [] : [sql<boolean>`post_type = ${postType}`]),
    ...(typeKeys === undefined ? [] : [sql<boolean>`post_type = ANY (${typeKeys.open}::text[])`]),
  ]
  return sql`coalesce((SELECT sum(posts) FROM post_counts WHERE ${both(conditions)}), 0)`
}

/** Stored counts cover full days. Posts in the remaining hours of the first and last day are counted directly. */
function countOfDays(part: ListPartition, conditions: PostConditions): Count {
  const { after, before } = conditions
  const first = after && new Date((Math.floor(after.getTime() / day) + 1) * day)
  const end = before && new Date(Math.floor(before.getTime() / day) * day)
  const isPublished = sql<boolean>`p.status = 'published'`
  if (first && end && first >= end) return oneByOne([...conditionsOf(part, conditions, 'gather'), isPublished])
  const days = [
    ...(first ? [sql<boolean>`key >= ${dayOf(first)}`] : []),
    ...(end ? [sql<boolean>`key < ${dayOf(end)}`] : []),
  ]
  const edge = (range: RawBuilder<boolean>) =>
    oneByOne([...conditionsOf(part, conditions, 'gather'), isPublished, range])
  return sql`(${sumOf(part, conditions, 'day', both(days))}
    + ${first ? edge(sql`p.live_from < ${first}`) : sql`0`} + ${end ? edge(sql`p.live_from >= ${end}`) : sql`0`})`
}

/** Formats a time like the stored day keys. Years outside 0-9999 sort before or after all keys. */
function dayOf(time: Date): string {
  const year = time.getUTCFullYear()
  if (year > 9999) return '9999-99-99'
  return year < 0 ? '0000-00-00' : time.toISOString().slice(0, 10)
}
