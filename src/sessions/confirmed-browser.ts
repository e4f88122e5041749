import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/load.ts'
import { onlyCookie, writeCookie } from '../http/cookies/cookies.ts'
import { needsSecure } from '../http/cookies/session-cookie.ts'

/** The name of the cookie for browsers in which a second factor has been confirmed. The feature is off by default. */
const nameOf = (config: Config): string => (needsSecure(config) ? '__Host-cb' : 'cb')

export const readConfirmedBrowserCookie = (request: FastifyRequest, config: Config): string | undefined =>
  onlyCookie(request.headers.cookie, nameOf(config))

export function setConfirmedBrowserCookie(reply: FastifyReply, config: Config, mark: string, lifetime: number): void {
  const attributes = { sameSite: 'Lax', secure: needsSecure(config) } as const
  const cookie = writeCookie(nameOf(config), mark, { ...attributes, maxAge: lifetime / 1000 })
  reply.header('set-cookie', cookie)
}
