import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { transact } from '../../db/transact.ts'
import { recordEvents } from '../../events/record.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { lockCaller } from '../../sessions/authenticate.ts'
import { type PostWriter, recordDenial, slugTaken, storageProblem } from './change-post.ts'
import { creationEvents } from './events.ts'
import type { PostType } from './post-type-provider.ts'
import {
  type FullPost,
  findFullPost,
  findKnown,
  insertPost,
  type PostRow,
  replaceCategories,
  replaceTags,
} from './queries.ts'
import {
  assertTogether,
  defaultLang,
  type PostBodyInput,
  type PostMembers,
  readMembers,
  readTyped,
} from './read-members.ts'
import type { RenderText } from './render.ts'
import { renderBody } from './render.ts'
import { keepRevision } from './revision-queries.ts'
import { freeSlug, slugOf, takenSlugs } from './slugs.ts'
import { permittedState } from './states.ts'
import { assertAllowedByType, assertMayUseType, namedType, sanitizeTypedFields } from './type-rules.ts'

export async function createPost(
  ctx: Context,
  render: RenderText,
  writer: PostWriter,
  input: PostBodyInput,
): Promise<FullPost> {
  const now = ctx.clock.date()
  const members = readMembers(input, now.getTime())
  const type = namedType(await ctx.postTypeProvider.loadFresh(ctx.db), members.post_type ?? 'post')
  const typed = readTyped(input, type)
  const post = newPost(ctx, type, members, now)
  assertAllowedByType(type, post)
  // Rendering is slow, so it runs before any lock is taken.
  const columns = type.columnsOf({}, await sanitizeTypedFields(render, type, typed))
  assertTogether({ ...post, ...columns }, type, members)
  const body = await renderBody(render, post)
  const password_hash = members.password === undefined ? null : await ctx.passwords.hash(members.password)
  try {
    return await transact(ctx, async (tx) => {
      const user = await lockCaller(tx, writer.view)
      const state = permittedState(type, user, undefined, post)
      const draft = { ...post, ...body, ...columns, ...state, password_hash, user_id: user.id }
      await assertMayUseType(tx.db, type, user, draft)
      await insertUnder(tx, draft, members.slug)
      await writeTaxonomy(tx.db, post.id, members)
      await keepRevision(tx, draft, { userId: user.id, now })
      const written = await getWritten(tx, post.id)
      await recordEvents(tx, creationEvents(written))
      return written
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN')
      await recordDenial(ctx, writer, { post_type: type.key })
    throw storageProblem(error)
  }
}

function newPost({ config }: Context, type: PostType, members: PostMembers, now: Date): PostRow {
  const { status = 'draft', title = '' } = members
  const lang = members.lang ?? defaultLang(config)
  return {
    id: newId(),
    user_id: null,
    lang,
    title,
    slug: members.slug ?? slugOf(title, lang),
    body: members.body ?? null,
    body_format: members.body_format ?? type.bodyFormats[0],
    body_html: null,
    body_start: '',
    excerpt: members.excerpt ?? null,
    featured_image: members.featured_image ?? null,
    featured_image_key: null,
    status,
    visibility: members.visibility ?? type.defaultVisibility,
    password_hash: null,
    comments_enabled: (members.comments_enabled ?? true) && type.features.comments,
    reactions_enabled: (members.reactions_enabled ?? true) && type.features.reactions,
    scheduled_at: status === 'scheduled' ? (members.scheduled_at ?? null) : null,
    published_at: status === 'published' ? now : null,
    metadata: members.metadata ?? {},
    deleted_at: null,
    deleted_by: null,
    created_at: now,
    updated_at: now,
  }
}

/** If the slug is taken, chooses another one. If the request specified the slug, throws SLUG_TAKEN instead. */
export async function insertUnder(ctx: Context, post: PostRow, requested: string | undefined): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const slug = requested ?? freeSlug(post.slug, await takenSlugs(ctx, post.lang, post.slug))
    if (await insertPost(ctx.db, { ...post, slug })) return slug
    if (requested !== undefined) break
  }
  throw slugTaken()
}

export async function getWritten({ postTypeProvider, db }: Context, id: string): Promise<FullPost> {
  const post = await findFullPost(db, postTypeProvider.columns(), id)
  if (!post) throw new AppError('NOT_FOUND')
  return post
}

/** A list of ids in the request replaces all of the post's categories or tags. */
export async function writeTaxonomy(db: Db, postId: string, { category_ids, tag_ids }: PostMembers): Promise<void> {
  if (category_ids) {
    await assertKnown(db, 'category_ids', 'post_categories', category_ids)
    await replaceCategories(db, postId, category_ids)
  }
  if (tag_ids) {
    await assertKnown(db, 'tag_ids', 'post_tags', tag_ids)
    await replaceTags(db, postId, tag_ids)
  }
}

async function assertKnown(db: Db, field: string, table: 'post_categories' | 'post_tags', ids: string[]) {
  const known = await findKnown(db, table, ids)
  if (known.length < ids.length) throw invalidField(field, 'contains an id that does not exist')
}
