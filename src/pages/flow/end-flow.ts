import type { FastifyReply, FastifyRequest } from 'fastify'
import { withQuery } from '../../http/replies/redirects.ts'
import { AppError } from '../../lib/errors.ts'
import { minute } from '../../lib/time.ts'
import type { Visit } from '../shared/visit.ts'
import type { FindBrowserSession } from './browser-session.ts'
import { type Flow, inFlow } from './flow.ts'

/** Where people leave a sign-in and go back to the application that asked for it. */
export const cancelPath = '/login/cancel'

/** Where somebody who is signed in proves again who they are. */
export const confirmPath = '/account/confirm'

/** The time that people have between a fresh proof and the return. */
const proofTolerance = 10 * minute

interface Ends {
  reply: FastifyReply
  findSession: FindBrowserSession
  /** Where a flow without a return address leads. */
  goHome: () => FastifyReply
  now: number
}

/**
 * Ends the flow of somebody who is signed in: the one place from which applications get an answer. Asks for a fresh
 * proof first when the flow demands one. Undefined when there is nobody, and a page has to be shown.
 */
export async function endFlow(
  visit: Visit,
  request: FastifyRequest,
  flow: Flow,
  { reply, findSession, goHome, now }: Ends,
): Promise<FastifyReply | undefined> {
  const session = await findSession(request)
  const isProven = session && session.provedAt.getTime() >= earliestProof(flow, now)
  if (session && !isProven && !flow.silent) {
    visit.keepFlow(flow)
    return visit.go(inFlow(confirmPath, flow.id))
  }
  if (!isProven) return flow.silent ? answer(visit, flow, { error: 'login_required' }) : undefined
  if (flow.returnTo === undefined) {
    visit.forgetFlow(flow.id)
    return goHome()
  }
  const { codeChallenge, returnTo } = flow
  if (codeChallenge === undefined) {
    session.shareCookie(reply)
    return answer(visit, flow, {})
  }
  try {
    return answer(visit, flow, { code: await session.issueCode({ returnTo, codeChallenge }) })
  } catch (error) {
    // Ended meanwhile, or the session of an application: neither can vouch for another one.
    if (error instanceof AppError && error.code === 'INVALID_SESSION') return undefined
    throw error
  }
}

/** Ends the flow of somebody who does not want to sign in. */
export const cancelFlow = (visit: Visit, flow: Flow): FastifyReply => answer(visit, flow, { error: 'access_denied' })

/** An application that allows a proof of some age must not get a much older one because its flow stayed open. */
const earliestProof = ({ provenSince = 0, maxAge }: Flow, now: number): number =>
  maxAge === undefined ? provenSince : Math.max(provenSince, now - maxAge - proofTolerance)

type FlowAnswer = { code: string } | { error: 'login_required' | 'access_denied' } | Record<never, string>

function answer(visit: Visit, flow: Flow, members: FlowAnswer): FastifyReply {
  visit.forgetFlow(flow.id)
  return visit.leave(withQuery(flow.returnTo ?? '/', { ...members, state: flow.state }))
}
