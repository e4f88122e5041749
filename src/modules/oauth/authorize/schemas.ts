import Type from 'typebox'
import { form_token } from '../../../ui/console/schemas.ts'

const text = Type.Optional(Type.String())

// Any text is accepted here, because a client learns of what is wrong by a redirect. Unknown parameters are ignored
// (RFC 6749, 3.1).
const parameters = Type.Object(
  {
    ...{ client_id: text, redirect_uri: text, response_type: text, response_mode: text, scope: text, state: text },
    ...{ code_challenge: text, code_challenge_method: text, nonce: text, resource: text, prompt: text, max_age: text },
    ...{ acr_values: text, claims: text, login_hint: text, ui_locales: text, id_token_hint: text },
    ...{ request: text, request_uri: text, registration: text, display: text, claims_locales: text },
  },
  { additionalProperties: true },
)

export const AuthorizeRoute = { summary: 'Request authorization (OpenID Connect)', querystring: parameters }
export const AuthorizeFormRoute = { summary: 'Request authorization with a form', body: parameters }

const request = Type.String({ maxLength: 40 })

export const ContinueRoute = {
  summary: 'Continue a request for authorization',
  querystring: Type.Object({
    request,
    error: Type.Optional(Type.Literal('access_denied')),
    another: Type.Optional(Type.Literal('true')),
    flow: Type.Optional(Type.String({ maxLength: 64 })),
  }),
}
export const ConsentPageRoute = {
  summary: 'Page that asks for the consent of the user',
  querystring: Type.Object({ request }),
}
export const ConsentFormRoute = {
  summary: 'Give or refuse the consent',
  body: Type.Object(
    { request, decision: Type.Optional(Type.Literal('allow')), form_token },
    // A checkbox for each optional scope.
    { additionalProperties: true },
  ),
}
