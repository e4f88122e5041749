import Type, { type Static } from 'typebox'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  named,
  pageMembers,
  Timestamp,
} from '../../../http/replies/schemas.ts'
import { IdOnly, listMeta, PostHeaders, reply, tag } from '../schemas.ts'

const statuses = ['pending', 'approved', 'rejected', 'spam'] as const
const Status = Type.Enum([...statuses])

const Author = named(
  'CommentAuthor',
  Type.Object({ id: Id, name: Type.String(), display_name: NullableString, picture: NullableString }),
)

const Comment = Type.Object(
  {
    id: Id,
    post_id: Id,
    parent_id: NullableString,
    user_id: NullableString,
    author: Type.Unsafe<Static<typeof Author> | null>({ ...Author, type: ['object', 'null'] }),
    comment_body: Type.String({ description: 'plain text: escape it before you show it as HTML' }),
    status: Status,
    replies_count: Type.Integer(),
    edited_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
    moderated_by: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'like the next two, for moderators only' }),
    ),
    moderated_at: Type.Optional(NullableTimestamp),
    moderation_reason: Type.Optional(NullableString),
  },
  { title: 'Comment' },
)

const comment_body = Type.String({
  description: 'plain text, 1 to 5000 characters',
  examples: ['Which engine is meant?'],
  aliases: ['body', 'content'],
})
const CommentId = Type.Object({ comment_id: IdOnly.properties.id })

export const ListCommentsRoute = describe(
  {
    operationId: 'listComments',
    errors: ['FORBIDDEN', 'INVALID_SESSION', 'NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'List the comments on a post',
    description:
      'Approved ones, and those of your own that wait; moderators see all. A deleted comment that has replies stays without its words.',
    tag,
  },
  {
    params: IdOnly,
    headers: PostHeaders,
    querystring: Type.Object({
      ...pageMembers,
      order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by time; asc when absent' })),
      parent_id: Type.Optional(Type.String({ description: 'root: those that reply to none; or whose replies' })),
      status: Type.Optional(Type.Enum([...statuses], { description: 'for moderators' })),
    }),
  },
  reply(Type.Array(Comment), listMeta),
)
export const AddCommentRoute = describe(
  {
    operationId: 'createComment',
    errors: ['COMMENTS_DISABLED', 'NOT_FOUND', 'PASSWORD_REQUIRED', 'POST_NOT_PUBLISHED'],
    summary: 'Comment on a post',
    description: 'Replies go five levels deep; deeper ones are attached to the deepest comment that may have replies.',
    tag,
  },
  {
    params: IdOnly,
    headers: PostHeaders,
    body: Type.Object({
      comment_body,
      parent_id: Type.Optional(
        Type.String({ description: 'of what it replies to', examples: ['0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'] }),
      ),
    }),
  },
  reply(Comment, {}),
)
export const ChangeCommentRoute = describe(
  {
    operationId: 'updateComment',
    errors: ['EDIT_WINDOW_CLOSED', 'FORBIDDEN', 'NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Change a comment',
    description:
      'By its author within COMMENTS_EDIT_WINDOW, which is judged like a new one; by moderators at any time.',
    tag,
  },
  { params: CommentId, headers: PostHeaders, body: Type.Object({ comment_body }) },
  reply(Type.Object({ id: Id, updated: Type.Literal(true), status: Status }), {}),
)
export const DeleteCommentRoute = describe(
  {
    operationId: 'deleteComment',
    errors: ['FORBIDDEN', 'NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Delete a comment',
    description: 'By its author, the owner of the post, or a moderator.',
    tag,
  },
  { params: CommentId, headers: PostHeaders },
  reply(Type.Object({ id: Id, deleted: Type.Literal(true) }), {}),
)
export const ModerateCommentRoute = describe(
  {
    operationId: 'moderateComment',
    errors: ['NOT_FOUND'],
    summary: 'Moderate a comment',
    description: 'Give action or status.',
    tag,
  },
  {
    params: CommentId,
    body: Type.Object({
      action: Type.Optional(Type.Enum(['approve', 'reject', 'spam', 'pending'], { examples: ['approve'] })),
      status: Type.Optional(Type.Enum([...statuses], { examples: ['approved'] })),
      reason: Type.Optional(Type.String({ description: 'at most 500 characters', examples: ['On topic'] })),
    }),
  },
  reply(Type.Object({ id: Id, status: Status }), {}),
)
export const ListForModeratorRoute = describe(
  {
    operationId: 'listCommentsToModerate',
    summary: 'List comments on all posts',
    description: 'For moderators; those that wait when no status is given.',
    tag,
  },
  {
    querystring: Type.Object({
      ...pageMembers,
      status: Type.Optional(Type.Enum([...statuses], { description: 'pending when absent' })),
      post_id: Type.Optional(Type.String({ description: 'on one post only' })),
    }),
  },
  reply(Type.Array(Comment), listMeta),
)
