import Type from 'typebox'
import { Done, describe } from '../../http/replies/schemas.ts'

export const ResetRoute = describe(
  {
    operationId: 'resetUserTwoFactor',
    errors: ['NOT_FOUND'],
    summary: 'Remove the second factors of a user',
    description:
      'For somebody who has lost theirs: all methods and recovery codes go, `two_factor` becomes false, all sessions of ' +
      'the user end, and the user is told by mail. Only a superadmin does this to a superadmin, and nobody to themselves.',
    tag: 'Administration',
  },
  { params: Type.Object({ user_id: Type.String() }) },
  Done,
)
