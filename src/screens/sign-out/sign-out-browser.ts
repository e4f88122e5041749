import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { isAmbiguous } from '../../http/cookies/session-cookie.ts'
import { CurrentRoute, LogoutRoute } from '../../sessions/route-schemas.ts'
import { call } from '../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../ui/shared/call-api.ts'
import { stateCookies } from '../../ui/shared/state-cookie.ts'
import type { PageVisit } from '../../ui/shared/visit.ts'

/** Also true for partial sessions. True if there are several session cookies, because any of them may be valid. */
export async function maySignOut(
  ctx: Context,
  { api, bringsSession }: PageVisit,
  request: FastifyRequest,
): Promise<boolean> {
  if (isAmbiguous(request, ctx.config)) return true
  return bringsSession && (await api(call(CurrentRoute))).ok
}

/** Ends the session of the browser. Returns why it could not be ended. */
export async function signOutBrowser(
  ctx: Context,
  visit: PageVisit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ status: number; rejection: ApiRejection } | undefined> {
  const ended = await visit.api(call(LogoutRoute))
  // Status 401 means that the session has already ended. Success must not be reported while the session is valid.
  if (!ended.ok && ended.status !== 401) return ended
  // Clears cookies that another host has set for another path, which the service cannot clear by name.
  if (isAmbiguous(request, ctx.config)) reply.header('clear-site-data', '"cookies"')
  // The browser's next user must not see the previous user's data.
  for (const what of stateCookies) visit.clearStateCookie(what)
  visit.forgetOtherFlows(visit.flowId)
  return undefined
}
