import Type from 'typebox'

const word = Type.Optional(Type.String({ maxLength: 100 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: 'of our own form' }))
// The API validates the values, and the form shows its error.
const field = Type.String()

export const ChoiceRoute = { summary: 'Decide about personal data', body: Type.Object({ choice: field, form_token }) }
export const HistoryRoute = { summary: 'What was decided before', querystring: Type.Object({ page: word }) }
export const MailRoute = { summary: 'Ask for a link to a copy of the data', body: Type.Object({ form_token }) }
export const RequestRoute = {
  summary: 'Delete the account later',
  body: Type.Object({ reason: Type.Optional(field), form_token }),
}
export const CancelRoute = { summary: 'Keep the account after all', body: Type.Object({ form_token }) }
