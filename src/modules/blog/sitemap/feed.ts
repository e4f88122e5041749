import type { Context } from '../../../context.ts'
import { pictureAddress } from '../../../users/picture-address.ts'
import { base } from '../names.ts'
import { resolveFilters } from '../taxonomy/resolve-filters.ts'
import { publicAddress } from './public-address.ts'
import { type FeedRow, findNewest, type OpenFilter } from './queries.ts'
import { type SitemapScope, scopeOf } from './scope.ts'

export interface PostFeed {
  title: string
  address: string
  home: string
  lang: string | undefined
  /** The time of the latest change to an entry. */
  modified: Date | undefined
  entries: FeedEntry[]
}

export interface FeedEntry {
  /** The id stays the same when the post's URL changes. */
  id: string
  address: string
  title: string
  summary: string
  html: string | null
  lang: string
  /** The author's display name, never a login name. */
  author: string | undefined
  topics: string[]
  image: string | null
  published: Date
  updated: Date
}

export interface FeedQuery extends Omit<OpenFilter, keyof SitemapScope | 'categories' | 'tags'> {
  /** An id or a slug. */
  category: string | undefined
  tag: string | undefined
  limit: number
}

/** The maximum size of a feed's content, in bytes. Entries beyond the limit contain only a summary. */
const maxBytes = 4 * 1024 * 1024

export async function readFeed(ctx: Context, file: string, { limit, ...wanted }: FeedQuery): Promise<PostFeed> {
  const { config, db } = ctx
  const scope = await scopeOf(ctx)
  const { lang, author, postType } = wanted
  const filter = { lang, author, postType, ...(await resolveFilters(db, wanted)), ...scope }
  const rows = await findNewest(db, filter, { limit, maxBytes })
  const entries = rows.map((row) => entryOf(ctx, scope, row))
  return {
    title: config.BLOG_TITLE,
    address: `${config.PUBLIC_URL}${base}/${file}${queryOf(wanted)}`,
    home: config.BLOG_PUBLIC_BASE_URL,
    lang: wanted.lang,
    modified: entries.map(({ updated }) => updated).toSorted((one, other) => Number(other) - Number(one))[0],
    entries,
  }
}

function queryOf(wanted: Omit<FeedQuery, 'limit'>): string {
  const { postType: post_type, ...rest } = wanted
  const input = Object.entries({ ...rest, post_type }).filter((one): one is [string, string] => one[1] !== undefined)
  return input.length > 0 ? `?${new URLSearchParams(input)}` : ''
}

function entryOf({ config }: Context, scope: SitemapScope, row: FeedRow): FeedEntry {
  const { author } = row
  return {
    id: `urn:uuid:${row.id}`,
    address: publicAddress(config, scope, row, { lang: row.original_lang, post_type: row.post_type }),
    title: row.title,
    summary: row.summary,
    html: row.html,
    lang: row.lang,
    author: author ? author.display_name || `${author.name} ${author.last_name}`.trim() || undefined : undefined,
    topics: [...row.categories, ...row.tags].map(({ name }) => name),
    image: row.featured_image === null ? null : pictureAddress(config, row.featured_image),
    published: row.published_at,
    updated: row.updated_at,
  }
}
