import Type from 'typebox'

export const maxWordLength = 100
const word = Type.Optional(Type.String({ maxLength: maxWordLength }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: 'of our own form' }))
const provider = Type.String({ maxLength: 100 })

export const LinkedRoute = {
  summary: 'Linked accounts of other services',
  querystring: Type.Object({ done: word, problem: word }),
}
export const LinkRoute = { summary: 'Go to another service to link it', body: Type.Object({ provider, form_token }) }
export const UnlinkRoute = { summary: 'Unlink another service', body: Type.Object({ provider, form_token }) }
