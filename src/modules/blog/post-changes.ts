import type { Context } from '../../context.ts'
import type { ExpectedVersion } from '../../lib/expected-version.ts'
import { pictureAddress } from '../../users/picture-address.ts'
import type { PostType } from './post-type-provider.ts'
import type { PostChanges, PostRow } from './queries.ts'
import type { PostMembers } from './read-members.ts'
import type { PostBody } from './render.ts'
import { type PostState, transitions } from './states.ts'
import type { TypedMembers } from './type-rules.ts'

export interface PostInput {
  members: PostMembers
  expected: ExpectedVersion
  /** The requested type, or the post's current type if the request specifies none. */
  type: PostType
  typed: TypedMembers
  password_hash: string | undefined
  rendered: PostBody | undefined
  /** The post as it was when the request was prepared. */
  known: PostRow
}

export function changesTo(
  config: Context['config'],
  post: PostRow,
  { members, type, typed, password_hash, rendered }: PostInput,
): PostChanges {
  const hasPassword = (members.visibility ?? post.visibility) === 'password'
  return {
    ...plainChanges(members, type),
    ...type.columnsOf(post, typed),
    ...imageChanges(config, post, members),
    ...rendered,
    ...(hasPassword ? password_hash && { password_hash } : { password_hash: null }),
  }
}

function plainChanges(members: PostMembers, { features }: PostType): PostChanges {
  const {
    password: _hashed,
    bodyIsValue: _read,
    category_ids: _linked,
    tag_ids: _too,
    status: _moved,
    scheduled_at: _at,
    post_type: _entered,
    featured_image: _kept,
    ...plain
  } = members
  if (!features.comments) plain.comments_enabled &&= false
  if (!features.reactions) plain.reactions_enabled &&= false
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
}

/** If a client sends back the image URL that it read, the stored image is kept. */
function imageChanges(config: Context['config'], post: PostRow, { featured_image: image }: PostMembers): PostChanges {
  const shown = post.featured_image === null ? undefined : pictureAddress(config, post.featured_image)
  return image === undefined || image === shown ? {} : { featured_image: image, featured_image_key: null }
}

/** Uses the same transitions as the routes for publishing, unpublishing and scheduling. */
export function stateWanted(post: PostRow, { status, scheduled_at }: PostMembers, now: Date): PostState {
  const keep = { status: post.status, published_at: post.published_at, scheduled_at: post.scheduled_at }
  switch (status ?? post.status) {
    case 'published':
      return transitions.publish(keep, now)
    case 'draft':
      return transitions.unpublish(keep)
    case 'pending':
      return transitions.submit(keep)
    case 'scheduled':
      return scheduled_at ? transitions.schedule(keep, scheduled_at) : { ...keep, status: 'scheduled' }
  }
}
