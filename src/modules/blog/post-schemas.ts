import Type, { type Static } from 'typebox'
import { withExample } from '../../http/responses/examples.ts'
import { describe, Id, NullableString, namedSchema } from '../../http/responses/schemas.ts'
import {
  expected_updated_at,
  IdOnly,
  members,
  notes,
  Post,
  PostHeaders,
  postExample,
  postResponse,
  postText,
  tag,
  title,
} from './schemas.ts'

const CreatePostBody = Type.Object(
  { title, ...members },
  { examples: [{ title: 'Notes on the engine', body: 'It weaves *algebraic patterns*.', status: 'draft' }] },
)
export type CreatePostBody = Static<typeof CreatePostBody>

const UpdatePostBody = Type.Object(
  {
    title: Type.Optional(title),
    ...members,
    user_id: postText('id of another owner; only for administrators', '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'),
    expected_updated_at,
  },
  { examples: [{ title: 'Notes on the engine', expected_updated_at: '2030-01-31T09:00:00Z' }] },
)

const PostQuery = Type.Object({ lang: postText('language tag', 'es') })
const PostResponse = namedSchema(
  'PostReply',
  postResponse(Post, {
    cached: Type.Literal(false),
    fallback_lang: Type.Optional(
      Type.String({ description: "the post's language, if it differs from the requested one" }),
    ),
    redirected_from: Type.Optional(
      Type.String({
        description: 'the requested slug, if it is a former slug of the post; redirect to the current slug',
      }),
    ),
  }),
)

const readable = { querystring: PostQuery, headers: PostHeaders }
export const ReadBySlugRoute = describe(
  {
    operationId: 'getPostBySlug',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Get a post by its slug',
    description: 'A post id and a former slug of a published post are also accepted.',
    tag,
  },
  { params: Type.Object({ slug: Type.String() }), ...readable },
  PostResponse,
)
export const ReadByIdRoute = describe(
  {
    operationId: 'getPost',
    errors: ['NOT_FOUND', 'PASSWORD_REQUIRED'],
    summary: 'Get a post by its id',
    description:
      'Posts that the caller may not read return 404. A post with a password requires the X-Post-Password header.',
    tag,
  },
  { params: IdOnly, ...readable },
  withExample(PostResponse, { data: postExample, user_context: { authenticated: false }, meta: { cached: false } }),
)

export const CreatePostRoute = describe(
  {
    operationId: 'createPost',
    errors: ['MAX_PER_AUTHOR', 'NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED', 'SLUG_TAKEN'],
    summary: 'Create a post',
    description:
      'The caller becomes the owner. A post is a draft unless `status` is set. If its type requires approval, ' +
      "only administrators can publish it, and other writers' posts become `pending`.",
    tag,
  },
  { body: CreatePostBody },
  withExample(postResponse(Post, { cached: Type.Literal(false), notes }), {
    data: { ...postExample, status: 'draft', published_at: null },
    user_context: { authenticated: true, user_type: 'writer' },
    meta: { cached: false },
  }),
)

export const PreviewPostRoute = describe(
  {
    operationId: 'previewPost',
    summary: 'Preview a post body',
    description: 'Renders and sanitizes a body in the same way as saving a post does. Nothing is stored.',
    tag,
  },
  {
    body: Type.Object(
      { body: members.body, body_format: members.body_format },
      { examples: [{ body: '# Notes\n\nIt weaves *algebraic patterns*.', body_format: 'markdown' }] },
    ),
  },
  postResponse(
    Type.Object({
      body_html: NullableString,
      excerpt: Type.String({ description: 'derived from the body' }),
    }),
    { cached: Type.Literal(false), notes },
  ),
)
export type PreviewPostBody = Static<(typeof PreviewPostRoute)['body']>

export const UpdatePostRoute = describe(
  {
    operationId: 'updatePost',
    errors: ['EDIT_CONFLICT', 'MAX_PER_AUTHOR', 'NOT_FOUND', 'POST_TYPE_INACTIVE', 'SCHEDULING_DISABLED', 'SLUG_TAKEN'],
    summary: 'Update a post',
    description: "Allowed for the post's owner and administrators. Absent members are not changed.",
    tag,
  },
  { params: IdOnly, body: UpdatePostBody },
  postResponse(Type.Object({ ...Post.properties, updated: Type.Literal(true) }), { notes }),
)
export const DeletePostRoute = describe(
  {
    operationId: 'deletePost',
    errors: ['NOT_FOUND'],
    summary: 'Delete a post',
    description:
      'Moves the post to the trash, from which it can be restored for BLOG_TRASH_DAYS. With force=true (only for ' +
      'administrators), the post is permanently deleted.',
    tag,
  },
  { params: IdOnly, querystring: Type.Object({ force: Type.Optional(Type.Boolean()) }) },
  postResponse(Type.Object({ id: Id, deleted: Type.Literal(true) }), {}),
)
