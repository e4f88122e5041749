import Type from 'typebox'
import { Done, describe } from '../../http/replies/schemas.ts'

export const ResetRoute = describe(
  {
    operationId: 'resetUserTwoFactor',
    errors: ['NOT_FOUND'],
    summary: 'Remove the second factors of a user',
    description:
      'For users who have lost their second factor. Removes all methods and recovery codes, sets `two_factor` to ' +
      'false, ends all sessions of the user and notifies the user by email. Only a superadmin can remove those of a ' +
      'superadmin. You cannot remove your own second factors with this request.',
    tag: 'Administration',
  },
  { params: Type.Object({ user_id: Type.String() }) },
  Done,
)
