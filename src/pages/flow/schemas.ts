import Type from 'typebox'

// Any text is accepted here because a page shows which parameter is invalid.
const text = Type.Optional(Type.String())

/** Parameters for applications. If OAuth or OpenID Connect defines a parameter, it has its standard name here. */
export const signInQuery = {
  return_to: text,
  state: text,
  code_challenge: text,
  code_challenge_method: text,
  prompt: text,
  max_age: text,
  login_hint: text,
  ui_locales: text,
  screen: text,
}

export const flow = Type.Optional(Type.String({ maxLength: 64, description: 'sign-in flow id' }))
