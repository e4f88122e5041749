import Type from 'typebox'
import { flow } from '../../../ui/flow/schemas.ts'
import { maxPasskeys } from '../../../webauthn/keep-passkey.ts'
import { lostField } from './view.ts'

const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
const querystring = Type.Object({ flow })
// The API validates the values, and the form displays the API's error.
const field = Type.String()

export const RecoverAddressRoute = { summary: 'Page for recovering an account without a passkey', querystring }
export const RecoverAddressFormRoute = {
  summary: 'Request a code for a recovery',
  querystring,
  body: Type.Object({ email: field, form_token }),
}
export const RecoverCodesRoute = { summary: 'Page for entering the codes of a recovery', querystring }
export const RecoverCodesFormRoute = {
  summary: 'Continue a recovery with both codes',
  querystring,
  body: Type.Object({ code: field, recovery_code: field, form_token }),
}
export const RecoverPasskeyRoute = { summary: 'Page for adding a passkey in a recovery', querystring }

const lost = Object.fromEntries(
  Array.from({ length: maxPasskeys }, (_, index) => [lostField(index), Type.Optional(Type.String({ maxLength: 100 }))]),
)
export const RecoverPasskeyFormRoute = {
  summary: 'Add a passkey in a recovery',
  querystring,
  body: Type.Object({
    response: Type.Optional(Type.String({ description: 'passkey response as JSON' })),
    form_token,
    ...lost,
  }),
}
