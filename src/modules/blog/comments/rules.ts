import type { Config } from '../../../config/load.ts'
import { moderators, type PostReader } from '../access.ts'
import type { CommentRow, CommentViewer } from './queries.ts'

/** Top-level comments have depth 1. A reply that would exceed the limit becomes a reply to its parent's parent. */
export const maxCommentDepth = 5

export const isModerator = (config: Pick<Config, 'MODERATOR_ROLES'>, reader: PostReader): boolean =>
  reader !== undefined && (moderators(config).roles ?? []).includes(reader.user_type)

export const commentViewerOf = (config: Pick<Config, 'MODERATOR_ROLES'>, reader: PostReader): CommentViewer => ({
  readerId: reader?.id,
  isModerator: isModerator(config, reader),
})

/** Implements the same rule as `seenBy` in queries.ts for a row that is already loaded. */
export const isSeenBy = ({ status, user_id }: CommentRow, { readerId, isModerator: all }: CommentViewer): boolean =>
  all || status === 'approved' || (status === 'pending' && readerId !== undefined && user_id === readerId)

export const placeUnder = (
  parent: Pick<CommentRow, 'id' | 'parent_id' | 'depth'> | undefined,
): Pick<CommentRow, 'parent_id' | 'depth'> => {
  if (!parent) return { parent_id: null, depth: 1 }
  if (parent.depth < maxCommentDepth) return { parent_id: parent.id, depth: parent.depth + 1 }
  return { parent_id: parent.parent_id, depth: parent.depth }
}

interface CommentDecision {
  /** Comments by moderators and by the post's owner need no approval. */
  isTrusted: boolean
  hasApproved: boolean
}

export function initialStatus(
  { COMMENTS_REQUIRE_APPROVAL }: Pick<Config, 'COMMENTS_REQUIRE_APPROVAL'>,
  { isTrusted, hasApproved }: CommentDecision,
): 'approved' | 'pending' {
  if (isTrusted || COMMENTS_REQUIRE_APPROVAL === 'never') return 'approved'
  return COMMENTS_REQUIRE_APPROVAL === 'first' && hasApproved ? 'approved' : 'pending'
}
