import Type from 'typebox'
import { form_token } from '../../../ui/console/schemas.ts'

const text = Type.Optional(Type.String())

// Unknown parameters are ignored, as those of a request for authorization.
const parameters = Type.Object(
  {
    ...{ id_token_hint: text, logout_hint: text, client_id: text, post_logout_redirect_uri: text },
    ...{ state: text, ui_locales: text },
  },
  { additionalProperties: true },
)

export const EndSessionRoute = { summary: 'Sign out for an application (OpenID Connect)', querystring: parameters }
export const EndSessionFormRoute = { summary: 'Sign out for an application with a form', body: parameters }
export const ConfirmEndRoute = {
  summary: 'Confirm the sign-out for an application',
  body: Type.Object({ form_token, client_id: text, post_logout_redirect_uri: text, state: text }),
}
