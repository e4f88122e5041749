import Type from 'typebox'
import { describe, success } from '../http/replies/schemas.ts'
import { Impersonator, SignInReply } from '../sessions/schemas.ts'

const tag = 'Administration'

export const ImpersonateRoute = describe(
  {
    operationId: 'createImpersonation',
    sessionCookie: 'set',
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED', 'ACCOUNT_BLOCKED'],
    summary: 'Act as another user',
    description:
      'Requires a recent proof. Creates a session of the user for at most 15 minutes, which nothing extends. Only ' +
      'routes with `x-while-impersonating: allowed` accept it: it reads, but changes no credentials, sessions, ' +
      'consent or data, administers nothing, and cannot be handed over to applications. It ends with your own ' +
      'session, with your role, and when the user is blocked, is deleted or ends sessions. Users of the roles ' +
      'superadmin, admin and support are refused. With a cookie, the browser keeps your own session in a second ' +
      'cookie until POST /auth/impersonation/stop.',
    tag,
  },
  {
    params: Type.Object({ user_id: Type.String() }),
    body: Type.Object(
      {
        reason: Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'recorded in the audit log; the user never sees it',
        }),
      },
      { examples: [{ reason: 'The user reports an empty page' }] },
    ),
  },
  Type.Object({ ...SignInReply.properties, impersonated_by: Impersonator }, { title: 'Impersonation' }),
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
    data: Type.Object({ restored: Type.Boolean({ description: 'whether the own session is in the cookie again' }) }),
  }),
)
