import { isUnknown, WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import { refuse } from './replies.ts'
import { comesFromOwnPages, type Incoming, isNavigation } from './request.ts'
import type { SessionSource, ValidatedSession } from './session.ts'
import { type SessionToken, sessionTokenOf } from './session-token.ts'
import { signIn } from './sign-in.ts'

/** Who may pass. */
export interface Rule {
  /** The `user_type`s that may pass; default: all. */
  userTypes?: string[]
  /** Seconds since the user last proved who they are; after more they are asked again. */
  maxAge?: number
}

const readingMethods = ['GET', 'HEAD', 'OPTIONS']

/** The session of a request that may pass, or the answer to send in its place. */
export async function requireUser(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  rule: Rule = {},
): Promise<ValidatedSession | Response> {
  try {
    const token = sessionTokenOf(settings, request)
    if (token) assertOwnPage(settings, request, token)
    const validated = token && (await validate(source, token.value))
    if (!validated) throw new WardenryError('INVALID_SESSION')
    assertAllowed(validated, rule)
    return validated
  } catch (error) {
    if (!(error instanceof WardenryError)) throw error
    const mayHelp = error.code === 'INVALID_SESSION' || error.code === 'REAUTH_REQUIRED'
    if (!mayHelp || !settings.appUrl || !isNavigation(request)) return refuse(settings, request, error)
    const maxAge = error.code === 'REAUTH_REQUIRED' ? rule.maxAge : undefined
    return signIn(
      settings,
      { ...request, target: '/' },
      { returnTo: request.target, ...(maxAge !== undefined && { maxAge }) },
    )
  }
}

/** The session, or undefined when nobody is signed in. Rejects when nobody can say. */
export async function validate(source: SessionSource, sessionToken: string): Promise<ValidatedSession | undefined> {
  const known = source.peek(sessionToken)
  if (known !== 'ask') return known
  try {
    return await source.validate(sessionToken)
  } catch (cause) {
    throw isUnknown(cause) ? cause : new WardenryError('UNAVAILABLE', String((cause as Error).message), cause)
  }
}

/** A cookie goes along with whatever a page of the same site sends. */
function assertOwnPage(settings: Settings, request: Incoming, { from }: SessionToken): void {
  if (from === 'header' || readingMethods.includes(request.method)) return
  if (!comesFromOwnPages(request, settings.origins)) throw new WardenryError('CSRF_REJECTED')
}

function assertAllowed({ user, authenticated_at }: ValidatedSession, { userTypes, maxAge }: Rule): void {
  if (userTypes && !userTypes.includes(user.user_type)) throw new WardenryError('FORBIDDEN')
  if (maxAge === undefined) return
  const age = Date.now() - Date.parse(authenticated_at ?? '')
  if (!(age <= maxAge * 1000)) throw new WardenryError('REAUTH_REQUIRED')
}
