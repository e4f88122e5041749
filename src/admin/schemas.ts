import Type from 'typebox'
import { Done, describe } from '../http/responses/schemas.ts'
import { exampleToken } from '../one-time-tokens/schemas.ts'
import { newPassword, passwordText } from '../passwords/schemas.ts'
import { SignInResponse } from '../sessions/schemas.ts'

const tag = 'Set-up'
const Token = Type.String({ minLength: 1, maxLength: 200, description: 'token from the setup link' })

export const AdminSetupPageRoute = {
  summary: 'Show the page that creates the first superadmin',
  tags: [tag],
  querystring: Type.Object({ token: Token }),
}

export const AdminSetupRoute = describe(
  {
    operationId: 'setUp',
    errors: ['EMAIL_TAKEN', 'INVALID_CREDENTIALS', 'INVALID_TOKEN', 'NOT_FOUND', 'WEAK_PASSWORD'],
    sessionCookie: 'set',
    summary: 'Create the first superadmin',
    description: 'Requires the token from the setup link printed at startup. The link can be used once.',
    tag,
  },
  {
    body: Type.Object(
      {
        token: Token,
        email: Type.String({ minLength: 1, maxLength: 254 }),
        password: Type.Optional(
          Type.String({ ...passwordText, description: 'required unless PASSWORDS_ENABLED is false' }),
        ),
        name: Type.Optional(Type.String({ maxLength: 100 })),
      },
      {
        examples: [
          {
            token: exampleToken,
            email: 'root@example.com',
            password: 'seven quiet river stones',
          },
        ],
      },
    ),
  },
  SignInResponse,
)

export const SetPasswordRoute = describe(
  {
    operationId: 'setUserPassword',
    errors: ['NOT_FOUND', 'WEAK_PASSWORD'],
    summary: "Set another user's password",
    description:
      "Ends all of the user's sessions and unlocks the account. Only a superadmin can set a superadmin's password.",
    tag: 'Administration',
  },
  {
    body: Type.Object(
      {
        user_id: Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'id of another user',
          examples: ['01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'],
        }),
        new_password: newPassword(),
        notify: Type.Optional(Type.Boolean({ description: 'whether the user is notified by email; default: true' })),
      },
      { examples: [{ user_id: '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6', new_password: 'four slow copper snails' }] },
    ),
  },
  Done,
)
