import type { Application, SessionRow, SessionView } from '../../context.ts'
import { acceptsMethod } from '../responses/sign-in-rules.ts'

type Owned = Pick<SessionRow, 'application' | 'application_id' | 'sign_in_method'>

/**
 * Whether a back end may learn that the session exists. With the secret of an application, it sees browser sessions, its
 * own sessions and those of the applications in `accepts`, if they began in a way that it accepts; with a secret of the
 * settings, all sessions.
 */
export const isVisibleTo = (application: Application | undefined, view: Pick<SessionView, 'session'>): boolean =>
  application === undefined || accepts(application, view.session)

const accepts = (application: Application, session: Owned): boolean =>
  acceptsMethod(application, session.sign_in_method) &&
  (session.application === null ||
    isOwnSession(application, session) ||
    (session.application_id !== null && application.accepts.includes(session.application_id)))

/**
 * A session that was created while the settings declared the application is identified by its origin or app scheme. It is
 * one of the application that has the whole origin, because it may have been created for any page of it.
 */
function isOwnSession(application: Application, session: Owned): boolean {
  if (session.application_id !== null) return session.application_id === application.id
  return session.application !== null && application.wholeOrigins.includes(session.application)
}
