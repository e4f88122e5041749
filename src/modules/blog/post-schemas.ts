import Type, { type Static } from 'typebox'
import { describe, Id, named } from '../../http/replies/schemas.ts'
import { expected_updated_at, IdOnly, members, Post, PostHeaders, reply, tag, text, title } from './schemas.ts'

const CreatePostBody = Type.Object({ title, ...members })
export type CreatePostBody = Static<typeof CreatePostBody>

const UpdatePostBody = Type.Object({
  title: Type.Optional(title),
  ...members,
  user_id: text('another owner; administrators only', '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'),
  expected_updated_at,
})

const PostQuery = Type.Object({ lang: text('language tag', 'es') })
const PostReply = named(
  'PostReply',
  reply(Post, {
    cached: Type.Literal(false),
    fallback_lang: Type.Optional(Type.String({ description: 'of the post, when it is not in the language asked for' })),
    redirected_from: Type.Optional(
      Type.String({
        description: 'the slug that was asked for, when the post had it before: redirect to the present one',
      }),
    ),
  }),
)

const readable = { querystring: PostQuery, headers: PostHeaders }
export const ReadBySlugRoute = describe(
  {
    operationId: 'getPostBySlug',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Read a post by its slug',
    description: 'A post id in this place is accepted, and so is a slug that a published post had before.',
    tag,
  },
  { params: Type.Object({ slug: Type.String() }), ...readable },
  PostReply,
)
export const ReadByIdRoute = describe(
  { operationId: 'getPost', errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'], summary: 'Read a post by its id', tag },
  { params: IdOnly, ...readable },
  PostReply,
)

export const CreatePostRoute = describe(
  {
    operationId: 'createPost',
    errors: ['MAX_PER_AUTHOR', 'NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED', 'SLUG_TAKEN'],
    summary: 'Write a post',
    tag,
  },
  { body: CreatePostBody },
  reply(Post, { cached: Type.Literal(false) }),
)

export const UpdatePostRoute = describe(
  {
    operationId: 'updatePost',
    errors: ['EDIT_CONFLICT', 'MAX_PER_AUTHOR', 'NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED', 'SLUG_TAKEN'],
    summary: 'Change a post',
    description: 'By its owner or an administrator. What is not mentioned stays as it is.',
    tag,
  },
  { params: IdOnly, body: UpdatePostBody },
  reply(Type.Object({ ...Post.properties, updated: Type.Literal(true) }), {}),
)
export const DeletePostRoute = describe(
  {
    operationId: 'deletePost',
    errors: ['NOT_FOUND'],
    summary: 'Delete a post',
    description:
      'It moves to the trash, where BLOG_TRASH_DAYS are left to restore it. force=true, for administrators, removes it at once and for good.',
    tag,
  },
  { params: IdOnly, querystring: Type.Object({ force: Type.Optional(Type.Boolean()) }) },
  reply(Type.Object({ id: Id, deleted: Type.Literal(true) }), {}),
)
