import Type from 'typebox'
import { describe } from '../http/responses/schemas.ts'
import { applicationSchema, identityMembers, SignInResponse } from '../sessions/schemas.ts'

export const RedeemRoute = describe(
  {
    operationId: 'redeemHandover',
    errors: ['INVALID_CODE'],
    summary: 'Redeem a handover code',
    description:
      'Creates an application session for the user whose browser returned with `code`. A code can be used once, ' +
      'within 60 seconds, and only with the return address and code challenge for which it was issued. Redeeming the ' +
      'code again ends the session that it created. No cookie is set.',
    tag: 'Bridge',
  },
  {
    body: Type.Object(
      {
        code: Type.String({ minLength: 1, maxLength: 200, description: '`code` from the query of the return address' }),
        code_verifier: Type.String({
          pattern: '^[A-Za-z0-9._~-]{43,128}$',
          description: 'the value whose SHA-256 hash was sent as code_challenge (RFC 7636)',
        }),
        return_to: Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'the return address exactly as it was sent to /login',
        }),
      },
      {
        examples: [
          {
            code: 'x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE',
            code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
            return_to: 'https://shop.example.com/callback',
          },
        ],
      },
    ),
  },
  Type.Object({ ...SignInResponse.properties, ...identityMembers, ...applicationSchema }, { title: 'Redeemed' }),
)
