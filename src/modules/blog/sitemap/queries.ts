import { type RawBuilder, sql } from 'kysely'
import { both } from '../../../db/conditions.ts'
import type { Db } from '../../../db/tables.ts'
import { type FullPost, relatedColumns } from '../queries.ts'
import type { SitemapScope } from './scope.ts'

/** The condition on the post `p`: readable without a session and open to search engines. */
const isOpen = ({ now, types }: SitemapScope) => sql<boolean>`p.visibility = 'public' AND p.deleted_at IS NULL
  AND p.live_from IS NOT NULL AND p.live_from <= ${now} AND ${types.collectable('p')}`

const typeOf = ({ hasTypes }: SitemapScope) => (hasTypes ? sql`p.post_type` : sql`'post'`)

/** The time of the last change visible to readers. A due post counts as published from its scheduled time. */
const changed = sql<Date>`greatest(p.updated_at, p.live_from)`

export async function countOpen(db: Db, scope: SitemapScope): Promise<number> {
  const { rows } = await sql<{ posts: number }>`SELECT count(*)::integer AS posts
    FROM posts p WHERE ${isOpen(scope)}`.execute(db)
  return rows[0]?.posts ?? 0
}

/** Counts the languages with translations, using one index lookup per language. */
export async function countLanguages(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`WITH RECURSIVE known AS (
      SELECT min(lang) AS lang FROM post_translations
      UNION ALL SELECT (SELECT min(t.lang) FROM post_translations t WHERE t.lang > known.lang) FROM known
        WHERE known.lang IS NOT NULL)
    SELECT count(lang)::integer AS count FROM known`.execute(db)
  return rows[0]?.count ?? 0
}

export async function findNth(db: Db, scope: SitemapScope, offset: number): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`SELECT p.id FROM posts p WHERE ${isOpen(scope)}
    ORDER BY p.id OFFSET ${offset} LIMIT 1`.execute(db)
  return rows[0]?.id
}

export interface TranslatedAddress {
  lang: string
  slug: string
  updated_at: string
}

export interface AddressRow {
  id: string
  slug: string
  lang: string
  updated_at: Date
  post_type: string
  translations: TranslatedAddress[] | null
}

const translations = sql`(SELECT json_agg(json_build_object('lang', t.lang, 'slug', t.slug, 'updated_at', t.updated_at)
  ORDER BY t.lang) FROM post_translations t WHERE t.post_id = p.id)`

export async function findAddresses(
  db: Db,
  scope: SitemapScope,
  { from, limit }: { from: string; limit: number },
): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`SELECT p.id, p.slug, p.lang, ${changed} AS updated_at,
      ${typeOf(scope)} AS post_type, ${scope.hasTranslations ? translations : sql`NULL`} AS translations
    FROM posts p WHERE ${isOpen(scope)} AND p.id >= ${from}::uuid ORDER BY p.id LIMIT ${limit}`.execute(db)
  return rows
}

/** Filters open posts. `lang` selects the posts that are written in this language or translated into it. */
export interface OpenFilter extends SitemapScope {
  lang: string | undefined
  categories?: string[] | undefined
  tags?: string[] | undefined
  author?: string | undefined
  postType?: string | undefined
}

const translation = ({ lang, hasTranslations }: OpenFilter) =>
  lang !== undefined && hasTranslations
    ? {
        join: sql`LEFT JOIN post_translations t ON t.post_id = p.id AND t.lang = ${lang} AND p.lang <> ${lang}`,
        is: true,
      }
    : { join: sql``, is: false }

const said = (filter: OpenFilter, column: string): RawBuilder<unknown> =>
  translation(filter).is
    ? sql`CASE WHEN t.id IS NULL THEN ${sql.ref(`p.${column}`)} ELSE ${sql.ref(`t.${column}`)} END`
    : sql.ref(`p.${column}`)

function wanted(filter: OpenFilter) {
  const { lang, categories, tags, author: user, postType } = filter
  const conditions = [isOpen(filter)]
  if (lang !== undefined)
    conditions.push(translation(filter).is ? sql`(p.lang = ${lang} OR t.id IS NOT NULL)` : sql`p.lang = ${lang}`)
  if (user !== undefined) conditions.push(sql`p.user_id = ${user}`)
  if (postType !== undefined) conditions.push(sql`${typeOf(filter)} = ${postType}`)
  if (categories !== undefined)
    conditions.push(sql`EXISTS (SELECT FROM post_category_links l
      WHERE l.post_id = p.id AND l.category_id = ANY (${categories}::uuid[]))`)
  if (tags !== undefined)
    conditions.push(sql`EXISTS (SELECT FROM post_tag_links l
      WHERE l.post_id = p.id AND l.tag_id = ANY (${tags}::uuid[]))`)
  return both(conditions)
}

export async function countWanted(db: Db, filter: OpenFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count
    FROM posts p ${translation(filter).join} WHERE ${wanted(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

export type WantedRow = Omit<AddressRow, 'translations'> & { original_lang: string }

/** Selects a page of posts with an index-only scan so that skipped posts are not read from the table. */
export async function findWanted(
  db: Db,
  filter: OpenFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<WantedRow[]> {
  const { join, is } = translation(filter)
  const { rows } = await sql<WantedRow>`WITH chosen AS (
      SELECT p.id FROM posts p ${join} WHERE ${wanted(filter)} ORDER BY p.id LIMIT ${limit} OFFSET ${offset})
    SELECT p.id, ${said(filter, 'slug')} AS slug, ${said(filter, 'lang')} AS lang, p.lang AS original_lang,
      ${typeOf(filter)} AS post_type, ${is ? sql`greatest(${changed}, t.updated_at)` : changed} AS updated_at
    FROM chosen JOIN posts p ON p.id = chosen.id ${join} ORDER BY p.id`.execute(db)
  return rows
}

export interface FeedRow extends Pick<FullPost, 'id' | 'author' | 'categories' | 'tags' | 'featured_image'> {
  slug: string
  lang: string
  original_lang: string
  post_type: string
  title: string
  summary: string
  /** Null for posts without HTML, or if the feed would exceed its size limit with this entry's HTML. */
  html: string | null
  published_at: Date
  updated_at: Date
}

export async function findNewest(
  db: Db,
  filter: OpenFilter,
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<FeedRow[]> {
  const { join, is } = translation(filter)
  const html = said(filter, 'body_html')
  const { rows } = await sql<FeedRow>`WITH newest AS (
      SELECT p.id, p.live_from FROM posts p ${join} WHERE ${wanted(filter)} ORDER BY p.live_from DESC, p.id LIMIT ${limit})
    SELECT p.id, ${said(filter, 'slug')} AS slug, ${said(filter, 'lang')} AS lang,
      p.lang AS original_lang, ${typeOf(filter)} AS post_type, ${said(filter, 'title')} AS title,
      coalesce(${said(filter, 'excerpt')}, ${said(filter, 'body_start')}) AS summary, p.featured_image,
      CASE WHEN sum(octet_length(${html})) OVER (ORDER BY p.live_from DESC, p.id) <= ${maxBytes} THEN ${html} END AS html,
      p.live_from AS published_at, ${is ? sql`greatest(${changed}, t.updated_at)` : changed} AS updated_at, ${relatedColumns}
    FROM newest JOIN posts p ON p.id = newest.id ${join} ORDER BY p.live_from DESC, p.id`.execute(db)
  return rows
}
