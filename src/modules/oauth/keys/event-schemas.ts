import Type from 'typebox'

export const signingKeyEventData = {
  'signing_key.rotated': Type.Object({
    alg: Type.String({ description: 'the algorithm, such as `ES256`' }),
    kid: Type.String({ description: 'the key that signs from now on' }),
    replaces: Type.String({ description: 'the key that signed before' }),
    compromised: Type.Boolean({
      description: 'whether the former key was removed: read the JWKS again, and reject its tokens',
    }),
  }),
} as const
