import Type from 'typebox'
import { flow } from '../../../../ui/flow/schemas.ts'

const text = Type.Optional(Type.String({ maxLength: 300 }))
const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
const querystring = Type.Object({ flow })
// The API validates the values, and the form displays the API's error.
const field = Type.String()

export const SecondStepRoute = {
  summary: 'Page for the second step of a sign-in',
  querystring: Type.Object({ method: text, sent: text, flow }),
}
export const SecondStepFormRoute = {
  summary: 'Confirm a sign-in',
  querystring,
  body: Type.Object({ method_id: field, code: field, form_token }),
}
export const SendCodeFormRoute = {
  summary: 'Send another code',
  querystring,
  body: Type.Object({ method_id: field, form_token }),
}
