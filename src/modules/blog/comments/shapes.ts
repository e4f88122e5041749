import type { Config } from '../../../config/load.ts'
import { iso } from '../../../lib/time.ts'
import { pictureAddress } from '../../../users/picture-address.ts'
import type { PostReader } from '../access.ts'
import type { FullComment } from './queries.ts'
import { isModerator } from './rules.ts'

export function commentResponse(config: Config, comment: FullComment, reader: PostReader) {
  const { author, edited_at, deleted_at, moderated_at } = comment
  const isGone = deleted_at !== null
  return {
    id: comment.id,
    post_id: comment.post_id,
    parent_id: comment.parent_id,
    user_id: isGone || !comment.author ? null : comment.user_id,
    author: isGone ? null : author && { ...author, picture: pictureAddress(config, author.picture) || null },
    comment_body: isGone ? '' : comment.comment_body,
    status: comment.status,
    replies_count: comment.replies_count,
    edited_at: edited_at && iso(edited_at),
    created_at: iso(comment.created_at),
    updated_at: iso(comment.updated_at),
    ...(isModerator(config, reader) && {
      moderated_by: comment.moderated_by,
      moderated_at: moderated_at && iso(moderated_at),
      moderation_reason: comment.moderation_reason,
    }),
  }
}
