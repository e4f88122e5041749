import Type from 'typebox'

export const Token = Type.String({ minLength: 1, maxLength: 200, description: 'from the link' })

export const exampleToken = 'x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE'

export const mailedMembers = {
  token: Type.Optional(Token),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'the code was sent there',
      examples: ['ada@example.com'],
    }),
  ),
  code: Type.Optional(
    Type.String({ pattern: '^[0-9]{6}$', description: 'six digits, with email', examples: ['271828'] }),
  ),
}

/** Part of mailed links, so that they continue the flow. */
export const SignInFlow = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{12}$',
    description: "for the service's own pages: the sign-in it belongs to",
  }),
)
