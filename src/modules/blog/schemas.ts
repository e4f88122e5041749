import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { exampleValues } from '../../http/responses/examples.ts'
import {
  Id,
  NullableString,
  NullableTimestamp,
  namedSchema,
  Timestamp,
  UserContext,
} from '../../http/responses/schemas.ts'

export const tag = 'Blog'

export const formats = ['markdown', 'html', 'text', 'json'] as const
export const statuses = ['draft', 'pending', 'scheduled', 'published'] as const
export const visibilities = ['public', 'auth', 'private', 'password'] as const

const Free = { type: 'object', properties: {}, additionalProperties: true } as const

export const postText = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }))
const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description, examples: [['0198c1a2-3b4c-7d5e-8f60-718293a4b5c6']] }))

export const title = Type.String({ description: '1 to 255 characters', examples: ['Notes on the engine'] })

export const members = {
  slug: postText(
    'at most 200 characters of a-z, 0-9 and single hyphens; default: derived from the title',
    'notes-on-the-engine',
  ),
  body: Type.Optional(
    Type.Unsafe<string | Record<string, unknown>>({
      type: ['string', 'object'],
      properties: {},
      additionalProperties: true,
      description: 'at most 1 MiB; an object if body_format is json; required to publish or schedule',
      examples: ['# Notes\n\nIt weaves *algebraic patterns*.'],
    }),
  ),
  body_format: Type.Optional(
    Type.Enum([...formats], { description: 'default: markdown; html is sanitized', examples: ['markdown'] }),
  ),
  excerpt: postText('plain text, at most 1000 characters; "" clears it', 'What it weaves'),
  featured_image: postText('http or https URL; "" clears it', 'https://www.example.com/engine.webp'),
  status: Type.Optional(
    Type.Enum([...statuses], { description: 'default: draft; scheduled requires scheduled_at', examples: ['draft'] }),
  ),
  visibility: Type.Optional(Type.Enum([...visibilities], { description: 'default: public', examples: ['public'] })),
  password: postText('4 to 128 characters; only for posts whose `visibility` is `password`', 'difference no. 2'),
  category_ids: ids('at most 20; replaces the entire set'),
  tag_ids: ids('at most 50; replaces the entire set'),
  comments_enabled: Type.Optional(Type.Boolean({ examples: [true] })),
  reactions_enabled: Type.Optional(Type.Boolean({ examples: [true] })),
  scheduled_at: postText('ISO 8601 with time zone, in the future', '2035-01-31T09:00:00Z'),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      keepNull: true,
      description: 'replaces the entire object; at most 16 KiB as JSON; null clears it',
      examples: [{ series: 'engines' }],
    }),
  ),
  lang: postText('language tag; default: BLOG_DEFAULT_LANG', 'en'),
  post_type: postText('post type key; default: post', 'post'),
  fields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...Free,
      description:
        "values for the post type's fields, merged by name; null clears a field. Only for types that define fields",
    }),
  ),
  seo: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...Free,
      description: 'merged by name; "" clears a value. Only for types with the enables_seo behavior',
    }),
  ),
}

export const postResponse = <Data extends TSchema, Meta extends TProperties>(data: Data, meta: Meta) =>
  Type.Object({ data, user_context: UserContext, meta: Type.Object(meta) })

/** In the `meta` of a response to a request that renders a body. */
export const notes = Type.Optional(
  Type.Array(Type.String(), {
    description: 'what was removed from the body or the fields; absent if nothing was',
    examples: [['HTML was removed from body: 1 script, 2 img onerror']],
  }),
)

export const expected_updated_at = postText(
  '`updated_at` of the version you read; the request is rejected if that is no longer the current version',
  '2030-01-31T09:00:00Z',
)

const Named = namedSchema('NamedTerm', Type.Object({ id: Id, name: Type.String(), slug: Type.String() }))

export const PostAuthor = namedSchema(
  'PostAuthor',
  Type.Object({
    id: Id,
    name: Type.String(),
    last_name: Type.String(),
    display_name: NullableString,
    picture: NullableString,
  }),
)

const Seo = namedSchema(
  'PostSeo',
  Type.Object(
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
    { description: 'present only with the ext-seo extension, if the post type enables it' },
  ),
)

export const extraMembers = {
  counts: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description:
      'the counts `comments` (approved comments only), `reactions`, `bookmarks` and `views`; each count requires its ' +
      'component',
  }),
  viewer: Type.Optional(
    Type.Object(
      { reaction: Type.Optional(NullableString), bookmarked: Type.Optional(Type.Boolean()) },
      { description: 'present only if the request has a session' },
    ),
  ),
  translations: Type.Optional(Type.Array(Type.String(), { description: 'languages of the translations' })),
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
      description: 'sanitized HTML that is safe to display; null if body_format is json',
    }),
    excerpt: Type.String({ description: 'plain text; derived from the body if none is stored' }),
    featured_image: NullableString,
    status: Type.Enum([...statuses]),
    visibility: Type.Enum([...visibilities]),
    password_protected: Type.Boolean(),
    user_id: NullableString,
    author: Type.Unsafe<Static<typeof PostAuthor> | null>({ ...PostAuthor, type: ['object', 'null'] }),
    categories: Type.Array(Named),
    tags: Type.Array(Named),
    comments_enabled: Type.Boolean(),
    reactions_enabled: Type.Boolean(),
    scheduled_at: NullableTimestamp,
    published_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    post_type: Type.Optional(
      Type.String({ description: '`post_type` and `fields` are absent if `post` is the only post type' }),
    ),
    fields: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    seo: Type.Optional(Seo),
    ...extraMembers,
  },
  { title: 'Post' },
)

const { id, time } = exampleValues
export const postExample = {
  id,
  slug: 'notes-on-the-engine',
  title: 'Notes on the engine',
  lang: 'en',
  body: 'It weaves *algebraic patterns*.',
  body_format: 'markdown',
  body_html: '<p>It weaves <em>algebraic patterns</em>.</p>',
  excerpt: 'It weaves algebraic patterns.',
  featured_image: null,
  status: 'published',
  visibility: 'public',
  password_protected: false,
  user_id: id,
  author: { id, name: 'Ada', last_name: 'Lovelace', display_name: null, picture: null },
  categories: [{ id, name: 'Engines', slug: 'engines' }],
  tags: [],
  comments_enabled: true,
  reactions_enabled: true,
  scheduled_at: null,
  published_at: time,
  created_at: time,
  updated_at: time,
  metadata: {},
  counts: { comments: 0 },
}

export type ShownPost = Static<typeof Post>

export const IdOnly = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }) })
export const PostHeaders = Type.Object({
  'x-post-password': Type.Optional(Type.String({ description: 'only for posts whose `visibility` is `password`' })),
})

export const listMeta = {
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  pages: Type.Integer(),
  has_more: Type.Boolean(),
  cached: Type.Literal(false),
}
