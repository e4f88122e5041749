import Type from 'typebox'
import { describe } from '../../http/responses/schemas.ts'
import { exampleToken, OneTimeTokenText } from '../../one-time-tokens/schemas.ts'
import { SignInResponse } from '../../sessions/schemas.ts'

export const PasskeyLinkRoute = describe(
  {
    operationId: 'signInWithPasskeyLink',
    errors: ['ACCOUNT_BLOCKED', 'INVALID_CREDENTIALS', 'INVALID_TOKEN'],
    sessionCookie: 'set',
    summary: 'Sign in with the link to add a new passkey',
    description:
      'The link is mailed when an administrator removes the passkeys of a user. It can be used once. If the user has a ' +
      'second factor that was not removed, the session is partial.',
    tag: 'Sign-in',
  },
  { body: Type.Object({ token: OneTimeTokenText }, { examples: [{ token: exampleToken }] }) },
  SignInResponse,
)
