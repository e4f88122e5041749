import Type from 'typebox'
import { done, field, form_token } from '../../../../ui/console/schemas.ts'

const list = '/admin/privacy'
export const requestPaths = { list, cancel: `${list}/cancel`, export: `${list}/export` } as const

const word = Type.Optional(Type.String({ maxLength: 10 }))

export const RequestsPageRoute = {
  summary: 'Privacy requests page',
  querystring: Type.Object({ state: word, page: word, done }),
}
export const RequestActionFormRoute = {
  summary: 'Act on a privacy request',
  body: Type.Object({ user_id: field, form_token }),
}
