import Type from 'typebox'

export const OneTimeTokenText = Type.String({ minLength: 1, maxLength: 200, description: 'token from the link' })

export const exampleToken = 'x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE'

export const mailedMembers = {
  token: Type.Optional(OneTimeTokenText),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'email address the code was sent to',
      examples: ['ada@example.com'],
    }),
  ),
  code: Type.Optional(
    Type.String({
      pattern: '^[0-9]{6}$',
      description: 'the six-digit code; requires email',
      examples: ['271828'],
    }),
  ),
}

/** Mailed links contain the flow id so that opening a link continues the flow. */
export const SignInFlowMember = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{12}$',
    description: "sign-in flow id; only for the service's own pages",
  }),
)
