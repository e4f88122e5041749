import Type from 'typebox'
import { Id } from '../../http/responses/schemas.ts'

const ofPost = () =>
  Type.Object({
    post_id: Id,
    slug: Type.String(),
    lang: Type.String(),
    status: Type.String({ description: 'the status after the change', examples: ['published'] }),
    post_type: Type.String({ examples: ['post'] }),
  })

const ofComment = () =>
  Type.Object({
    comment_id: Id,
    post_id: Id,
    status: Type.String({ description: 'the status after the change', examples: ['pending', 'approved'] }),
  })

const ofTranslation = () =>
  Type.Object({
    post_id: Id,
    lang: Type.String(),
    created: Type.Boolean({ description: 'true for a new translation' }),
  })

export const blogEventData = {
  'post.created': ofPost(),
  'post.updated': ofPost(),
  'post.published': ofPost(),
  'post.pending': ofPost(),
  'post.scheduled': ofPost(),
  'post.unpublished': ofPost(),
  'post.deleted': ofPost(),
  'post.restored': ofPost(),
  'translation.saved': ofTranslation(),
  'translation.deleted': ofTranslation(),
  'comment.created': ofComment(),
  'comment.moderated': ofComment(),
  'comment.deleted': ofComment(),
} as const
