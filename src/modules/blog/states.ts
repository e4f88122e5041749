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
  submit: (post: PostState): PostState => ({ ...post, status: 'pending' }),
  schedule: (post: PostState, at: Date): PostState => ({ ...post, status: 'scheduled', scheduled_at: at }),
}

/** A due post counts as published even before the job has run. */
export function effectiveState<Post extends PostState>(post: Post, now: Date): Post {
  if (post.status !== 'scheduled' || !post.scheduled_at || post.scheduled_at > now) return post
  return { ...post, status: 'published', published_at: post.scheduled_at, scheduled_at: null }
}
