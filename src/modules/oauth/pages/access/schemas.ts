import Type from 'typebox'
import { done, field, form_token } from '../../../../ui/console/schemas.ts'

export const accessPath = '/account/applications'
export const removeAccessPath = `${accessPath}/remove`

export const AccessPageRoute = {
  summary: 'Applications that can use your account',
  querystring: Type.Object({ done }),
}
export const RemoveAccessFormRoute = {
  summary: 'Remove the access of an application',
  body: Type.Object({ client_id: field, form_token }),
}
