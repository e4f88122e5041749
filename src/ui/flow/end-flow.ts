import type { FastifyReply, FastifyRequest } from 'fastify'
import { withQuery } from '../../http/responses/redirects.ts'
import type { SignInRules } from '../../http/responses/sign-in-rules.ts'
import { AppError } from '../../lib/errors.ts'
import { minute } from '../../lib/time.ts'
import type { PageVisit } from '../shared/visit.ts'
import { inFlow, type SignInFlow } from './flow.ts'

export const confirmPath = '/account/confirm'

/** The page shown after a confirmation in a second tab. The form is still open in the first tab. */
export const confirmedInTabPath = `${confirmPath}?outcome=confirmed`

/** The time allowed between authentication and the return to the application. */
const proofTolerance = 10 * minute

interface FlowEnd {
  reply: FastifyReply
  findSession: FindBrowserSession
  /** Redirects the browser at the end of a flow without a return address. */
  goHome: () => FastifyReply
  /** Shows a notice that applications cannot be opened with an impersonated session. */
  showImpersonated: () => FastifyReply
  now: number
  rules: SignInRules
}

/** The user must sign in again, because the application does not accept the way in which the session began. */
export const otherMethod = 'other_method'

/**
 * Ends the flow or continues it on another page. Returns undefined if the sign-in page must be shown instead. The response is
 * sent by calling the result, because waiting for a FastifyReply waits until it was sent, and yields undefined.
 */
export async function endFlow(
  visit: PageVisit,
  request: FastifyRequest,
  flow: SignInFlow,
  { reply, findSession, goHome, showImpersonated, now, rules }: FlowEnd,
): Promise<(() => FastifyReply) | typeof otherMethod | undefined> {
  const loginRequired = () => respond(visit, flow, { error: 'login_required' })
  const session = await findSession(request)
  const isProven = session && session.provedAt.getTime() >= earliestProof(flow, now)
  const isAccepted = !session || rules.accepts(session.signInMethod)
  if (session?.rejectImpersonated && (flow.codeChallenge !== undefined || !isProven || !isAccepted)) {
    await session.rejectImpersonated()
    if (flow.silent) return loginRequired
    visit.forgetFlow(flow.id)
    return showImpersonated
  }
  if (!isAccepted) return flow.silent ? loginRequired : otherMethod
  if (session && !isProven && !flow.silent) {
    visit.keepFlow(flow)
    return () => visit.go(inFlow(confirmPath, flow.id))
  }
  if (!isProven) return flow.silent ? loginRequired : undefined
  if (flow.returnTo === undefined) {
    visit.forgetFlow(flow.id)
    return goHome
  }
  const { codeChallenge, returnTo } = flow
  if (codeChallenge === undefined) {
    session.shareCookie(reply, returnTo)
    return () => respond(visit, flow, {})
  }
  try {
    const code = await session.issueCode({ returnTo, codeChallenge })
    return () => respond(visit, flow, { code })
  } catch (error) {
    // The session has ended meanwhile.
    if (error instanceof AppError && error.code === 'INVALID_SESSION') return undefined
    throw error
  }
}

export const cancelFlow = (visit: PageVisit, flow: SignInFlow): FastifyReply =>
  respond(visit, flow, { error: 'access_denied' })

/** With `max_age`, the authentication must not be too old, even if the flow has been open for a long time. */
const earliestProof = ({ provenSince = 0, maxAge }: SignInFlow, now: number): number =>
  maxAge === undefined ? provenSince : Math.max(provenSince, now - maxAge - proofTolerance)

type FlowResponse = { code: string } | { error: 'login_required' | 'access_denied' } | Record<never, string>

function respond(visit: PageVisit, flow: SignInFlow, members: FlowResponse): FastifyReply {
  visit.forgetFlow(flow.id)
  return visit.redirectTo(withQuery(flow.returnTo ?? '/', { ...members, state: flow.state }))
}

/** The full session that the browser's cookie identifies, read from the database. */
export interface BrowserSession {
  /** Null if the sign-in counts as no way to sign in. */
  signInMethod: string | null
  provedAt: Date
  /** Records that a handover was denied. Present only if a superadmin is acting as the user. */
  rejectImpersonated?: () => Promise<void>
  /**
   * Sets the cookie for SESSION_COOKIE_DOMAIN because the browser may have an older host-only cookie, and counts the use of
   * the application that the browser returns to.
   */
  shareCookie(reply: FastifyReply, returnTo: string): void
  /** Issues a code that an application on another host exchanges for a session. */
  issueCode(target: { returnTo: string; codeChallenge: string }): Promise<string>
}

/** Returns undefined if there is no session, or if the session has ended or is partial. */
export type FindBrowserSession = (request: FastifyRequest) => Promise<BrowserSession | undefined>
