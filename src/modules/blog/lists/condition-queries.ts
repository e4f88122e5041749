import { type RawBuilder, sql } from 'kysely'
import { always, both } from '../../../db/conditions.ts'
import type { ReadableKeys } from '../post-type-provider.ts'
import type { ListPartition } from './parts.ts'
import type { PostFilters } from './read-filters.ts'
import { isLivePost } from './readable-queries.ts'

export const sorts = ['published_at', 'created_at', 'updated_at', 'title', 'views'] as const
export type PostSort = (typeof sorts)[number]

type Condition = RawBuilder<boolean>

export interface PostConditions extends Omit<PostFilters, 'category' | 'tag' | 'q'> {
  /** A tsquery with the search words in the requested language. */
  query: string | undefined
  categories: string[] | undefined
  tags: string[] | undefined
  /** The condition for the types that the reader may see. `always` means that no type hides posts. */
  typed: Condition
  /** The same condition as `typed`, as lists of type keys. Undefined if no type hides posts. */
  typeKeys: (ReadableKeys & { reader: string | undefined }) | undefined
  now: Date
}

/**
 * `walk` tests each post. `gather` starts from the posts that have both a requested category and a requested tag, or
 * that contain the search words. `gather` is faster if there are few such posts.
 */
export function conditionsOf(part: ListPartition, conditions: PostConditions, way: 'walk' | 'gather'): Condition[] {
  const { locked, language } = part
  const { lang, author, postType, categories, tags, typed, query, after, before } = conditions
  const published = publishedIn(part, conditions.now)
  return [
    readableIn(part, conditions.now),
    ...(lang === undefined ? [] : [language === 'written' ? sql<boolean>`p.lang = ${lang}` : translatedInto(lang)]),
    ...(author === undefined ? [] : [sql<boolean>`p.user_id = ${author}`]),
    ...(postType === undefined ? [] : [sql<boolean>`p.post_type = ${postType}`]),
    ...(typed === always ? [] : [typed]),
    ...(after === undefined ? [] : [sql<boolean>`${published} > ${after}`]),
    ...(before === undefined ? [] : [sql<boolean>`${published} < ${before}`]),
    ...(categories && tags && way === 'gather'
      ? [linkedToBoth(categories, tags)]
      : [
          ...(categories === undefined ? [] : [linked('category', categories, part, conditions)]),
          ...(tags === undefined ? [] : [linked('tag', tags, part, conditions)]),
        ]),
    ...(query === undefined ? [] : [says(query, part, lang, way)]),
    // A search must not reveal content that the reader may not read.
    ...(query === undefined || !locked ? [] : [saysToAll(query, part, lang, locked.reader)]),
  ]
}

/** The conditions that determine which posts of the partition the reader may see. Excludes the requested filters. */
export function readableIn(part: ListPartition, now: Date): Condition {
  const { visibility, owner } = part
  return both([
    stateOf(part, now),
    ...(visibility === undefined ? [] : [sql<boolean>`p.visibility = ${visibility}`]),
    ...(owner === undefined ? [] : [sql<boolean>`p.user_id = ${owner}`]),
  ])
}

/**
 * If one category or tag is requested and its link table (`post_category_links` or `post_tag_links`) has all necessary
 * columns, reads from that table instead of `posts`, and removes the filter from `conditions`.
 */
export function sourceOf(
  part: ListPartition,
  conditions: PostConditions,
  sort?: PostSort,
): { from: RawBuilder<unknown>; conditions: PostConditions } {
  const { lang, author, postType, query, categories, tags, typed } = conditions
  const asksForMore =
    [lang, author, postType, query, part.owner].some((filter) => filter !== undefined) || typed !== always
  const isInOrder = sort === undefined || sort === 'published_at'
  if (part.state !== 'live' || asksForMore || !isInOrder) return { from: sql`posts p`, conditions }
  // Tags come first because a tag usually has few posts. With several categories or tags, a post could appear twice.
  if (tags?.length === 1) return { from: linksOf('tag', tags[0] ?? ''), conditions: { ...conditions, tags: undefined } }
  if (categories?.length !== 1) return { from: sql`posts p`, conditions }
  return { from: linksOf('category', categories[0] ?? ''), conditions: { ...conditions, categories: undefined } }
}

