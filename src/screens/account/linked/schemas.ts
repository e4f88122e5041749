import Type from 'typebox'
import { linkedPath } from '../../../ui/paths.ts'

export const addPath = `${linkedPath}/add`
export const removePath = `${linkedPath}/remove`

export const maxWordLength = 100
const word = Type.Optional(Type.String({ maxLength: maxWordLength }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
const provider = Type.String({ maxLength: 100 })

export const LinkedRoute = {
  summary: 'Linked accounts page',
  querystring: Type.Object({ done: word, problem: word }),
}
export const LinkFormRoute = { summary: 'Start linking an account', body: Type.Object({ provider, form_token }) }
export const UnlinkFormRoute = { summary: 'Unlink an account', body: Type.Object({ provider, form_token }) }
