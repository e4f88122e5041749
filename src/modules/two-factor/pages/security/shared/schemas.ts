import Type from 'typebox'

const word = Type.Optional(Type.String({ maxLength: 100 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
// The API validates the values, and the form displays the API's error.
const field = Type.String()
const response = Type.Optional(Type.String({ description: 'passkey response as JSON' }))

export const SwitchRoute = { summary: 'Enable two-factor sign-in', body: Type.Object({ form_token }) }
export const RegenerateFormRoute = { summary: 'Generate new recovery codes', body: Type.Object({ form_token }) }
export const AddPageRoute = { summary: 'Add a second factor', querystring: Type.Object({ method: field, done: word }) }
export const AddRoute = {
  summary: 'Start setting up a second factor',
  body: Type.Object({ method: field, identifier: Type.Optional(field), form_token }),
}
export const FinishPageRoute = {
  summary: 'Page for activating a second factor',
  querystring: Type.Object({ method_id: field }),
}
export const FinishRoute = {
  summary: 'Activate a second factor',
  body: Type.Object({
    method_id: field,
    code: Type.Optional(field),
    secret: Type.Optional(Type.String({ description: 'the secret shown on the page, to show it again' })),
    form_token,
  }),
}
export const SendRoute = { summary: 'Send another code', body: Type.Object({ method_id: field, form_token }) }

/** `method_id` is the method used for the verification, and `id` is the method to remove. */
const proof = { method_id: Type.Optional(field), id: Type.Optional(field) }
export const ProofPageRoute = {
  summary: 'Page for confirming a change with a second factor',
  querystring: Type.Object(proof),
}
export const ProofRoute = {
  summary: 'Remove a second factor or disable two-factor sign-in',
  body: Type.Object({ ...proof, code: Type.Optional(field), response, form_token }),
}
export const ProofSendRoute = {
  summary: 'Send a code for the confirmation',
  body: Type.Object({ ...proof, form_token }),
}
