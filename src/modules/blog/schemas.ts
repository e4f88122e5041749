import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  pageMembers,
  Timestamp,
  UserContext,
} from '../../http/schemas.ts'

export const tag = 'Blog'

export const formats = ['markdown', 'html', 'text', 'json'] as const
export const statuses = ['draft', 'pending', 'scheduled', 'published'] as const
export const visibilities = ['public', 'auth', 'private', 'password'] as const

const Free = { type: 'object', properties: {}, additionalProperties: true } as const

export const text = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }))
const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description, examples: [['0198c1a2-3b4c-7d5e-8f60-718293a4b5c6']] }))

export const title = Type.String({ description: '1 to 255 characters', examples: ['Notes on the engine'] })

export const members = {
  slug: text('a-z, 0-9 and single hyphens, at most 200; from the title when absent', 'notes-on-the-engine'),
  body: Type.Optional(
    Type.Unsafe<string | Record<string, unknown>>({
      type: ['string', 'object'],
      properties: {},
      additionalProperties: true,
      description: 'at most 1 MiB; an object when body_format is json; needed to publish or schedule',
      examples: ['# Notes\n\nIt weaves *algebraic patterns*.'],
    }),
  ),
  body_format: Type.Optional(
    Type.Enum([...formats], { description: 'markdown when absent; html is cleaned', examples: ['markdown'] }),
  ),
  excerpt: text('plain text, at most 1000 characters; "" clears it', 'What it weaves'),
  featured_image: text('http or https address; "" clears it', 'https://www.example.com/engine.webp'),
  status: Type.Optional(
    Type.Enum([...statuses], { description: 'draft when absent; scheduled needs scheduled_at', examples: ['draft'] }),
  ),
  visibility: Type.Optional(Type.Enum([...visibilities], { description: 'public when absent', examples: ['public'] })),
  password: text('4 to 128 characters; for visibility password', 'difference no. 2'),
  category_ids: ids('at most 20; replaces the whole set'),
  tag_ids: ids('at most 50; replaces the whole set'),
  comments_enabled: Type.Optional(Type.Boolean({ examples: [true] })),
  reactions_enabled: Type.Optional(Type.Boolean({ examples: [true] })),
  scheduled_at: text('ISO 8601 with its zone, in the future', '2035-01-31T09:00:00Z'),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      keepNull: true,
      description: 'replaces the whole object; at most 16 KiB as JSON; null empties it',
      examples: [{ series: 'engines' }],
    }),
  ),
  lang: text('language tag; BLOG_DEFAULT_LANG when absent', 'en'),
  post_type: text('key of a post type; post when absent', 'post'),
  fields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...Free,
      description:
        'values of the fields of the post type, merged by name; null clears one. Needs the module post-types',
    }),
  ),
  seo: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...Free,
      description: 'merged by name; "" clears one. Needs the module post-types with ext-seo',
    }),
  ),
}

const CreatePostBody = Type.Object({ title, ...members })
export type CreatePostBody = Static<typeof CreatePostBody>

const expected_updated_at = text('updated_at as it was read: refused when it has changed since', '2030-01-31T09:00:00Z')
const UpdatePostBody = Type.Object({
  title: Type.Optional(title),
  ...members,
  user_id: text('another owner; administrators only', '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'),
  expected_updated_at,
})

export const reply = <Data extends TSchema, Meta extends TProperties>(data: Data, meta: Meta) =>
  Type.Object({ data, user_context: UserContext, meta: Type.Object(meta) })

const Named = Type.Object({ id: Id, name: Type.String(), slug: Type.String() })

export const Author = Type.Object({
  id: Id,
  name: Type.String(),
  last_name: Type.String(),
  display_name: NullableString,
  picture: NullableString,
})

const Seo = Type.Object(
  {
    seo_title: NullableString,
    seo_description: NullableString,
    seo_keywords: NullableString,
    canonical_url: NullableString,
    og_title: NullableString,
    og_description: NullableString,
    og_image: NullableString,
    noindex: Type.Boolean(),
  },
  { description: 'with the extension ext-seo, of types that enable it' },
)

/** What extensions add, each while it is installed. */
export const extraMembers = {
  counts: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'approved comments, reactions, bookmarks, views',
  }),
  viewer: Type.Optional(
    Type.Object(
      { reaction: Type.Optional(NullableString), bookmarked: Type.Optional(Type.Boolean()) },
      { description: 'only with a session' },
    ),
  ),
  translations: Type.Optional(Type.Array(Type.String(), { description: 'languages that it is translated into' })),
}

