import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, Transaction, UserRow } from '../../context.ts'
import { missedReference, programLimit, violatedIndex } from '../../db/errors.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { deviceOf } from '../../http/access/device.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { laterThan } from '../../lib/expected-version.ts'
import { lockCaller } from '../../sessions/authenticate.ts'
import { accessTo, isOwnerOrAdmin } from './access.ts'
import type { PostType, PostTypeRules } from './post-type-provider.ts'
import { findFullPost, lockPost, type PostRow } from './queries.ts'
import { publishIfDue } from './scheduling/publish-due.ts'
import { effectiveState } from './states.ts'

export interface PostWriter {
  view: SessionView
  device: RequestDevice
}

export interface LockedPost {
  tx: Transaction
  user: UserRow
  post: PostRow
  types: PostTypeRules
  type: PostType
  now: Date
}

/** For users other than the owner and administrators, throws FORBIDDEN, or NOT_FOUND if they cannot read the post. */
export function changePost<Result>(
  ctx: Context,
  writer: PostWriter,
  id: string,
  work: (locked: LockedPost) => Promise<Result>,
): Promise<Result> {
  return withLockedPost(ctx, writer, id, async (locked) => {
    const { post, user, types } = locked
    if (accessTo(post, user, types) === 'hidden') throw new AppError('NOT_FOUND')
    if (!isOwnerOrAdmin(post, user)) throw new AppError('FORBIDDEN')
    return work(locked)
  })
}

/** Locks a post in any state and with any owner. `work` checks whether the caller may change the post. */
export function withLockedPost<Result>(
  ctx: Context,
  writer: PostWriter,
  id: string,
  work: (locked: LockedPost) => Promise<Result>,
): Promise<Result> {
  return tracingDenials(ctx, writer, { post_id: id }, () =>
    transact(ctx, async (tx) => {
      const user = await lockCaller(tx, writer.view)
      const types = await ctx.postTypeProvider.loadFresh(tx.db)
      const found = await lockPost(tx.db, ctx.postTypeProvider.columns(), id)
      if (!found) throw new AppError('NOT_FOUND')
      const now = laterThan(found, ctx.clock.date())
      const post = await publishIfDue(tx, found)
      return work({ tx, user, post, types, type: types.typeOf(post), now })
    }).catch((error) => {
      throw storageProblem(error)
    }),
  )
}

export async function tracingDenials<Result>(
  ctx: Context,
  writer: PostWriter,
  details: Record<string, unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') await recordDenial(ctx, writer, details)
    throw error
  }
}

export async function getEditablePost(
  ctx: Context,
  writer: PostWriter,
  id: string,
  types: PostTypeRules,
): Promise<PostRow> {
  const { user } = writer.view
  const found = await findFullPost(ctx.db, ctx.postTypeProvider.columns(), id)
  const post = found && effectiveState(found, ctx.clock.date())
  if (!post || accessTo(post, user, types) === 'hidden') throw new AppError('NOT_FOUND')
  if (isOwnerOrAdmin(post, user)) return post
  await recordDenial(ctx, writer, { post_id: id })
  throw new AppError('FORBIDDEN')
}

export const recordDenial = (
  ctx: Context,
  { view, device }: PostWriter,
  details: Record<string, unknown>,
): Promise<void> => recordAudit(ctx, { event: 'authz_denied', outcome: 'failure', actor: view.user, device, details })

const slugIndexes = ['posts_slug', 'post_translations_slug']

export function storageProblem(error: unknown): unknown {
  if (slugIndexes.includes(violatedIndex(error) ?? '')) return slugTaken()
  // The type existed when the request was checked but has since been deleted.
  if (missedReference(error) === 'posts_type_known') return invalidField('post_type', 'must be an existing type')
  if (programLimit(error)) return invalidField('body', 'has too many different words for the search index')
  return error
}

export const slugTaken = (): AppError =>
  new AppError('SLUG_TAKEN', { details: [{ field: 'slug', message: 'is already taken' }] })

export const writerOf = (request: FastifyRequest): PostWriter => ({ view: request.auth, device: deviceOf(request) })
