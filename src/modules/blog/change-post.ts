import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, UserRow } from '../../context.ts'
import { programLimit, violatedIndex } from '../../db/errors.ts'
import { type Change, transact } from '../../db/transact.ts'
import type { Device } from '../../http/device.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { lockCaller } from '../../sessions/lock-caller.ts'
import { lockPost, type PostRow } from './queries.ts'
import { isOwnerOrAdmin, readingOf } from './readers.ts'
import { asOf } from './states.ts'

/** Who does something, from where. */
export interface Writer {
  view: SessionView
  device: Device
}

/** A post and its writer, both held. */
export interface Held {
  change: Change
  user: UserRow
  post: PostRow
  now: Date
}

/** One change of a post by its owner or an administrator. For others it is forbidden, or not there if they cannot read it. */
export function changePost<Result>(
  ctx: Context,
  writer: Writer,
  id: string,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  return holding(ctx, writer, id, async (held) => {
    const { post, user } = held
    if (readingOf(post, user) === 'hidden') throw new AppError('NOT_FOUND')
    if (!isOwnerOrAdmin(post, user)) throw new AppError('FORBIDDEN')
    return work({ ...held })
  })
}

/** The same for whatever state the post is in. */
export async function holding<Result>(
  ctx: Context,
  { view, device }: Writer,
  id: string,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  try {
    return await transact(ctx.db, async (change) => {
      const user = await lockCaller(ctx, change, view)
      const found = await lockPost(change.db, id)
      if (!found) throw new AppError('NOT_FOUND')
      const time = Math.max(ctx.clock.now(), found.updated_at.getTime() + 1)
      return work({ change, user, post: asOf(found, new Date(ctx.clock.now())), now: new Date(time) })
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') {
      const details = { post_id: id }
      await recordAudit(ctx, ctx.db, { event: 'authz_denied', outcome: 'failure', actor: view.user, device, details })
    }
    throw storageProblem(error)
  }
}

/** What only the database finds out. */
export function storageProblem(error: unknown): unknown {
  if (violatedIndex(error) === 'posts_slug') return slugTaken()
  if (programLimit(error)) return invalidField('body', 'has too many different words to be searched')
  return error
}

export const slugTaken = (): AppError =>
  new AppError('SLUG_TAKEN', { details: [{ field: 'slug', message: 'is already taken' }] })

/** Whoever changes what they have read says when that was written: then nobody overwrites what they have not seen. */
export function assertUnchanged(post: PostRow, expected: Date | undefined): void {
  if (expected && expected.getTime() !== post.updated_at.getTime()) throw new AppError('EDIT_CONFLICT')
}