export const Post = Type.Object(
  {
    id: Id,
    slug: Type.String(),
    title: Type.String(),
    lang: Type.String(),
    body: NullableString,
    body_format: Type.Enum([...formats]),
    body_html: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'safe to show as it is; null for json',
    }),
    excerpt: Type.String({ description: 'plain text; of the body when none is stored' }),
    featured_image: NullableString,
    status: Type.Enum([...statuses]),
    visibility: Type.Enum([...visibilities]),
    password_protected: Type.Boolean(),
    user_id: NullableString,
    author: Type.Unsafe<Static<typeof Author> | null>({ ...Author, type: ['object', 'null'] }),
    categories: Type.Array(Named),
    tags: Type.Array(Named),
    comments_enabled: Type.Boolean(),
    reactions_enabled: Type.Boolean(),
    scheduled_at: NullableTimestamp,
    published_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    post_type: Type.Optional(Type.String({ description: 'with the module post-types, as fields' })),
    fields: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    seo: Type.Optional(Seo),
    ...extraMembers,
  },
  { title: 'Post' },
)

export const IdOnly = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }) })
const PostQuery = Type.Object({ lang: text('language tag', 'es') })
export const PostHeaders = Type.Object({
  'x-post-password': Type.Optional(Type.String({ description: 'of a post with visibility password' })),
})
const PostReply = reply(Post, {
  cached: Type.Literal(false),
  fallback_lang: Type.Optional(Type.String({ description: 'of the post, when it is not in the language asked for' })),
  redirected_from: Type.Optional(
    Type.String({
      description: 'the slug that was asked for, when the post had it before: redirect to the present one',
    }),
  ),
})

const readable = { querystring: PostQuery, headers: PostHeaders }
export const ReadBySlugRoute = describe(
  {
    summary: 'Read a post by its slug',
    description: 'A post id in this place is accepted, and so is a slug that a published post had before.',
    tag,
  },
  { params: Type.Object({ slug: Type.String() }), ...readable },
  PostReply,
)
export const ReadByIdRoute = describe(
  { summary: 'Read a post by its id', tag },
  { params: IdOnly, ...readable },
  PostReply,
)

const Created = Type.Object({ id: Id, slug: Type.String(), status: Type.Enum([...statuses]) })
export const CreatePostRoute = describe(
  { summary: 'Write a post', tag },
  { body: CreatePostBody },
  reply(Created, { cached: Type.Literal(false) }),
)

export const UpdatePostRoute = describe(
  {
    summary: 'Change a post',
    description: 'By its owner or an administrator. What is not mentioned stays as it is.',
    tag,
  },
  { params: IdOnly, body: UpdatePostBody },
  reply(Type.Object({ id: Id, updated: Type.Literal(true) }), {}),
)
export const DeletePostRoute = describe(
  {
    summary: 'Delete a post',
    description:
      'It moves to the trash, where BLOG_TRASH_DAYS are left to restore it. force=true, for administrators, removes it at once and for good.',
    tag,
  },
  { params: IdOnly, querystring: Type.Object({ force: Type.Optional(Type.Boolean()) }) },
  reply(Type.Object({ id: Id, deleted: Type.Literal(true) }), {}),
)

const Moved = reply(
  Type.Object({ id: Id, status: Type.Enum([...statuses]), scheduled_at: Type.Optional(NullableTimestamp) }),
  {},
)
export const PublishPostRoute = describe({ summary: 'Publish a post', tag }, { params: IdOnly }, Moved)
export const UnpublishPostRoute = describe({ summary: 'Make a post a draft again', tag }, { params: IdOnly }, Moved)
export const SchedulePostRoute = describe(
  { summary: 'Publish a post at a later time', tag },
  {
    params: IdOnly,
    body: Type.Object({
      scheduled_at: Type.String({
        description: 'ISO 8601 with its zone, in the future',
        examples: ['2035-01-31T09:00:00Z'],
      }),
    }),
  },
  Moved,
)
export const RestorePostRoute = describe(
  { summary: 'Take a post out of the trash', tag },
  { params: IdOnly },
  reply(Type.Object({ id: Id, restored: Type.Literal(true), status: Type.Literal('draft') }), {}),
)

const revisionMembers = {
  id: Id,
  post_id: Id,
  user_id: NullableString,
  title: Type.String(),
  excerpt: NullableString,
  created_at: Timestamp,
}
export const listMeta = {
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  pages: Type.Integer(),
  has_more: Type.Boolean(),
  cached: Type.Literal(false),
}
export const ListRevisionsRoute = describe(
  { summary: 'List the revisions of a post', description: 'Newest first.', tag },
  { params: IdOnly, querystring: Type.Object(pageMembers) },
  reply(Type.Array(Type.Object(revisionMembers)), listMeta),
)

const RevisionId = Type.Object({ ...IdOnly.properties, revision_id: IdOnly.properties.id })
export const ReadRevisionRoute = describe(
  { summary: 'Read a revision of a post', tag },
  { params: RevisionId },
  reply(
    Type.Object({
      ...revisionMembers,
      body: NullableString,
      body_format: Type.Enum([...formats]),
      fields: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    }),
    {},
  ),
)
export const RestoreRevisionRoute = describe(
  {
    summary: 'Restore a revision of a post',
    description: 'What the post says now becomes a revision first. Its status stays as it is.',
    tag,
  },
  { params: RevisionId, body: Type.Object({ expected_updated_at }) },
  reply(Type.Object({ id: Id, revision_id: Id, restored: Type.Literal(true) }), {}),
)
