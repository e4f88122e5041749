import Type from 'typebox'
import { deletePath } from '../../../screens/account/personal-data/schemas.ts'
import { personalDataPath } from '../../../ui/paths.ts'

export const privacyPaths = {
  region: `${personalDataPath}/region`,
  consent: `${personalDataPath}/consent`,
  sale: `${personalDataPath}/sale`,
  history: `${personalDataPath}/history`,
  mail: `${personalDataPath}/mail`,
  request: `${deletePath}/later`,
  cancel: `${deletePath}/cancel`,
} as const

const word = Type.Optional(Type.String({ maxLength: 100 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
// The API validates the values, and the form displays the API's error.
const field = Type.String()

export const ChoiceRoute = { summary: 'Change privacy choices', body: Type.Object({ choice: field, form_token }) }
export const HistoryPageRoute = { summary: 'Privacy choice history', querystring: Type.Object({ page: word }) }
export const MailRoute = { summary: 'Request a link to a copy of the data', body: Type.Object({ form_token }) }
export const RequestRoute = {
  summary: 'Schedule the deletion of the account',
  body: Type.Object({ reason: Type.Optional(field), form_token }),
}
export const CancelDeletionFormRoute = {
  summary: 'Cancel the deletion of the account',
  body: Type.Object({ form_token }),
}
