import Type from 'typebox'
import { describe, success } from '../http/replies/schemas.ts'
import { CurrentPassword } from '../passwords/schemas.ts'
import { Ended, ListedSession } from '../sessions/schemas.ts'

const tag = 'Sessions'

const OwnSession = Type.Object({
  ...ListedSession.properties,
  current: Type.Boolean({ description: 'the session that asks' }),
})

export const OwnSessionsRoute = describe(
  {
    operationId: 'listSessions',
    summary: 'Where you are signed in',
    description: 'Live sessions, newest first. One with status `pending` waits for its second factor.',
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
    description: 'The session of an application needs POST /auth/reauthenticate first to end one of another sign-in.',
    tag,
  },
  { params: Type.Object({ id: Type.String() }) },
  Ended,
)

export const EndOthersRoute = describe(
  {
    operationId: 'endOtherSessions',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED'],
    summary: 'End all your sessions but this one',
    description: 'Needs a sign-in within REAUTH_WINDOW, or `current_password`; else REAUTH_REQUIRED.',
    tag,
  },
  { body: Type.Object({ current_password: CurrentPassword }) },
  Ended,
)