const linksOf = (link: 'category' | 'tag', id: string) =>
  sql`(SELECT post_id AS id, visibility, live_from, NULL::timestamptz AS deleted_at
    FROM ${sql.table(`post_${link}_links`)} WHERE ${sql.ref(`${link}_id`)} = ${id}) AS p`

export const ofTypes = (keys: readonly string[]): Condition => sql`p.post_type = ANY (${keys}::text[])`

function stateOf({ state }: ListPartition, now: Date): Condition {
  switch (state) {
    case 'live':
      return isLivePost(now)
    case 'any':
      return sql`p.deleted_at IS NULL`
    case 'deleted':
      return sql`p.deleted_at IS NOT NULL`
    case 'scheduled':
      return sql`(p.status = 'scheduled' AND p.scheduled_at > ${now} AND p.deleted_at IS NULL)`
    default:
      return sql`(p.status = ${state} AND p.deleted_at IS NULL)`
  }
}

export function keyOf(sort: PostSort, part: ListPartition, now: Date): RawBuilder<unknown> {
  if (sort === 'published_at') return publishedIn(part, now)
  return sql.ref(sort === 'views' ? 'v.views' : `p.${sort}`)
}

function publishedIn({ state }: ListPartition, now: Date): RawBuilder<unknown> {
  if (state === 'live') return sql`p.live_from`
  if (state === 'scheduled') return sql`p.scheduled_at`
  if (state !== 'any' && state !== 'deleted') return sql`p.published_at`
  return sql`CASE WHEN p.status = 'scheduled' AND p.scheduled_at <= ${now} THEN p.scheduled_at ELSE p.published_at END`
}

const translatedInto = (lang: string): Condition =>
  sql`(p.lang <> ${lang} AND EXISTS (SELECT FROM post_translations t WHERE t.post_id = p.id AND t.lang = ${lang}))`

/** An author or a search matches few posts, so OFFSET 0 stops the planner from reading all links of the category. */
function linked(
  link: 'category' | 'tag',
  ids: string[],
  { state, visibility }: ListPartition,
  { author, query }: PostConditions,
): Condition {
  const input = sql`${sql.ref(`l.${link}_id`)} = ANY (${ids}::uuid[])`
  const links = sql`SELECT FROM ${sql.table(`post_${link}_links`)} l WHERE l.post_id = p.id AND ${input}`
  if (author !== undefined || query !== undefined) return sql`EXISTS (${links} OFFSET 0)`
  if (state !== 'live' || visibility === undefined) return sql`EXISTS (${links})`
  return sql`EXISTS (${links} AND l.visibility = ${visibility} AND l.live_from IS NOT NULL)`
}

const linkedToBoth = (categories: string[], tags: string[]): Condition =>
  sql`p.id IN (SELECT l.post_id FROM post_tag_links l JOIN post_category_links m ON m.post_id = l.post_id
    WHERE l.tag_id = ANY (${tags}::uuid[]) AND m.category_id = ANY (${categories}::uuid[]))`

/** Searches the language version that the list shows for each post. */
function says(query: string, part: ListPartition, lang: string | undefined, way: 'walk' | 'gather'): Condition {
  const found = sql`${shownTo(part, lang)} AND s.words @@ ${query}::tsquery`
  return way === 'gather'
    ? sql`p.id IN (SELECT s.post_id FROM post_search s WHERE ${found})`
    : sql`EXISTS (SELECT FROM post_search s WHERE s.post_id = p.id AND ${found} OFFSET 0)`
}

function saysToAll(
  query: string,
  part: ListPartition,
  lang: string | undefined,
  reader: string | undefined,
): Condition {
  const inTitle = sql<boolean>`EXISTS (SELECT FROM post_search s
    WHERE s.post_id = p.id AND ${shownTo(part, lang)} AND s.title_words @@ ${query}::tsquery)`
  return reader === undefined ? inTitle : sql`(p.user_id = ${reader} OR ${inTitle})`
}

const shownTo = ({ language }: ListPartition, lang: string | undefined): Condition =>
  language === 'translated' && lang !== undefined ? sql`NOT s.original AND s.lang = ${lang}` : sql`s.original`
