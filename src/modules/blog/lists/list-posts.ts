import type { Context } from '../../../context.ts'
import { planForValues } from '../../../db/run-text.ts'
import type { Db } from '../../../db/tables.ts'
import { isAdmin } from '../../../http/access/is-admin.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { pageOf, paginationOf } from '../../../lib/paging.ts'
import { isOwnerOrAdmin, type PostReader } from '../access.ts'
import { hasExtension } from '../components.ts'
import type { PostTypeRules } from '../post-type-provider.ts'
import type { MoreColumns } from '../queries.ts'
import { typesOf } from '../read-post.ts'
import { findPostExtras, shownListedPost } from '../shapes.ts'
import { effectiveState } from '../states.ts'
import { resolveFilters } from '../taxonomy/resolve-filters.ts'
import { findOverlays } from '../translations/queries.ts'
import { countParts, findListed, type ListedPostRow } from './list-queries.ts'
import { partsFor, withTranslations } from './parts.ts'
import { type PostFilters, readFilters } from './read-filters.ts'
import type { FiltersInput } from './schemas.ts'
import { findQuery } from './search-queries.ts'

export async function listPosts(ctx: Context, reader: PostReader, input: FiltersInput) {
  const filters = readFilters(input)
  assertAllowed(ctx, reader, input)
  const isTranslated = filters.lang !== undefined && hasExtension(ctx, 'ext-translations')
  const wanted = partsFor(reader, {
    status: input.status,
    mine: input.mine ?? false,
    visibility: input.visibility,
    includeDeleted: input.include_deleted ?? false,
  })
  const parts = isTranslated ? withTranslations(wanted) : wanted
  const page = pageOf(input)
  const types = await typesOf(ctx)
  const more = ctx.postTypeProvider.columns()
  const keys = types.readableKeys(reader)
  const typed = types.readable('p', reader)
  const typeKeys = keys && { ...keys, reader: reader?.id }
  const now = ctx.clock.date()
  const { sort = 'published_at', order = 'desc', include } = input
  // Uses one snapshot so that the count matches the page.
  const moment = ctx.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const { total, posts } = await moment.execute(async (db) => {
    await planForValues(db)
    const conditions = {
      ...(await conditionsFor(db, filters)),
      postType: requestedType(types, more, filters),
      typed,
      typeKeys,
      now,
    }
    const counted = await countParts(db, parts, conditions)
    const total = counted.reduce((sum, { count }) => sum + count, 0)
    if (total <= page.offset) return { total, posts: [] }
    const question = { parts: counted, conditions, sort, order, withBody: include === 'body', more }
    const posts = await findListed(db, question, page)
    return { total, posts: isTranslated ? await overlaid(db, posts, filters.lang, include) : posts }
  })
  const extras = await findPostExtras(
    ctx,
    posts.map(({ id }) => id),
    reader,
  )
  const shown = posts.map((post) => ({
    ...shownListedPost(ctx, types, covered(effectiveState(post, now), reader)),
    ...(extras.get(post.id) ?? { counts: {} }),
  }))
  return { posts: shown, pagination: paginationOf(page, total) }
}

function assertAllowed({ modules }: Context, reader: PostReader, input: FiltersInput): void {
  const { status = 'published', mine, include_deleted, sort } = input
  if (!reader && (mine || status !== 'published')) throw new AppError('INVALID_SESSION')
  if ((include_deleted || status === 'deleted') && !isAdmin(reader)) throw new AppError('FORBIDDEN')
  if (sort === 'views' && !hasExtension({ modules }, 'ext-views'))
    throw invalidField('sort', 'must not be views without the component ext-views')
}

async function conditionsFor(db: Db, { category, tag, q, ...filters }: PostFilters) {
  return {
    ...filters,
    query: q === undefined ? undefined : await findQuery(db, q, filters.lang),
    ...(await resolveFilters(db, { category, tag, author: filters.author })),
  }
}

/** Without a type provider, the only type is `post`. */
function requestedType(types: PostTypeRules, more: MoreColumns, { postType }: PostFilters): string | undefined {
  if (postType === undefined) return undefined
  if (!types.find(postType)?.isOffered) throw invalidField('post_type', 'must be the key of a post type')
  return more.includes('post_type') ? postType : undefined
}

async function overlaid(db: Db, posts: ListedPostRow[], lang = '', include: FiltersInput['include']) {
  const others = posts.filter((post) => post.lang !== lang).map(({ id }) => id)
  if (others.length === 0) return posts
  const overlays = new Map((await findOverlays(db, others, lang)).map((overlay) => [overlay.post_id, overlay]))
  return posts.map((post): ListedPostRow => {
    const overlay = overlays.get(post.id)
    if (!overlay) return post
    const { post_id: _of, body, ...members } = overlay
    return { ...post, ...members, ...(include === 'body' && { body }) }
  })
}

/** Removes the content of password-protected posts unless the reader is the owner or an administrator. */
function covered(post: ListedPostRow, reader: PostReader): ListedPostRow {
  const isOpen = post.visibility !== 'password' || isOwnerOrAdmin(post, reader)
  if (isOpen) return post
  return {
    ...post,
    excerpt: '',
    body_start: '',
    metadata: {},
    featured_image: null,
    ...('body' in post && { body: null }),
    ...('custom_fields' in post && { custom_fields: {} }),
    ...('seo_title' in post && noSeo),
  }
}

const noSeo = {
  seo_title: null,
  seo_description: null,
  seo_keywords: null,
  canonical_url: null,
  og_title: null,
  og_description: null,
  og_image: null,
}
