import Type, { type Static } from 'typebox'
import { describe, Id, NullableString, namedSchema, pageMembers, Timestamp } from '../../../http/responses/schemas.ts'
import { listMeta, PostAuthor, postResponse, postText, tag } from '../schemas.ts'

const example = '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'
const Name = Type.String({
  description: '1 to 120 characters, unique in its language, ignoring case',
  examples: ['Engines'],
})

const tagMembers = {
  slug: postText('a-z, 0-9 and single hyphens, unique in its language; default: derived from the name', 'engines'),
  lang: postText('language tag; default: BLOG_DEFAULT_LANG', 'en'),
}
const categoryMembers = {
  ...tagMembers,
  description: postText('at most 500 characters; "" clears it', 'What they are made of'),
  parent_id: postText('id of the parent category; "" for none. The tree can have at most 8 levels', example),
  sort_order: Type.Optional(
    Type.Integer({ minimum: -2147483648, maximum: 2147483647, description: 'default: 0', examples: [0] }),
  ),
}
const Changes = { name: Type.Optional(Name) }
const CategoryChanges = Type.Object(
  { ...Changes, ...categoryMembers },
  { examples: [{ name: 'Engines', sort_order: 2 }] },
)

/** A category's members. Tags accept only some of them. */
export type TermInput = Static<typeof CategoryChanges>

const shown = {
  id: Id,
  name: Type.String(),
  slug: Type.String(),
  lang: Type.String(),
  post_count: Type.Integer({ description: 'number of published public posts' }),
  created_at: Timestamp,
  updated_at: Timestamp,
}
const Tag = Type.Object(shown, { title: 'Tag' })
const Category = Type.Object(
  { ...shown, description: Type.String(), parent_id: NullableString, sort_order: Type.Integer() },
  { title: 'Category' },
)

export type ShownTag = Static<typeof Tag>

const TermsQuery = Type.Object({
  ...pageMembers,
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'default: 100; values above 100 are treated as 100' })),
  lang: postText('language tag', 'en'),
  q: postText('1 to 100 characters; returns only entries whose name contains this text', 'engine'),
})
export type TermsQuery = Static<typeof TermsQuery>

const params = Type.Object({ id: Type.String() })
const uncached = { cached: Type.Literal(false) }
const Created = namedSchema(
  'TermCreated',
  postResponse(Type.Object({ id: Id, name: Type.String(), slug: Type.String() }), {}),
)
const Updated = namedSchema('TermUpdated', postResponse(Type.Object({ id: Id, updated: Type.Literal(true) }), {}))
const Deleted = namedSchema('TermDeleted', postResponse(Type.Object({ id: Id, deleted: Type.Literal(true) }), {}))

export const categorySchemas = {
  list: describe(
    {
      operationId: 'listCategories',
      summary: 'List categories',
      description: 'Ordered by sort_order, then by name.',
      tag,
    },
    { querystring: TermsQuery },
    postResponse(Type.Array(Category), listMeta),
  ),
  read: describe(
    {
      operationId: 'getCategory',
      errors: ['NOT_FOUND'],
      summary: 'Get a category by its id or slug',
      description: '`post_count` includes only published public posts.',
      tag,
    },
    { params },
    postResponse(Category, uncached),
  ),
  create: describe(
    {
      operationId: 'createCategory',
      errors: ['NAME_TAKEN', 'SLUG_TAKEN'],
      summary: 'Create a category',
      description:
        'A slug that is not given is derived from the name. Categories can be nested up to eight levels deep.',
      tag,
    },
    { body: Type.Object({ name: Name, ...categoryMembers }, { examples: [{ name: 'Engines', lang: 'en' }] }) },
    Created,
  ),
  update: describe(
    {
      operationId: 'updateCategory',
      errors: ['NAME_TAKEN', 'NOT_FOUND', 'SLUG_TAKEN'],
      summary: 'Update a category',
      description: 'Absent members are not changed. The slug does not change with the name.',
      tag,
    },
    { params, body: CategoryChanges },
    Updated,
  ),
  remove: describe(
    {
      operationId: 'deleteCategory',
      errors: ['NOT_FOUND'],
      summary: 'Delete a category',
      description: 'Its child categories move to its parent.',
      tag,
    },
    { params },
    Deleted,
  ),
}

