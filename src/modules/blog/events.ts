import type { EventDataOf } from '../../events/schemas.ts'
import type { ServiceEvent } from '../../events/types.ts'
import type { CommentRow } from './comments/queries.ts'
import type { blogEventData } from './event-schemas.ts'
import type { PostRow } from './queries.ts'

type BlogEvents = EventDataOf<typeof blogEventData>

declare module '../../events/types.ts' {
  interface ModuleEventData extends BlogEvents {}
}

type PostEvent = Extract<keyof BlogEvents, `post.${string}`>

type ChangedPost = Pick<PostRow, 'id' | 'slug' | 'lang' | 'status' | 'post_type'>

export const postEvent = (
  type: PostEvent,
  { id, slug, lang, status, post_type = 'post' }: ChangedPost,
): ServiceEvent => ({ type, data: { post_id: id, slug, lang, status, post_type } })

const moves = {
  published: 'post.published',
  pending: 'post.pending',
  scheduled: 'post.scheduled',
  draft: 'post.unpublished',
} as const

/** A change to a scheduled post's time is also recorded as an event. */
export function moveEvents(before: Pick<PostRow, 'status' | 'scheduled_at'>, after: ChangedPost & typeof before) {
  const isMoved = before.status !== after.status || before.scheduled_at?.getTime() !== after.scheduled_at?.getTime()
  return isMoved ? [postEvent(moves[after.status], after)] : []
}

/** Starts from a draft, so that creating a published post records both `post.created` and `post.published`. */
export const creationEvents = (post: ChangedPost & Pick<PostRow, 'scheduled_at'>): ServiceEvent[] => [
  postEvent('post.created', post),
  ...moveEvents({ status: 'draft', scheduled_at: null }, post),
]

type CommentEvent = Extract<keyof BlogEvents, `comment.${string}`>

export const commentEvent = (
  type: CommentEvent,
  { id, post_id, status }: Pick<CommentRow, 'id' | 'post_id' | 'status'>,
): ServiceEvent => ({ type, data: { comment_id: id, post_id, status } })
