import { Done, describe } from '../http/responses/schemas.ts'
import { aUser, tag } from './user-schemas.ts'

export const ResetPasskeysRoute = describe(
  {
    operationId: 'resetUserPasskeys',
    errors: ['NOT_CONFIGURED', 'NOT_FOUND'],
    summary: "Remove a user's passkeys",
    description:
      "For users who have lost their passkeys. Removes all passkeys and recovery codes, ends all of the user's sessions, " +
      'and emails a link with which the user signs in once to add a new passkey. Nothing is removed if the email cannot ' +
      'be sent. If the link has expired, repeat the request. If the user must have a passkey, the password is removed, too, ' +
      'because it would suffice to add the next passkey. Only a ' +
      "superadmin can remove a superadmin's passkeys. You cannot remove your own passkeys with this route.",
    tag,
  },
  aUser,
  Done,
)
