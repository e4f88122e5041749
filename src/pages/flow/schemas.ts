import Type from 'typebox'

// What is wrong in them is said on a page that names the parameter.
const text = Type.Optional(Type.String())

/** How an application sends somebody to sign in. The names are those of OAuth and OpenID Connect, where they have one. */
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

/** The page belongs to it. */
export const flow = Type.Optional(Type.String({ maxLength: 64, description: 'id of a sign-in flow' }))
