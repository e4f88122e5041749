import type { Config } from '../../config/load.ts'
import { isAdmin } from '../../http/access/is-admin.ts'
import { AppError } from '../../lib/errors.ts'
import type { PostReader } from './access.ts'
import type { PostType } from './post-type-provider.ts'
import type { PostRow } from './queries.ts'

export type PostState = Pick<PostRow, 'status' | 'published_at' | 'scheduled_at'>

export const isPublishedOrScheduled = (status: PostRow['status']): boolean =>
  status === 'published' || status === 'scheduled'

/** Each transition returns the resulting columns. A transition to the current state changes nothing. */
export const transitions = {
  publish: (post: PostState, now: Date): PostState =>
    post.status === 'published'
      ? post
      : { status: 'published', published_at: post.published_at ?? now, scheduled_at: null },
  unpublish: (post: PostState): PostState =>
    post.status === 'draft' ? post : { status: 'draft', published_at: post.published_at, scheduled_at: null },
  submit: <State extends Pick<PostState, 'status'>>(post: State): State => ({ ...post, status: 'pending' }),
  schedule: (post: PostState, at: Date): PostState => ({ ...post, status: 'scheduled', scheduled_at: at }),
}

/** A due post counts as published even if the publishing job has not run yet. */
export function effectiveState<Post extends PostState>(post: Post, now: Date): Post {
  if (post.status !== 'scheduled' || !post.scheduled_at || post.scheduled_at > now) return post
  return { ...post, status: 'published', published_at: post.scheduled_at, scheduled_at: null }
}

export const needsApproval = (type: Pick<PostType, 'requiresApproval'>, user: PostReader): boolean =>
  type.requiresApproval && !isAdmin(user)

/**
 * Returns the state after a change of the content. An approval of a scheduled post covers only the approved content. By
 * default, later edits of a published post need no approval.
 */
export function stateAfterEdit<State extends Pick<PostState, 'status'>>(
  { POST_EDIT_APPROVAL }: Pick<Config, 'POST_EDIT_APPROVAL'>,
  type: Pick<PostType, 'requiresApproval'>,
  user: PostReader,
  state: State,
): State {
  if (!needsApproval(type, user)) return state
  const isCovered = state.status === 'published' ? !POST_EDIT_APPROVAL : state.status !== 'scheduled'
  return isCovered ? state : transitions.submit(state)
}

/** Returns the state that the writer may set. If the type requires approval, publishing results in `pending`. */
export function permittedState(
  type: PostType,
  user: PostReader,
  before: PostState | undefined,
  { status, published_at, scheduled_at }: PostState,
): PostState {
  const wanted = { status, published_at, scheduled_at }
  const isMove = before?.status !== status || before.scheduled_at?.getTime() !== scheduled_at?.getTime()
  if (!isMove || !isPublishedOrScheduled(status)) return wanted
  if (!type.isActive) throw new AppError('POST_TYPE_INACTIVE')
  if (status === 'scheduled' && !type.features.scheduling) throw new AppError('SCHEDULING_DISABLED')
  // A published post has already been approved.
  if (!needsApproval(type, user) || before?.status === 'published') return wanted
  return {
    status: 'pending',
    published_at: before?.published_at ?? null,
    scheduled_at: scheduled_at ?? before?.scheduled_at ?? null,
  }
}
