import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { describe, Id, namedSchema, Timestamp, UserContext } from '../../http/replies/schemas.ts'
import { ListedPost, PostsQuery } from '../blog/lists/schemas.ts'
import { listMeta } from '../blog/schemas.ts'
import { bodyFormats, postVisibilities } from './behaviors.ts'
import { fieldKinds } from './field-kinds.ts'

const tag = 'Post types'

const text = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }))
const someObject = (description: string, example: object) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    properties: {},
    additionalProperties: true,
    description,
    examples: [example],
  })

const members = {
  type_name: Type.String({ description: '1 to 80 characters', examples: ['Recipe'] }),
  description: text('at most 500 characters', 'What to cook'),
  slug_prefix: text('at most 40 characters of a-z, 0-9 and hyphens; precedes the slug in public URLs', ''),
  field_schema: Type.Optional(
    Type.Array(
      someObject(
        `name, label, type (${Object.keys(fieldKinds).join(', ')}), required, options, max_length, placeholder`,
        { name: 'minutes', label: 'Minutes', type: 'integer', required: true },
      ),
      { description: 'at most 60 fields; replaces all of them' },
    ),
  ),
  behaviors: Type.Optional(
    someObject('merged by key; at most 20 additional keys with text values', { enables_seo: true }),
  ),
  icon: text('a plain name', 'utensils'),
  color: text('such as #ffaa00', '#ffaa00'),
  is_active: Type.Optional(Type.Boolean({ description: 'default: true', examples: [true] })),
  sort_order: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, description: 'default: the last position', examples: [10] }),
  ),
}

const type_key = Type.String({
  description: '2 to 40 characters of a-z, 0-9, - and _; cannot be changed',
  examples: ['recipe'],
})
const CreateBody = Type.Object({ type_key, ...members })
const UpdateBody = Type.Partial(Type.Object(members))
export type CreateDefinitionBody = Static<typeof CreateBody>
export type DefinitionBody = Omit<CreateDefinitionBody, 'type_key'>

const Field = namedSchema(
  'PostTypeField',
  Type.Object({
    name: Type.String(),
    label: Type.String(),
    type: Type.String(),
    required: Type.Boolean(),
    options: Type.Optional(Type.Array(Type.String())),
    max_length: Type.Optional(Type.Integer()),
    placeholder: Type.Optional(Type.String()),
  }),
)

const Behaviors = namedSchema(
  'PostTypeBehaviors',
  Type.Object(
    {
      public_by_default: Type.Boolean(),
      enables_seo: Type.Boolean(),
      enables_comments: Type.Boolean(),
      enables_reactions: Type.Boolean(),
      enables_bookmarks: Type.Boolean(),
      enables_views: Type.Boolean(),
      enables_scheduling: Type.Boolean(),
      requires_approval: Type.Boolean(),
      allows_password_visibility: Type.Boolean(),
      default_visibility: Type.Enum([...postVisibilities]),
      allowed_body_formats: Type.Array(Type.Enum([...bodyFormats])),
      max_per_author: Type.Integer({ description: '0: no limit' }),
    },
    { additionalProperties: Type.String() },
  ),
)

const forEditors = {
  type_key: Type.String(),
  type_name: Type.String(),
  field_schema: Type.Array(Field),
  behaviors: Behaviors,
}

const Definition = Type.Object(
  {
    id: Id,
    ...forEditors,
    description: Type.String(),
    slug_prefix: Type.String(),
    icon: Type.String(),
    color: Type.String(),
    is_active: Type.Boolean(),
    is_built_in: Type.Boolean(),
    sort_order: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'PostType' },
)

const reply = <Data extends TSchema, Meta extends TProperties>(data: Data, meta: Meta) =>
  Type.Object({ data, user_context: UserContext, meta: Type.Object(meta) })
const cached = Type.Boolean({ description: 'whether it was read from the cache' })

const Key = Type.Object({ key: Type.String({ minLength: 1, maxLength: 100 }) })

