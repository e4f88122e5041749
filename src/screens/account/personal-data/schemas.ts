import Type from 'typebox'
import { personalDataPath } from '../../../ui/paths.ts'

export const personalDataDownloadPath = `${personalDataPath}/download`
export const deletePath = `${personalDataPath}/delete`

const word = Type.Optional(Type.String({ maxLength: 100 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
// The API validates the values, and the form displays the API's error.
const field = Type.String()

export const PersonalDataRoute = { summary: 'Personal data', querystring: Type.Object({ done: word }) }
export const DownloadRoute = { summary: 'Download a copy of the data', body: Type.Object({ form_token }) }
export const DeletePageRoute = { summary: 'Page for deleting the account', querystring: Type.Object({ done: word }) }
export const DeleteFormRoute = {
  summary: 'Delete the account',
  body: Type.Object({ email: field, reason: Type.Optional(field), form_token }),
}

export const reasonIn = (reason: string | undefined) => ({ ...(reason?.trim() && { reason: reason.trim() }) })
