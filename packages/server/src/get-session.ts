import { assertSessionAllowed } from './assert-allowed.ts'
import { type EndUser, endUserOf } from './end-user.ts'
import { isUnknown, WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import { comesFromOwnPages, followsLink, type Incoming } from './request.ts'
import type { CheckedRule } from './rule.ts'
import type { SessionSource, ValidatedSession } from './session.ts'
import { type SessionToken, sessionTokenOf } from './session-token.ts'

const readingMethods = ['GET', 'HEAD', 'OPTIONS']

/** Returns the session if the request is permitted. Otherwise, rejects with the reason. */
export async function getSession(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  rule: CheckedRule,
): Promise<ValidatedSession> {
  const token = sessionTokenOf(settings, request)
  if (token && !isOwnRequest(settings, request, token)) throw new WardenryError('CSRF_REJECTED')
  const validated = token && (await validate(settings, source, request, token))
  if (!validated) throw new WardenryError('INVALID_SESSION')
  assertSessionAllowed(settings, validated, rule)
  return validated
}

/**
 * The request's session. Undefined if the visitor is not signed in, or if a cross-origin page sent a request that can
 * change data.
 */
export async function sessionOf(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
): Promise<ValidatedSession | undefined> {
  const token = sessionTokenOf(settings, request)
  return token && isOwnRequest(settings, request, token) ? validate(settings, source, request, token) : undefined
}

/**
 * The session, or undefined if the visitor is not signed in to this application. Rejects if the service is unreachable.
 */
async function validate(
  settings: Settings,
  source: SessionSource,
  request: Incoming,
  token: SessionToken,
): Promise<ValidatedSession | undefined> {
  const validated = await lookUp(source, token.value, endUserOf(settings, request))
  return validated && isForUs(settings, token, validated) ? validated : undefined
}

async function lookUp(
  source: SessionSource,
  sessionToken: string,
  endUser: EndUser,
): Promise<ValidatedSession | undefined> {
  const known = source.peek(sessionToken, endUser)
  if (known !== 'ask') return known
  try {
    return await source.validate(sessionToken, endUser)
  } catch (cause) {
    throw isUnknown(cause) ? cause : new WardenryError('UNAVAILABLE', String((cause as Error).message), cause)
  }
}

/** Other applications know the session tokens of their users and must not be able to use them in this application. */
function isForUs(settings: Settings, { from }: SessionToken, { session }: ValidatedSession): boolean {
  const application = session.application ?? null
  if (application === null) return from === 'header' || settings.session === 'shared'
  return application === settings.appUrl || (from === 'header' && settings.applications.includes(application))
}

/**
 * Browsers send the cookie even with cross-origin requests from the same site, so a request that can change data must
 * come from an allowed origin.
 */
const isOwnRequest = (settings: Settings, request: Incoming, { from }: SessionToken): boolean =>
  from === 'header' || onlyReads(request) || comesFromOwnPages(request, settings.origins)

const onlyReads = (request: Incoming): boolean =>
  request.method === undefined ? followsLink(request) : readingMethods.includes(request.method)
