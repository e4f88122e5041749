import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { recordEvents } from '../../events/record.ts'
import { isAdmin } from '../../http/access/is-admin.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { assertUnchanged } from '../../lib/expected-version.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { findUser } from '../../users/queries.ts'
import { changePost, getEditablePost, type LockedPost, type PostWriter } from './change-post.ts'
import { hasExtension } from './components.ts'
import { getWritten, writeTaxonomy } from './create-post.ts'
import { moveEvents, postEvent } from './events.ts'
import { giveUpImages } from './featured-image/set-image.ts'
import { changesTo, type PostInput, stateWanted } from './post-changes.ts'
import { endPreviewLinksIfWithdrawn } from './preview-links/change-links.ts'
import { type FullPost, type PostChanges, type PostRow, updatePost } from './queries.ts'
import {
  assertTogether,
  type PostBodyInput,
  type PostMembers,
  readExpected,
  readMembers,
  readTyped,
} from './read-members.ts'
import type { RenderText } from './render.ts'
import { renderBody } from './render.ts'
import { keepChange } from './revisions.ts'
import { keepFormerSlug } from './slugs.ts'
import { type PostState, permittedState, stateAfterEdit } from './states.ts'
import { findOverlay } from './translations/queries.ts'
import { assertAllowedByType, assertMayUseType, namedType, sanitizeTypedFields } from './type-rules.ts'

export type PostChangesInput = PostBodyInput & { user_id?: string; expected_updated_at?: string }

interface PostEdit {
  id: string
  input: PostChangesInput
}

export async function updatePostOf(
  ctx: Context,
  render: RenderText,
  writer: PostWriter,
  { id, input }: PostEdit,
): Promise<FullPost> {
  const requested = await readPostChanges(ctx, render, writer, { id, input })
  return changePost(ctx, writer, id, async (locked) => {
    const { tx, user, post } = locked
    if (input.user_id !== undefined && !isAdmin(user)) throw new AppError('FORBIDDEN')
    assertReadOf(locked, requested)
    const changes = changesTo(ctx.config, post, requested)
    if (input.user_id !== undefined) changes.user_id = await getUserId(tx, input.user_id)
    const after = { ...post, ...changes } as PostRow
    await assertMayBecome(locked, requested, after)
    const wanted = stateFor(locked, requested, after, ctx.clock.date())
    const state = isEdit(post, changes, requested.members)
      ? stateAfterEdit(ctx.config, requested.type, user, wanted)
      : wanted
    await write(locked, requested.members, { ...changes, ...state })
    const written = await getWritten(tx, id)
    await recordEvents(tx, [postEvent('post.updated', written), ...moveEvents(post, written)])
    return written
  })
}

/** Does all slow work before the transaction. */
async function readPostChanges(
  ctx: Context,
  render: RenderText,
  writer: PostWriter,
  { id, input: { expected_updated_at, ...input } }: PostEdit,
): Promise<PostInput> {
  const members = readMembers(input, ctx.clock.now())
  const expected = readExpected(expected_updated_at)
  const types = await ctx.postTypeProvider.loadFresh(ctx.db)
  const named = members.post_type === undefined ? undefined : namedType(types, members.post_type)
  const known = await getEditablePost(ctx, writer, id, types)
  const type = named ?? types.typeOf(known)
  const typed = await sanitizeTypedFields(render, type, readTyped(input, type))
  const { password } = members
  const password_hash = password === undefined ? undefined : await ctx.passwords.hash(password)
  const rendered = await renderChangedBody(render, known, members)
  return { members, expected, type, typed, password_hash, rendered, known }
}

async function renderChangedBody(render: RenderText, post: PostRow, { body, body_format }: PostMembers) {
  if (body === undefined && body_format === undefined) return undefined
  return renderBody(render, {
    body: body === undefined ? post.body : body,
    body_format: body_format ?? post.body_format,
  })
}

/** Rejects the change if the post has changed since the client read it or since this request read it. */
function assertReadOf(
  { post, type: former }: LockedPost,
  { members, expected, type, rendered, known }: PostInput,
): void {
  assertUnchanged(post, expected)
  const hasOtherType = members.post_type === undefined && former.key !== type.key
  const hasOtherFormat = rendered && rendered.body_format !== (members.body_format ?? post.body_format)
  // A request that changes only the format renders the body that was read earlier, which must still be current.
  const hasOtherBody = rendered && members.body === undefined && post.body !== known.body
  if (hasOtherType || hasOtherFormat || hasOtherBody) throw new AppError('EDIT_CONFLICT')
}

async function getUserId(ctx: Context, id: string): Promise<string> {
  const user = looksLikeId(id) ? await findUser(ctx, id) : undefined
  if (!user) throw invalidField('user_id', 'must be the id of a user')
  return user.id
}

async function assertMayBecome(locked: LockedPost, { type }: PostInput, after: PostRow): Promise<void> {
  const { tx, user, post, type: former } = locked
  await assertNotTranslatedInto(tx, post, after.lang)
  if (former.key === type.key) return
  assertAllowedByType(type, after)
  await assertMayUseType(tx.db, type, user, after)
}

async function assertNotTranslatedInto(ctx: Context, { id, lang: before }: PostRow, lang: string) {
  if (lang === before || !hasExtension(ctx, 'ext-translations')) return
  if (await findOverlay(ctx.db, id, lang))
    throw invalidField('lang', 'must not be a language with a translation of the post')
}

function stateFor(
  { post, user, type: former }: LockedPost,
  { members, type }: PostInput,
  after: PostRow,
  now: Date,
): PostState {
  const wanted = stateWanted(post, members, now)
  assertTogether({ ...after, ...wanted }, type, members)
  // If the type changes, the post is treated as a draft because its approval does not apply to the new type.
  return permittedState(type, user, former.key === type.key ? post : { ...post, status: 'draft' }, wanted)
}

const isEdit = (post: PostRow, changes: PostChanges, { category_ids, tag_ids }: PostMembers): boolean =>
  category_ids !== undefined ||
  tag_ids !== undefined ||
  Object.entries(changes).some(
    ([name, value]) => !isDeepStrictEqual(post[name as keyof PostRow] ?? null, value ?? null),
  )

async function write({ tx, user, post, now }: LockedPost, members: PostMembers, changes: PostChanges) {
  const { db } = tx
  const after = { ...post, ...changes } as PostRow
  if (changes.featured_image !== undefined) await giveUpImages(tx, [post])
  await updatePost(db, post.id, { ...changes, updated_at: now })
  await keepFormerSlug(db, post, post, after)
  await endPreviewLinksIfWithdrawn(tx, post, after)
  await writeTaxonomy(db, post.id, members)
  await keepChange(tx, { before: post, after }, { userId: user.id, now })
}
