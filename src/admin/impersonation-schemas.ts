import Type from 'typebox'
import { describe, success } from '../http/responses/schemas.ts'
import { Impersonator, SignInResponse } from '../sessions/schemas.ts'

const tag = 'Administration'

export const ImpersonateRoute = describe(
  {
    operationId: 'createImpersonation',
    sessionCookie: 'set',
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED', 'ACCOUNT_BLOCKED'],
    summary: 'Act as another user',
    description:
      'Requires a sign-in or reauthentication within REAUTH_WINDOW. Creates a session for the user that lasts at ' +
      'most 15 minutes and cannot be extended. Only routes with `x-while-impersonating: allowed` accept it, and ' +
      'these routes change nothing. It cannot be handed over to applications. It ends earlier if your own session ' +
      'ends, you lose your role, or the user is blocked, is deleted or ends the session. Superadmins, admins and ' +
      'support agents cannot be impersonated. If you authenticate with the cookie, your own session is stored in a ' +
      'second cookie until POST /auth/impersonation/stop.',
    tag,
  },
  {
    params: Type.Object({ user_id: Type.String() }),
    body: Type.Object(
      {
        reason: Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'recorded in the audit log; not shown to the user',
        }),
      },
      { examples: [{ reason: 'The user reports an empty page' }] },
    ),
  },
  Type.Object({ ...SignInResponse.properties, impersonated_by: Impersonator }, { title: 'Impersonation' }),
)

export const StopImpersonatingRoute = describe(
  {
    operationId: 'endImpersonation',
    sessionCookie: 'set',
    errors: ['INVALID_SESSION', 'CSRF_REJECTED'],
    summary: 'Stop acting as another user',
    description:
      "Ends the impersonated session. In a browser, the superadmin's own session is restored from its cookie, even if " +
      'the impersonated session has already ended.',
    tag,
  },
  {},
  success({
    message: Type.String(),
    data: Type.Object({
      restored: Type.Boolean({
        description: "whether the session cookie was restored to the superadmin's own session",
      }),
    }),
  }),
)
