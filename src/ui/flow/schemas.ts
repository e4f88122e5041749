import Type from 'typebox'

// Any text is accepted here because invalid parameters are reported on a page.
const text = Type.Optional(Type.String())

/** Parameters that applications can send. Those that OAuth or OpenID Connect defines have their standard names. */
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
