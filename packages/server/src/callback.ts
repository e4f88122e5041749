import { cookieValues, writeCookie } from './cookies.ts'
import { WardenryError } from './errors.ts'
import { endFlowCookie, readFlow, type SignInFlow } from './flow-cookie.ts'
import type { Settings } from './options.ts'
import { type Redeemed, redeemCode } from './redeem.ts'
import { type Incoming, searchOf } from './request.ts'
import { redirect, reject } from './responses.ts'
import { callbackAddress } from './sign-in.ts'
import { endSession } from './sign-out.ts'
import type { UsedStates } from './used-states.ts'

/** In seconds. Equal to the default of SESSION_ABSOLUTE_TTL. A cookie that outlives its session has no effect. */
const cookieLifetime = 30 * 24 * 60 * 60

/** In milliseconds. The service's time can come from a Date header, which has a resolution of one second. */
const tolerance = 2_000

/** Handles the return from the sign-in page. Exchanges the code for a session in this application. */
export async function callback(settings: Settings, request: Incoming, usedStates: UsedStates): Promise<Response> {
  const search = searchOf(request)
  const [state, ...otherStates] = search.getAll('state')
  const flow = otherStates.length === 0 ? readFlow(settings, request, state) : undefined
  if (!flow || !usedStates.add(flow.state)) return reject(settings, request, new WardenryError('INVALID_STATE'))
  const { paths } = settings
  const endFlow = endFlowCookie(settings, flow)
  const error = search.get('error')
  // With prompt=none, this error means that the user is not signed in to the service.
  if (error === 'login_required') return redirect(flow.returnTo, [endFlow])
  if (error === 'access_denied' && paths.cancelled)
    return redirect(`${new URL(flow.returnTo).origin}${paths.cancelled}`, [endFlow])
  const ended = { cookies: [endFlow], returnTo: flow.returnTo }
  if (error) {
    const code = error === 'access_denied' ? 'ACCESS_DENIED' : 'SIGN_IN_FAILED'
    return reject(settings, request, new WardenryError(code), ended)
  }
  try {
    const { sessionToken, authenticatedAt } = await redeem(settings, search, flow)
    if (!isFresh(settings, flow, authenticatedAt)) {
      await endSession(settings, sessionToken, 'application').catch(() => {})
      throw new WardenryError('REAUTH_REQUIRED')
    }
    await endReplacedSession(settings, request, sessionToken)
    const cookie = writeCookie(settings.cookieName, sessionToken, { ...settings, maxAge: cookieLifetime })
    return redirect(flow.returnTo, [cookie, endFlow])
  } catch (failure) {
    if (!(failure instanceof WardenryError)) throw failure
    // If the service was unreachable, the sign-in remains valid so that the browser can open the same URL again.
    if (failure.status !== 503) return reject(settings, request, failure, ended)
    usedStates.delete(flow.state)
    return reject(settings, request, failure)
  }
}

/**
 * Whether the authentication is recent enough for this application. The service has checked this, but the visitor could
 * have changed `max_age` in the sign-in URL.
 */
function isFresh({ clock }: Settings, { startedAt, maxProofAge }: SignInFlow, authenticatedAt: unknown): boolean {
  if (maxProofAge === undefined) return true
  const age = clock.now() - Date.parse(String(authenticatedAt))
  return age <= Date.now() - startedAt + maxProofAge * 1000 + tolerance
}

async function redeem(settings: Settings, search: URLSearchParams, { codeVerifier }: SignInFlow): Promise<Redeemed> {
  const [code, ...others] = search.getAll('code')
  if (!code || others.length > 0) throw new WardenryError('INVALID_CODE')
  return redeemCode(settings, { code, codeVerifier, returnTo: callbackAddress(settings) })
}

/** Ends this browser's previous session so that it does not outlive its cookie. */
async function endReplacedSession(settings: Settings, { header }: Incoming, sessionToken: string): Promise<void> {
  const before = cookieValues(header('cookie'), settings.cookieName).filter((value) => value !== sessionToken)
  await Promise.all(before.slice(0, 2).map((value) => endSession(settings, value, 'application').catch(() => {})))
}