export const ListDefinitionsRoute = describe(
  {
    operationId: 'listPostTypes',
    summary: 'List post types',
    description: 'Sorted by sort_order. Inactive types are included only with active=false.',
    tag,
  },
  {
    querystring: Type.Object({
      active: Type.Optional(Type.Boolean({ description: 'default: true; false includes inactive types' })),
    }),
  },
  Type.Object({
    data: Type.Array(Definition),
    user_context: Type.Object({ authenticated: Type.Boolean() }),
    meta: Type.Object({ cached, total: Type.Integer() }),
  }),
)
export const ReadDefinitionRoute = describe(
  { operationId: 'getPostType', errors: ['NOT_FOUND'], summary: 'Get a post type', tag },
  { params: Key },
  Type.Object({ data: Definition }),
)
export const DefinitionSchemaRoute = describe(
  {
    operationId: 'getPostTypeSchema',
    errors: ['NOT_FOUND'],
    summary: 'Get the editor configuration of a post type',
    tag,
  },
  { params: Key },
  reply(Type.Object(forEditors), { cached }),
)

const { post_type: _named, ...filters } = PostsQuery.properties
export const ListPostsOfTypeRoute = describe(
  {
    operationId: 'listPostsOfType',
    errors: ['FORBIDDEN', 'INVALID_SESSION', 'NOT_FOUND'],
    summary: 'List posts of a type',
    description: 'Works like the list of all posts.',
    tag,
  },
  { params: Key, querystring: Type.Object(filters) },
  reply(Type.Array(ListedPost), listMeta),
)

const Problem = namedSchema('FieldProblem', Type.Object({ field: Type.String(), message: Type.String() }))
export const ValidateFieldsRoute = describe(
  {
    operationId: 'validatePostTypeFields',
    errors: ['NOT_FOUND'],
    summary: 'Validate field values',
    description: 'Nothing is stored.',
    tag,
  },
  {
    params: Key,
    body: Type.Object({
      fields: Type.Optional(someObject('values by field name', { minutes: 30 })),
      publish: Type.Optional(
        Type.Boolean({ description: 'whether required fields must be present; default: true', examples: [false] }),
      ),
    }),
  },
  reply(Type.Object({ valid: Type.Boolean(), errors: Type.Array(Problem) }), {}),
)

export const CreateDefinitionRoute = describe(
  { operationId: 'createPostType', errors: ['KEY_TAKEN', 'SLUG_PREFIX_TAKEN'], summary: 'Create a post type', tag },
  { body: CreateBody },
  reply(Definition, {}),
)
export const UpdateDefinitionRoute = describe(
  {
    operationId: 'updatePostType',
    errors: ['BUILT_IN', 'NOT_FOUND', 'SLUG_PREFIX_TAKEN'],
    summary: 'Update a post type',
    description: 'Absent members are not changed. The key cannot be changed.',
    tag,
  },
  { params: Key, body: UpdateBody },
  reply(Definition, {}),
)
export const DeleteDefinitionRoute = describe(
  {
    operationId: 'deletePostType',
    errors: ['BUILT_IN', 'IN_USE', 'NOT_FOUND'],
    summary: 'Delete a post type',
    description:
      'A type with posts, including those in the trash, can only be deleted if reassign_to specifies a type for them.',
    tag,
  },
  { params: Key, querystring: Type.Object({ reassign_to: Type.Optional(Type.String({ examples: ['post'] })) }) },
  reply(Type.Object({ type_key: Type.String(), deleted: Type.Literal(true) }), {}),
)
const Activity = namedSchema(
  'PostTypeActivity',
  reply(Type.Object({ type_key: Type.String(), is_active: Type.Boolean() }), {}),
)
export const ActivateDefinitionRoute = describe(
  { operationId: 'activatePostType', errors: ['NOT_FOUND'], summary: 'Enable a post type', tag },
  { params: Key },
  Activity,
)
export const DeactivateDefinitionRoute = describe(
  {
    operationId: 'deactivatePostType',
    errors: ['BUILT_IN', 'NOT_FOUND'],
    summary: 'Disable a post type',
    description:
      'Its posts are then only visible to their owners and administrators, and no posts of this type can be ' +
      'published.',
    tag,
  },
  { params: Key },
  Activity,
)

const Place = Type.Object({ type_key: Type.String(), sort_order: Type.Integer() })
export const ReorderDefinitionsRoute = describe(
  { operationId: 'reorderPostTypes', summary: 'Reorder post types', tag },
  {
    body: Type.Object({
      order: Type.Array(
        Type.Unsafe<string | Partial<Static<typeof Place>>>({
          type: ['string', 'object'],
          properties: {},
          additionalProperties: true,
        }),
        { description: 'keys in the new order, or objects with type_key and sort_order', examples: [['post', 'page']] },
      ),
    }),
  },
  reply(Type.Array(Place), {}),
)
