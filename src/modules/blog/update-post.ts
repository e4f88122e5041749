import type { Context, PostType } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { userColumns } from '../../users/columns.ts'
import { isAdmin } from '../../users/is-admin.ts'
import { pictureAddress } from '../../users/picture-address.ts'
import { findUser } from '../../users/queries.ts'
import { assertUnchanged, changePost, getOwnPost, type Writer } from './change-post.ts'
import { hasExtension } from './components.ts'
import { writeTaxonomy } from './create-post.ts'
import { giveUpImages } from './featured-image/give-up-images.ts'
import { keepFormerSlug } from './former-slugs/keep-former-slug.ts'
import { keepChange } from './keep-revision.ts'
import { type PostChanges, type PostRow, updatePost } from './queries.ts'
import { assertTogether, type GivenPost, type PostMembers, readMembers, readTyped, timeField } from './read-members.ts'
import type { Render } from './render.ts'
import { renderBody } from './render-body.ts'
import { moves, type PostState } from './states.ts'
import { findOverlay } from './translations/queries.ts'
import { assertFits, assertMayEnter, cleanTyped, namedType, permittedState } from './type-rules.ts'

export type GivenChanges = GivenPost & { user_id?: string; expected_updated_at?: string }

export async function updatePostOf(
  ctx: Context,
  render: Render,
  writer: Writer,
  id: string,
  { user_id, expected_updated_at, ...given }: GivenChanges,
): Promise<void> {
  const members = readMembers(given, ctx.clock.now())
  const expected = expected_updated_at ? timeField('expected_updated_at', expected_updated_at) : undefined
  const types = await ctx.postTypes.loadFresh(ctx.db)
  const named = members.post_type === undefined ? undefined : namedType(types, members.post_type)
  const known = await getOwnPost(ctx, writer, id, types)
  const type = named ?? types.typeOf(known)
  // Slow work before the transaction.
  const typed = await cleanTyped(render, type, readTyped(given, type))
  const { password } = members
  const password_hash = password === undefined ? undefined : await ctx.passwords.hash(password)
  const rendered = await renderGiven(render, known, members)
  await changePost(ctx, writer, id, async ({ change, user, post, type: former, now }) => {
    if (user_id !== undefined && !isAdmin(user)) throw new AppError('FORBIDDEN')
    assertUnchanged(post, expected)
    // Read for the type that the post had then.
    if (!named && former.key !== type.key) throw new AppError('EDIT_CONFLICT')
    const entersType = former.key !== type.key
    const changes: PostChanges = {
      ...plainChanges(members, type),
      ...(password_hash !== undefined && { password_hash }),
      ...(user_id !== undefined && { user_id: await getUserId(ctx, change.db, user_id) }),
      ...type.columnsOf(post, typed),
    }
    // Sent back as it was read, it is still the one that is kept here.
    if (post.featured_image !== null && changes.featured_image === pictureAddress(ctx.config, post.featured_image))
      delete changes.featured_image
    const after = { ...post, ...changes } as PostRow
    await assertNotTranslatedInto(ctx, change.db, post, after.lang)
    if (after.visibility !== 'password') {
      changes.password_hash = null
      after.password_hash = null
    }
    if (rendered) {
      // Rendered in the format that the post had then.
      if (rendered.body_format !== after.body_format) throw new AppError('EDIT_CONFLICT')
      Object.assign(changes, rendered)
    }
    if (entersType) {
      assertFits(type, after)
      await assertMayEnter(change.db, type, user, after)
    }
    const wanted = stateOf(post, members, new Date(ctx.clock.now()))
    assertTogether({ ...after, ...wanted }, type, members)
    // Into another type everything comes as a draft: what was approved there was not approved here.
    const state = permittedState(type, user, entersType ? { ...post, status: 'draft' } : post, wanted)
    if (changes.featured_image !== undefined && post.featured_image_key !== null) {
      await giveUpImages(ctx, change, [post])
      changes.featured_image_key = null
    }
    await updatePost(change.db, id, { ...changes, ...state, updated_at: now })
    await keepFormerSlug(change.db, post, post, after)
    await writeTaxonomy(change.db, id, members)
    await keepChange(ctx, change.db, { before: post, after: { ...after, ...rendered } }, { userId: user.id, now })
  })
}

/** Before the transaction, for it may take its time. */
async function renderGiven(render: Render, post: PostRow, { body, body_format }: PostMembers) {
  if (body === undefined && body_format === undefined) return undefined
  return renderBody(render, {
    body: body === undefined ? post.body : body,
    body_format: body_format ?? post.body_format,
  })
}

/** A post has each language once. */
async function assertNotTranslatedInto(ctx: Context, db: Db, { id, lang: before }: PostRow, lang: string) {
  if (lang === before || !hasExtension(ctx, 'ext-translations')) return
  if (await findOverlay(db, id, lang)) throw invalidField('lang', 'is a language that the post is translated into')
}

function plainChanges(members: PostMembers, { features }: PostType): PostChanges {
  const {
    password: _hashed,
    category_ids: _linked,
    tag_ids: _too,
    status: _moved,
    scheduled_at: _at,
    post_type: _entered,
    ...plain
  } = members
  if (!features.comments) plain.comments_enabled &&= false
  if (!features.reactions) plain.reactions_enabled &&= false
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
}

/** The same ways as those of the routes that publish, unpublish and schedule. */
function stateOf(post: PostRow, { status, scheduled_at }: PostMembers, now: Date): PostState {
  const keep = { status: post.status, published_at: post.published_at, scheduled_at: post.scheduled_at }
  switch (status ?? post.status) {
    case 'published':
      return moves.publish(keep, now)
    case 'draft':
      return moves.unpublish(keep)
    case 'pending':
      return moves.submit(keep)
    case 'scheduled':
      return scheduled_at ? moves.schedule(keep, scheduled_at) : { ...keep, status: 'scheduled' }
  }
}

async function getUserId({ modules }: Context, db: Db, id: string): Promise<string> {
  const user = looksLikeId(id) ? await findUser(db, userColumns(modules), id) : undefined
  if (!user) throw invalidField('user_id', 'must be the id of a user')
  return user.id
}
