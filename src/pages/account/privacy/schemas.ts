import Type from 'typebox'

const word = Type.Optional(Type.String({ maxLength: 100 }))
const page = Type.Optional(Type.String({ maxLength: 200, description: 'of our own form' }))
// What is wrong in it the API says, and the form is shown again.
const field = Type.String()
const optional = Type.Optional(field)

export const PrivacyRoute = { summary: 'Personal data', querystring: Type.Object({ done: word }) }
export const ChoiceRoute = { summary: 'Decide about personal data', body: Type.Object({ choice: field, page }) }
export const HistoryRoute = { summary: 'What was decided before', querystring: Type.Object({ page: word }) }
export const DownloadRoute = { summary: 'Get a copy of the data', body: Type.Object({ page }) }
export const MailRoute = { summary: 'Ask for a link to a copy of the data', body: Type.Object({ page }) }
export const DeletePageRoute = { summary: 'Delete the account', querystring: Type.Object({ done: word }) }
export const DeleteRoute = {
  summary: 'Delete the account now',
  body: Type.Object({ email: field, reason: optional, page }),
}
export const RequestRoute = { summary: 'Delete the account later', body: Type.Object({ reason: optional, page }) }
export const CancelRoute = { summary: 'Keep the account after all', body: Type.Object({ page }) }
