import Type from 'typebox'
import { describe, NullableString, success } from '../http/responses/schemas.ts'
import { LoginUserWithModules } from './schemas.ts'

export const ProfileRoute = describe(
  {
    operationId: 'getProfile',
    summary: 'Get your profile',
    description: 'Returns all members that PUT /auth/profile can change, and whether the user has a password.',
    tag: 'Profile',
  },
  {},
  success({
    data: Type.Object({
      user: LoginUserWithModules,
      phone: Type.String({ description: 'international format, or empty' }),
      lang: Type.Unsafe<string | null>({ ...NullableString, description: 'null if none was chosen' }),
      has_password: Type.Boolean({
        description:
          'if false, the user sets a first password without `current_password`; always false if PASSWORDS_ENABLED is false',
      }),
    }),
  }),
)
