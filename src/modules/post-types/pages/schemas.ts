import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'

const list = '/admin/post-types'
export const designerPaths = {
  list,
  create: `${list}/new`,
  type: `${list}/types/:key`,
  remove: `${list}/types/:key/delete`,
} as const

export const typePath = (key: string): string => designerPaths.type.replace(':key', key)
export const removePath = (key: string): string => designerPaths.remove.replace(':key', key)

const Key = Type.Object({ key: Type.String({ maxLength: 100 }) })

/** The form also has the fields `field_<number>_<member>`, `behavior_<name>` and `format_<name>`. */
const TypeForm = Type.Object(
  {
    action: field,
    type_key: field,
    type_name: field,
    description: field,
    slug_prefix: field,
    icon: field,
    color: field,
    is_active: field,
    rows: field,
    version: field,
    accepted: field,
    form_token,
  },
  { additionalProperties: true },
)

export const TypesPageRoute = { summary: 'Post types', querystring: Type.Object({ done }) }
export const NewTypePageRoute = { summary: 'Page for defining a post type' }
export const CreateTypeFormRoute = { summary: 'Define a post type', body: TypeForm }
export const TypePageRoute = {
  summary: 'Page for changing a post type',
  params: Key,
  querystring: Type.Object({ done }),
}
export const TypeFormRoute = { summary: 'Change a post type', params: Key, body: TypeForm }
export const RemoveTypeFormRoute = {
  summary: 'Delete a post type',
  params: Key,
  body: Type.Object({ reassign_to: field, form_token }),
}
