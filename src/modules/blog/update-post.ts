import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { userColumns } from '../../users/columns.ts'
import { findUser } from '../../users/queries.ts'
import { assertUnchanged, changePost, type Writer } from './change-post.ts'
import { writeTaxonomy } from './create-post.ts'
import { keepRevision } from './keep-revision.ts'
import { findFullPost, type PostChanges, type PostRow, updatePost } from './queries.ts'
import { assertTogether, type GivenPost, type PostMembers, readMembers, timeField } from './read-members.ts'
import { isAdmin } from './readers.ts'
import type { Render } from './render.ts'
import { renderBody } from './render-body.ts'
import { moves } from './states.ts'

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
  const { password } = members
  const password_hash = password === undefined ? undefined : await ctx.passwords.hash(password)
  const rendered = await renderGiven(ctx, render, id, members)
  await changePost(ctx, writer, id, async ({ change, user, post, now }) => {
    if (user_id !== undefined && !isAdmin(user)) throw new AppError('FORBIDDEN')
    assertUnchanged(post, expected)
    const changes: PostChanges = {
      ...plainChanges(members),
      ...(password_hash !== undefined && { password_hash }),
      ...(user_id !== undefined && { user_id: await getUserId(ctx, change.db, user_id) }),
      ...stateOf(post, members, now),
    }
    const after = { ...post, ...changes } as PostRow
    if (after.visibility !== 'password') changes.password_hash = null
    assertTogether({ ...after, ...(after.visibility !== 'password' && { password_hash: null }) }, members)
    if (rendered) {
      // Rendered in the format that the post had then.
      if (rendered.body_format !== after.body_format) throw new AppError('EDIT_CONFLICT')
      Object.assign(changes, rendered)
    }
    await updatePost(change.db, id, { ...changes, updated_at: now })
    await writeTaxonomy(change.db, id, members)
    const written = { ...after, ...rendered }
    if (saysElse(post, written)) await keepRevision(ctx, change.db, written, { userId: user.id, now })
  })
}

/** Before the transaction, for it may take its time. Whether the caller may change the post at all is asked inside. */
async function renderGiven({ db }: Context, render: Render, id: string, { body, body_format }: PostMembers) {
  if (body === undefined && body_format === undefined) return undefined
  const post = body === undefined || body_format === undefined ? await findFullPost(db, id) : undefined
  const format = body_format ?? post?.body_format
  if (format === undefined) throw new AppError('NOT_FOUND')
  return renderBody(render, { body: body === undefined ? (post?.body ?? null) : body, body_format: format })
}

function plainChanges(members: PostMembers): PostChanges {
  const {
    password: _hashed,
    category_ids: _linked,
    tag_ids: _too,
    status: _moved,
    scheduled_at: _at,
    ...plain
  } = members
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
}

/** The same ways as those of the routes that publish, unpublish and schedule. */
function stateOf(post: PostRow, { status, scheduled_at }: PostMembers, now: Date): PostChanges {
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

const said = ['title', 'body', 'body_format', 'excerpt'] as const
const saysElse = (before: PostRow, after: PostRow): boolean => said.some((name) => before[name] !== after[name])
