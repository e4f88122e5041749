import type { Config } from '../../../config/load.ts'
import { moderators } from '../access.ts'
import type { Reader } from '../readers.ts'
import type { CommentRow, Eyes } from './queries.ts'

/** How deep replies go: what would be deeper is attached to the deepest comment that may have replies. */
export const deepest = 5

export const isModerator = (config: Pick<Config, 'MODERATOR_ROLES'>, reader: Reader): boolean =>
  reader !== undefined && (moderators(config).roles ?? []).includes(reader.user_type)

export const eyesOf = (config: Pick<Config, 'MODERATOR_ROLES'>, reader: Reader): Eyes => ({
  readerId: reader?.id,
  isModerator: isModerator(config, reader),
})

/** The same as the queries say it, for a row at hand. */
export const isSeenBy = ({ status, user_id }: CommentRow, { readerId, isModerator: all }: Eyes): boolean =>
  all || status === 'approved' || (status === 'pending' && readerId !== undefined && user_id === readerId)

/** Where a reply stands. */
export const placeUnder = (
  parent: Pick<CommentRow, 'id' | 'parent_id' | 'depth'> | undefined,
): Pick<CommentRow, 'parent_id' | 'depth'> => {
  if (!parent) return { parent_id: null, depth: 1 }
  if (parent.depth < deepest) return { parent_id: parent.id, depth: parent.depth + 1 }
  return { parent_id: parent.parent_id, depth: parent.depth }
}

interface Judged {
  /** Of moderators and of whoever owns the post nobody has to approve anything. */
  isTrusted: boolean
  hasApproved: boolean
}

/** What becomes of a new comment. */
export function judge(
  { COMMENTS_REQUIRE_APPROVAL }: Pick<Config, 'COMMENTS_REQUIRE_APPROVAL'>,
  { isTrusted, hasApproved }: Judged,
): 'approved' | 'pending' {
  if (isTrusted || COMMENTS_REQUIRE_APPROVAL === 'never') return 'approved'
  return COMMENTS_REQUIRE_APPROVAL === 'first' && hasApproved ? 'approved' : 'pending'
}
