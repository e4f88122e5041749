import type { Config } from '../../config/load.ts'
import type { RouteAccess } from '../../http/access/access.ts'
import { isAdmin } from '../../http/access/is-admin.ts'
import type { PostTypeRules } from './post-type-provider.ts'
import type { PostRow } from './queries.ts'

/** Undefined for requests without a session. */
export type PostReader = { id: string; user_type: string } | undefined

export type ReadablePost = Pick<PostRow, 'user_id' | 'status' | 'visibility' | 'deleted_at' | 'post_type'>

export const isOwner = ({ user_id }: Pick<PostRow, 'user_id'>, reader: PostReader): boolean =>
  reader !== undefined && user_id === reader.id

export const isOwnerOrAdmin = (post: Pick<PostRow, 'user_id'>, reader: PostReader): boolean =>
  isOwner(post, reader) || isAdmin(reader)

/** `locked` means that the reader must enter the post's password. */
export function accessTo(post: ReadablePost, reader: PostReader, types: PostTypeRules): 'free' | 'locked' | 'hidden' {
  if (post.deleted_at || types.hides(post, reader)) return 'hidden'
  if (isOwnerOrAdmin(post, reader)) return 'free'
  if (post.status !== 'published') return 'hidden'
  switch (post.visibility) {
    case 'public':
      return 'free'
    case 'auth':
      return reader ? 'free' : 'hidden'
    case 'password':
      return 'locked'
    case 'private':
      return 'hidden'
  }
}

/** The roles that may write posts. Administrators are always included. */
export const writers = ({ WRITER_ROLES }: Pick<Config, 'WRITER_ROLES'>): RouteAccess => ({
  bridge: 'none',
  session: 'full',
  roles: [...new Set([...WRITER_ROLES, 'admin', 'superadmin'])],
  description: 'a full session of an administrator or of a user whose type is in WRITER_ROLES',
})
/** The roles that may moderate comments. Administrators are always included. */
export const moderators = ({ MODERATOR_ROLES }: Pick<Config, 'MODERATOR_ROLES'>): RouteAccess => ({
  bridge: 'none',
  session: 'full',
  roles: [...new Set([...MODERATOR_ROLES, 'admin', 'superadmin'])],
  notForApplications: true,
  description: 'a full browser session of an administrator or of a user whose type is in MODERATOR_ROLES',
})
