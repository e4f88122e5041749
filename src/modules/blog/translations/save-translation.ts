import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/tables.ts'
import { recordEvents } from '../../../events/record.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { assertUnchanged, laterThan } from '../../../lib/expected-version.ts'
import { newId } from '../../../lib/ids.ts'
import { accessTo, isOwnerOrAdmin, type PostReader } from '../access.ts'
import { type PostWriter, slugTaken, withLockedPost } from '../change-post.ts'
import type { PostTypeRules } from '../post-type-provider.ts'
import { type PostRow, updatePost } from '../queries.ts'
import { loadReadablePost, type ReadPostInput } from '../read-post.ts'
import type { RenderText } from '../render.ts'
import { renderBody } from '../render.ts'
import { requireApprovalAgain } from '../require-approval.ts'
import { freeSlug, keepFormerSlug, slugOf, takenSlugs } from '../slugs.ts'
import {
  countTranslations,
  insertTranslation,
  lockTranslation,
  removeTranslation,
  type TranslationRow,
  updateTranslation,
} from './queries.ts'
import { assertFormat, readNewTranslation, readTranslation, type TranslationInput } from './read-translation.ts'

const maxTranslations = 200

interface Work {
  ctx: Context
  render: RenderText
  writer: PostWriter
  reading: ReadPostInput
  postId: string
}

export async function saveTranslation(
  { ctx, render, writer, reading, postId }: Work,
  input: TranslationInput & { lang: string },
): Promise<{ lang: string; created: boolean }> {
  const { lang, members } = readNewTranslation(input)
  const { title = '', body = null, excerpt = null } = members
  const { body_format } = await loadReadablePost(ctx, postId, reading)
  assertFormat({ body, bodyIsValue: members.bodyIsValue }, body_format)
  const rendered = await renderBody(render, { body, body_format })
  return withLockedPost(ctx, writer, postId, async ({ tx, user, post, types, now }) => {
    const { db } = tx
    assertStill(post, user, types, body_format)
    if (lang === post.lang) throw invalidField('lang', 'is the language of the post itself')
    const said = { title, excerpt, ...rendered }
    const found = await lockTranslation(db, postId, lang)
    if (found) assertMayChange(post, found, user)
    assertUnchanged(found, members.expected)
    if (found) {
      await updateTranslation(db, found.id, { ...said, updated_at: laterThan(found, now) })
      await renewApproval({ tx, user, post, type: types.typeOf(post), now })
      await recordSaved(tx, { post_id: postId, lang, created: false })
      return { lang, created: false }
    }
    if ((await countTranslations(db, postId)) >= maxTranslations)
      throw invalidField('lang', `cannot be added: a post has at most ${maxTranslations} translations`)
    await insertUnderFreeSlug(tx, {
      ...{ ...said, id: newId(), post_id: postId, user_id: user.id, lang, created_at: now, updated_at: now },
      slug: slugOf(title, lang),
    })
    await renewApproval({ tx, user, post, type: types.typeOf(post), now })
    await recordSaved(tx, { post_id: postId, lang, created: true })
    return { lang, created: true }
  })
}

export async function changeTranslation(
  { ctx, render, writer, reading, postId }: Work,
  lang: string,
  input: TranslationInput,
): Promise<void> {
  const members = readTranslation(input)
  const { body_format } = await loadReadablePost(ctx, postId, reading)
  assertFormat(members, body_format)
  const rendered = members.body === undefined ? {} : await renderBody(render, { body: members.body, body_format })
  await withLockedPost(ctx, writer, postId, async ({ tx, user, post, types, now }) => {
    const { db } = tx
    assertStill(post, user, types, body_format)
    const found = await lockOwn(db, post, lang, user)
    assertUnchanged(found, members.expected)
    const { title, excerpt, slug } = members
    const updated_at = laterThan(found, now)
    await updateTranslation(db, found.id, { title, excerpt, slug, ...rendered, updated_at })
    await keepFormerSlug(db, post, { lang, slug: found.slug }, { lang, slug: slug ?? found.slug })
    await renewApproval({ tx, user, post, type: types.typeOf(post), now })
    await recordSaved(tx, { post_id: postId, lang, created: false })
  })
}

export async function deleteTranslation(
  { ctx, writer, reading, postId }: Omit<Work, 'render'>,
  lang: string,
): Promise<void> {
  await loadReadablePost(ctx, postId, reading)
  await withLockedPost(ctx, writer, postId, async ({ tx, user, post, types, now }) => {
    const { db } = tx
    assertStill(post, user, types, post.body_format)
    const { id } = await lockOwn(db, post, lang, user)
    await removeTranslation(db, id)
    await renewApproval({ tx, user, post, type: types.typeOf(post), now })
    await recordEvents(tx, [{ type: 'translation.deleted', data: { post_id: postId, lang, created: false } }])
  })
}

/** A moderator who approves the post must have seen its translations. */
async function renewApproval(change: Parameters<typeof requireApprovalAgain>[0]): Promise<void> {
  const { tx, post, now } = change
  if (post.status === 'pending') await updatePost(tx.db, post.id, { updated_at: laterThan(post, now) })
  await requireApprovalAgain(change)
}

const recordSaved = (ctx: Context, data: { post_id: string; lang: string; created: boolean }): Promise<void> =>
  recordEvents(ctx, [{ type: 'translation.saved', data }])

/** Since the first read, the writer may have lost access, or the post's format may have changed. */
function assertStill(post: PostRow, user: PostReader, types: PostTypeRules, format: PostRow['body_format']): void {
  if (accessTo(post, user, types) === 'hidden') throw new AppError('NOT_FOUND')
  if (post.body_format !== format) throw new AppError('EDIT_CONFLICT')
}

async function lockOwn(db: Db, post: PostRow, lang: string, user: PostReader) {
  const found = await lockTranslation(db, post.id, lang)
  if (!found) throw new AppError('NOT_FOUND')
  assertMayChange(post, found, user)
  return found
}

function assertMayChange(post: PostRow, translation: Pick<TranslationRow, 'user_id'>, user: PostReader): void {
  const isTranslator = user !== undefined && translation.user_id === user.id
  if (!isTranslator && !isOwnerOrAdmin(post, user)) throw new AppError('FORBIDDEN')
}

/** The unique index prevents two rows with the same slug. After a conflict, another slug is chosen. */
export async function insertUnderFreeSlug(ctx: Context, row: TranslationRow): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const slug = freeSlug(row.slug, await takenSlugs(ctx, row.lang, row.slug))
    if (await insertTranslation(ctx.db, { ...row, slug })) return
  }
  throw slugTaken()
}
