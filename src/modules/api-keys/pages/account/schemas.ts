import Type from 'typebox'

export const keysPath = '/account/keys'
export const keyActionPath = `${keysPath}/act`

const form_token = Type.Optional(Type.String({ maxLength: 200, description: "the service's form token" }))
// The API validates the values, and the form displays the API's error.
const field = Type.Optional(Type.String())

export const KeysPageRoute = {
  summary: 'Your API keys',
  querystring: Type.Object({ done: Type.Optional(Type.String({ maxLength: 100 })) }),
}

/** The form has a checkbox for each scope. Applications can declare more at any time. */
export const CreateKeyFormRoute = {
  summary: 'Create an API key',
  body: Type.Object({ name: field, days: field, ip_ranges: field, form_token }, { additionalProperties: true }),
}

export const KeyActionFormRoute = {
  summary: 'Replace or revoke an API key',
  body: Type.Object({ action: field, key_id: field, form_token }),
}
