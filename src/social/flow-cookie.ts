import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/load.ts'
import { onlyCookie, writeCookie } from '../http/cookies/cookies.ts'
import { needsSecure } from '../http/cookies/session-cookie.ts'

// The `__Host-` prefix prevents other hosts in the domain from setting the cookie. The prefix requires HTTPS.
const nameOf = (config: Config): string => (needsSecure(config) ? '__Host-oauth_flow' : 'oauth_flow')

/** `SameSite` is `Lax` because the provider's redirect to the callback is cross-site. */
export function setFlowCookie(reply: FastifyReply, config: Config, flow: string, seconds: number): void {
  const attributes = { sameSite: 'Lax', secure: needsSecure(config), maxAge: seconds } as const
  reply.header('set-cookie', writeCookie(nameOf(config), flow, attributes))
}

export const clearFlowCookie = (reply: FastifyReply, config: Config): void => setFlowCookie(reply, config, '', 0)

/** Clients without cookies send the flow in a header, which takes precedence over the cookie. */
export function providerFlowOf({ headers }: FastifyRequest, config: Config): string | undefined {
  const header = headers['x-oauth-flow']
  return typeof header === 'string' && header !== '' ? header : onlyCookie(headers.cookie, nameOf(config))
}
