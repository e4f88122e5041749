import Type, { type Static } from 'typebox'
import { Id, namedSchema, Timestamp } from '../../http/responses/schemas.ts'
import { expected_updated_at } from '../blog/schemas.ts'
import { bodyFormats, postVisibilities } from './behaviors.ts'
import { fieldKinds } from './field-kinds.ts'

const text = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }))
export const someObject = (description: string, example: object) =>
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
  icon: text('icon name', 'utensils'),
  color: text('hexadecimal colour, such as #ffaa00', '#ffaa00'),
  is_active: Type.Optional(Type.Boolean({ description: 'default: true', examples: [true] })),
  sort_order: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, description: 'default: the last position', examples: [10] }),
  ),
}

const type_key = Type.String({
  description: '2 to 40 characters of a-z, 0-9, - and _; cannot be changed',
  examples: ['recipe'],
})
export const CreateBody = Type.Object(
  { type_key, ...members },
  { examples: [{ type_key: 'recipe', type_name: 'Recipe' }] },
)
export const UpdateBody = Type.Object(
  { ...Type.Partial(Type.Object(members)).properties, expected_updated_at },
  { examples: [{ description: 'What to cook' }] },
)
export type UpdateDefinitionBody = Static<typeof UpdateBody>
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

export const forEditors = {
  type_key: Type.String(),
  type_name: Type.String(),
  field_schema: Type.Array(Field),
  behaviors: Behaviors,
}

export const Definition = Type.Object(
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
export type ShownDefinition = Static<typeof Definition>
