import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { describe, namedSchema, UserContext } from '../../http/responses/schemas.ts'
import { ListedPost, PostsQuery } from '../blog/lists/schemas.ts'
import { listMeta } from '../blog/schemas.ts'
import { CreateBody, Definition, forEditors, someObject, UpdateBody } from './definition-schemas.ts'

const tag = 'Post types'

const reply = <Data extends TSchema, Meta extends TProperties>(data: Data, meta: Meta) =>
  Type.Object({ data, user_context: UserContext, meta: Type.Object(meta) })
const cached = Type.Boolean({ description: 'whether the response was read from the cache' })

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
  {
    operationId: 'getPostType',
    errors: ['NOT_FOUND'],
    summary: 'Get a post type',
    description: 'Also returns inactive types. The definition may be served from a cache.',
    tag,
  },
  { params: Key },
  Type.Object({ data: Definition }),
)
export const DefinitionSchemaRoute = describe(
  {
    operationId: 'getPostTypeSchema',
    errors: ['NOT_FOUND'],
    summary: 'Get the editor configuration of a post type',
    description: 'Contains what an editor needs to create posts of the type: its fields and its behaviours.',
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
    description: 'Accepts the same parameters as the list of all posts.',
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
    body: Type.Object(
      {
        fields: Type.Optional(someObject('values by field name', { minutes: 30 })),
        publish: Type.Optional(
          Type.Boolean({ description: 'whether required fields must be present; default: true', examples: [false] }),
        ),
      },
      { examples: [{ fields: { minutes: 30 } }] },
    ),
  },
  reply(Type.Object({ valid: Type.Boolean(), errors: Type.Array(Problem) }), {}),
)

export const CreateDefinitionRoute = describe(
  {
    operationId: 'createPostType',
    errors: ['KEY_TAKEN', 'SLUG_PREFIX_TAKEN'],
    summary: 'Create a post type',
    description: 'The type is active unless `is_active` is false. Its key cannot be changed later.',
    tag,
  },
  { body: CreateBody },
  reply(Definition, {}),
)
export const UpdateDefinitionRoute = describe(
  {
    operationId: 'updatePostType',
    errors: ['BUILT_IN', 'EDIT_CONFLICT', 'NOT_FOUND', 'SLUG_PREFIX_TAKEN'],
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
      'If the type has posts, including posts in the trash, reassign_to must specify another type for these posts.',
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
  {
    operationId: 'activatePostType',
    errors: ['NOT_FOUND'],
    summary: 'Enable a post type',
    description: 'Has no effect if the type is already active. Its posts become readable again under their own rules.',
    tag,
  },
  { params: Key },
  Activity,
)
export const DeactivateDefinitionRoute = describe(
  {
    operationId: 'deactivatePostType',
    errors: ['BUILT_IN', 'NOT_FOUND'],
    summary: 'Disable a post type',
    description:
      'While a type is disabled, its posts are visible only to their owners and administrators, and no posts of the ' +
      'type can be published.',
    tag,
  },
  { params: Key },
  Activity,
)

const Place = Type.Object({ type_key: Type.String(), sort_order: Type.Integer() })
export const ReorderDefinitionsRoute = describe(
  {
    operationId: 'reorderPostTypes',
    summary: 'Reorder post types',
    description: 'Returns all types in their new order. Types that are not listed keep their `sort_order`.',
    tag,
  },
  {
    body: Type.Object(
      {
        order: Type.Array(
          Type.Unsafe<string | Partial<Static<typeof Place>>>({
            type: ['string', 'object'],
            properties: {},
            additionalProperties: true,
          }),
          {
            description: 'keys in the new order, or objects with type_key and sort_order',
            examples: [['post', 'page']],
          },
        ),
      },
      { examples: [{ order: ['post', 'recipe'] }] },
    ),
  },
  reply(Type.Array(Place), {}),
)
