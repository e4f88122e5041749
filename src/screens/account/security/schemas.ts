import Type from 'typebox'
import { securityPath } from '../../../ui/paths.ts'
import { OutcomeQuery } from '../schemas.ts'

export const addPath = `${securityPath}/add`
export const renamePath = `${securityPath}/passkeys/rename`
export const codesPath = `${securityPath}/codes`
export const removePath = `${securityPath}/passkeys/remove`

const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
// The API validates the values, and the form displays the API's error.
const field = Type.String()

export const SecurityRoute = { summary: 'Passkeys and second factors', querystring: OutcomeQuery }
export const AddPasskeyPageRoute = {
  summary: 'Page for adding a passkey',
  querystring: Type.Object({
    method: Type.Optional(Type.String({ maxLength: 100, description: 'kind of another sign-in method to add' })),
    done: OutcomeQuery.properties.done,
  }),
}
export const AddPasskeyFormRoute = {
  summary: 'Add a passkey',
  body: Type.Object({
    name: Type.Optional(field),
    response: Type.Optional(Type.String({ description: 'passkey response as JSON' })),
    form_token,
  }),
}
export const PasskeyPageRoute = {
  summary: 'Page for renaming or removing a passkey',
  querystring: Type.Object({ id: field, done: OutcomeQuery.properties.done }),
}
export const RenameFormRoute = {
  summary: 'Rename a passkey',
  body: Type.Object({ id: field, name: field, form_token }),
}
export const RemoveFormRoute = { summary: 'Remove a passkey', body: Type.Object({ id: field, form_token }) }
export const NewCodesFormRoute = { summary: 'Replace the recovery codes', body: Type.Object({ form_token }) }
