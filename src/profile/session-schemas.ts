import Type from 'typebox'
import { describe, success } from '../http/responses/schemas.ts'
import { CurrentPasswordBody } from '../passwords/schemas.ts'
import { EndedSessions, ListedSessionSchema } from '../sessions/schemas.ts'

const tag = 'Sessions'

const OwnSession = Type.Object({
  ...ListedSessionSchema.properties,
  current: Type.Boolean({ description: "whether this is the request's session" }),
})

export const OwnSessionsRoute = describe(
  {
    operationId: 'listSessions',
    summary: 'List your sessions',
    description:
      'Returns the active sessions, newest first. A session with status `pending` has not verified its second factor ' +
      'yet.',
    tag,
  },
  {},
  success({ data: Type.Object({ sessions: Type.Array(OwnSession) }) }),
)

export const EndOwnRoute = describe(
  {
    operationId: 'endSession',
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED'],
    sessionCookie: 'cleared',
    summary: 'End one of your sessions',
    description:
      'An application session must call POST /auth/reauthenticate before it ends a session from another sign-in.',
    tag,
  },
  { params: Type.Object({ session_id: Type.String() }) },
  EndedSessions,
)

export const EndOthersRoute = describe(
  {
    operationId: 'endOtherSessions',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED'],
    summary: 'End all your other sessions',
    description: 'Requires a sign-in within REAUTH_WINDOW or `current_password`; otherwise, returns REAUTH_REQUIRED.',
    tag,
  },
  {
    body: CurrentPasswordBody,
  },
  EndedSessions,
)
