import Type, { type Static } from 'typebox'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  namedSchema,
  pageMembers,
  Timestamp,
} from '../../../http/responses/schemas.ts'
import { expected_updated_at, IdOnly, listMeta, PostHeaders, postResponse, tag } from '../schemas.ts'

const statuses = ['pending', 'approved', 'rejected', 'spam'] as const
const Status = Type.Enum([...statuses])

const Author = namedSchema(
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
    comment_body: Type.String({ description: 'plain text; escape it before showing it in HTML' }),
    status: Status,
    replies_count: Type.Integer(),
    edited_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
    moderated_by: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'present only for moderators' }),
    ),
    moderated_at: Type.Optional(NullableTimestamp),
    moderation_reason: Type.Optional(NullableString),
  },
  { title: 'Comment' },
)

export type ShownComment = Static<typeof Comment>

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
      'Returns approved comments and your own pending comments. Moderators see all comments. A deleted comment with ' +
      'replies stays in the list without its text.',
    tag,
  },
  {
    params: IdOnly,
    headers: PostHeaders,
    querystring: Type.Object({
      ...pageMembers,
      order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'order by time; default: asc' })),
      parent_id: Type.Optional(
        Type.String({
          description: '`root` returns only top-level comments; the id of a comment returns only its replies',
        }),
      ),
      status: Type.Optional(Type.Enum([...statuses], { description: 'only for moderators' })),
    }),
  },
  postResponse(Type.Array(Comment), listMeta),
)
export const AddCommentRoute = describe(
  {
    operationId: 'createComment',
    errors: ['COMMENTS_DISABLED', 'NOT_FOUND', 'PASSWORD_REQUIRED', 'POST_NOT_PUBLISHED'],
    summary: 'Comment on a post',
    description:
      'Comments are nested at most five levels deep. Deeper replies are attached to the deepest comment that can ' +
      'have replies.',
    tag,
  },
  {
    params: IdOnly,
    headers: PostHeaders,
    body: Type.Object(
      {
        comment_body,
        parent_id: Type.Optional(
          Type.String({
            description: 'id of the comment being replied to',
            examples: ['0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'],
          }),
        ),
      },
      { examples: [{ comment_body: 'Which engine is meant?' }] },
    ),
  },
  postResponse(Comment, {}),
)
export const ChangeCommentRoute = describe(
  {
    operationId: 'updateComment',
    errors: ['EDIT_WINDOW_CLOSED', 'FORBIDDEN', 'NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Change a comment',
    description:
      'Authors can change their comments during COMMENTS_EDIT_WINDOW; the change is moderated like a new comment. ' +
      'Moderators can change comments at any time.',
    tag,
  },
  {
    params: CommentId,
    headers: PostHeaders,
    body: Type.Object({ comment_body }, { examples: [{ comment_body: 'Which of the two engines is meant?' }] }),
  },
  postResponse(Type.Object({ id: Id, updated: Type.Literal(true), status: Status }), {}),
)
export const DeleteCommentRoute = describe(
  {
    operationId: 'deleteComment',
    errors: ['FORBIDDEN', 'NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Delete a comment',
    description: "Allowed for the comment's author, the post's owner, and moderators.",
    tag,
  },
  { params: CommentId, headers: PostHeaders },
  postResponse(Type.Object({ id: Id, deleted: Type.Literal(true) }), {}),
)
export const ModerateCommentRoute = describe(
  {
    operationId: 'moderateComment',
    errors: ['EDIT_CONFLICT', 'NOT_FOUND'],
    summary: 'Moderate a comment',
    description: 'Send `action` or `status`.',
    tag,
  },
  {
    params: CommentId,
    body: Type.Object(
      {
        action: Type.Optional(Type.Enum(['approve', 'reject', 'spam', 'pending'], { examples: ['approve'] })),
        status: Type.Optional(Type.Enum([...statuses], { examples: ['approved'] })),
        reason: Type.Optional(Type.String({ description: 'at most 500 characters', examples: ['On topic'] })),
        expected_updated_at,
      },
      { examples: [{ action: 'approve' }] },
    ),
  },
  postResponse(Type.Object({ id: Id, status: Status }), {}),
)
export const ListForModeratorRoute = describe(
  {
    operationId: 'listCommentsToModerate',
    summary: 'List comments on all posts',
    description: 'Only for moderators. By default, returns pending comments.',
    tag,
  },
  {
    querystring: Type.Object({
      ...pageMembers,
      status: Type.Optional(Type.Enum([...statuses], { description: 'default: pending' })),
      post_id: Type.Optional(Type.String({ description: 'only comments on this post' })),
    }),
  },
  postResponse(Type.Array(Comment), listMeta),
)
