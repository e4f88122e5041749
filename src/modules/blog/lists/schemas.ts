import Type, { type Static } from 'typebox'
import { describe, NullableString, NullableTimestamp, pageMembers } from '../../../http/replies/schemas.ts'
import { listMeta, Post, reply, statuses, tag, text, visibilities } from '../schemas.ts'
import { sorts } from './condition-queries.ts'

export const PostsQuery = Type.Object({
  ...pageMembers,
  lang: text('language tag: posts written in it or translated into it', 'en'),
  status: Type.Optional(
    Type.Enum([...statuses], { description: 'published when absent; others: own posts, for administrators all' }),
  ),
  category: text('id or slug', 'engines'),
  tag: text('id or slug', 'notes'),
  author: text('id of a user', '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'),
  post_type: text('key of a post type; every type when absent', 'post'),
  visibility: Type.Optional(
    Type.Enum([...visibilities], { description: 'private: own posts, for administrators all' }),
  ),
  q: text('1 to 100 characters: words of title, excerpt and body, the last one as far as it goes', 'engine'),
  published_after: text('ISO 8601 with its zone', '2020-01-31T09:00:00Z'),
  published_before: text('ISO 8601 with its zone', '2035-01-31T09:00:00Z'),
  sort: Type.Optional(
    Type.Enum([...sorts], { description: 'published_at when absent; views needs the component ext-views' }),
  ),
  order: Type.Optional(
    Type.Enum(['desc', 'asc'], { description: 'desc when absent; posts that tie follow their ids' }),
  ),
  mine: Type.Optional(Type.Boolean({ description: 'own posts, in every status unless one is named' })),
  include: Type.Optional(Type.Enum(['body'], { description: 'what the posts say, as it was written' })),
  include_deleted: Type.Optional(Type.Boolean({ description: 'also what is in the trash; administrators only' })),
})

export type GivenFilters = Static<typeof PostsQuery>

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

export const ListPostsRoute = describe(
  {
    operationId: 'listPosts',
    errors: ['FORBIDDEN', 'INVALID_SESSION'],
    summary: 'List posts',
    description:
      'Whatever the caller may read. Of posts with a password, others than their owner see that they are there and what they are called.',
    tag,
  },
  { querystring: PostsQuery },
  reply(Type.Array(ListedPost), listMeta),
)