export const tagSchemas = {
  list: describe(
    { operationId: 'listTags', summary: 'List tags', description: 'Ordered by name.', tag },
    { querystring: TermsQuery },
    postResponse(Type.Array(Tag), listMeta),
  ),
  read: describe(
    {
      operationId: 'getTag',
      errors: ['NOT_FOUND'],
      summary: 'Get a tag by its id or slug',
      description: '`post_count` includes only published public posts.',
      tag,
    },
    { params },
    postResponse(Tag, uncached),
  ),
  create: describe(
    {
      operationId: 'createTag',
      errors: ['NAME_TAKEN', 'SLUG_TAKEN'],
      summary: 'Create a tag',
      description: 'A slug that is not given is derived from the name. Names and slugs are unique in each language.',
      tag,
    },
    { body: Type.Object({ name: Name, ...tagMembers }, { examples: [{ name: 'Analysis', lang: 'en' }] }) },
    Created,
  ),
  update: describe(
    {
      operationId: 'updateTag',
      errors: ['NAME_TAKEN', 'NOT_FOUND', 'SLUG_TAKEN'],
      summary: 'Update a tag',
      description: 'Absent members are not changed. The slug does not change with the name.',
      tag,
    },
    { params, body: Type.Object({ ...Changes, ...tagMembers }, { examples: [{ name: 'Analysis' }] }) },
    Updated,
  ),
  remove: describe(
    {
      operationId: 'deleteTag',
      errors: ['NOT_FOUND'],
      summary: 'Delete a tag',
      description: 'Posts with the tag are not deleted. They lose the tag.',
      tag,
    },
    { params },
    Deleted,
  ),
}

export const MergeTagRoute = describe(
  {
    operationId: 'mergeTag',
    errors: ['NOT_FOUND'],
    summary: 'Merge a tag into another tag',
    description:
      'All posts with the tag get the other tag, and the tag is deleted together with its slug. Both tags must have ' +
      'the same language. Nothing else about the posts changes: updated_at stays the same, and no revision is created.',
    tag,
  },
  {
    params,
    body: Type.Object(
      {
        into: Type.String({ description: 'id of the tag that remains', examples: [example] }),
        dry_run: Type.Optional(
          Type.Boolean({ description: 'default: false; true only counts the posts', examples: [true] }),
        ),
      },
      { examples: [{ into: example, dry_run: true }] },
    ),
  },
  postResponse(
    Type.Object({
      id: Id,
      into: Id,
      merged: Type.Boolean(),
      posts: Type.Integer({
        description: 'number of posts with the merged tag, including drafts and posts in the trash',
      }),
      already: Type.Integer({ description: 'number of these posts that already have the other tag' }),
    }),
    {},
  ),
)

const ListedAuthor = Type.Object({ ...PostAuthor.properties, post_count: shown.post_count }, { title: 'Author' })
export const ListAuthorsRoute = describe(
  {
    operationId: 'listAuthors',
    summary: 'List authors',
    description: 'Returns the authors of public posts. Authors with the most posts come first.',
    tag,
  },
  { querystring: Type.Object(pageMembers) },
  postResponse(Type.Array(ListedAuthor), listMeta),
)
export const ReadAuthorRoute = describe(
  {
    operationId: 'getAuthor',
    errors: ['NOT_FOUND'],
    summary: 'Get an author',
    description: 'Only for users with published public posts. Contains neither the user name nor the email address.',
    tag,
  },
  { params },
  postResponse(ListedAuthor, uncached),
)
