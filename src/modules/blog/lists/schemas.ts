import Type, { type Static } from 'typebox'
import { withExample } from '../../../http/responses/examples.ts'
import { describe, NullableString, NullableTimestamp, pageMembers } from '../../../http/responses/schemas.ts'
import { listMeta, Post, postExample, postResponse, postText, statuses, tag, visibilities } from '../schemas.ts'
import { sorts } from './condition-queries.ts'

export const PostsQuery = Type.Object({
  ...pageMembers,
  lang: postText('language tag: only posts written in this language or translated into it', 'en'),
  status: Type.Optional(
    Type.Enum([...statuses, 'deleted'], {
      description:
        'default: published. Any other status returns only your own posts; for administrators, it returns the posts ' +
        'of all users. `deleted` returns the posts in the trash and is only for administrators',
    }),
  ),
  category: postText('id or slug', 'engines'),
  tag: postText('id or slug', 'notes'),
  author: postText('id of a user', '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'),
  post_type: postText('post type key; default: all types', 'post'),
  visibility: Type.Optional(
    Type.Enum([...visibilities], {
      description: 'private returns only your own posts; for administrators, it returns the posts of all users',
    }),
  ),
  q: postText('1 to 100 characters: words in the title, excerpt or body; the last word can be a prefix', 'engine'),
  published_after: postText('ISO 8601 with time zone', '2020-01-31T09:00:00Z'),
  published_before: postText('ISO 8601 with time zone', '2035-01-31T09:00:00Z'),
  sort: Type.Optional(
    Type.Enum([...sorts], { description: 'default: published_at; views requires the ext-views component' }),
  ),
  order: Type.Optional(
    Type.Enum(['desc', 'asc'], { description: 'default: desc; posts with equal values are ordered by id' }),
  ),
  mine: Type.Optional(Type.Boolean({ description: 'only your own posts, in all statuses unless `status` is set' })),
  include: Type.Optional(Type.Enum(['body'], { description: 'includes the body source' })),
  include_deleted: Type.Optional(Type.Boolean({ description: 'includes posts in the trash; only for administrators' })),
})

export type FiltersInput = Static<typeof PostsQuery>

const { body: _source, body_html: _html, ...always } = Post.properties

export const ListedPost = Type.Object(
  {
    ...always,
    status: Type.Enum([...statuses, 'deleted']),
    body: Type.Optional(NullableString),
    deleted_at: Type.Optional(NullableTimestamp),
  },
  { title: 'ListedPost' },
)

export type ShownListedPost = Static<typeof ListedPost>

const { body: _text, body_html: _rendered, ...listedExample } = postExample

export const ListPostsRoute = describe(
  {
    operationId: 'listPosts',
    errors: ['FORBIDDEN', 'INVALID_SESSION'],
    summary: 'List posts',
    description:
      'Returns the posts that the caller can read. Only the owner and administrators see more than the title of a ' +
      'password-protected post.',
    tag,
  },
  { querystring: PostsQuery },
  withExample(postResponse(Type.Array(ListedPost), listMeta), {
    data: [listedExample],
    user_context: { authenticated: false },
    meta: { page: 1, limit: 10, total: 1, pages: 1, has_more: false, cached: false },
  }),
)
