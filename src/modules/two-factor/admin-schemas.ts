import Type from 'typebox'
import { Done, describe } from '../../http/responses/schemas.ts'

export const ResetRoute = describe(
  {
    operationId: 'resetUserTwoFactor',
    errors: ['NOT_CONFIGURED', 'NOT_FOUND'],
    summary: "Remove a user's second factors",
    description:
      'For users who have lost their second factor. Removes all methods and recovery codes, sets `two_factor` to ' +
      "false, ends all of the user's sessions and notifies the user by email. If a passkey was the only way to sign in, " +
      'the email contains a link to add a new one, and nothing is removed if it cannot be sent. Only a superadmin can ' +
      "remove a superadmin's second factors. You cannot remove your own second factors with this route.",
    tag: 'Administration',
  },
  { params: Type.Object({ user_id: Type.String() }) },
  Done,
)
