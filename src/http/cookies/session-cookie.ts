import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/load.ts'
import { isLoopbackUrl } from '../../lib/address.ts'
import { onlyCookie, readCookies, writeCookie } from './cookies.ts'

/** `lifetime`: milliseconds until the session expires, regardless of use. */
export function setSessionCookie(reply: FastifyReply, config: Config, sessionToken: string, lifetime: number): void {
  write(reply, config, sessionToken, lifetime / 1000)
}

export const clearSessionCookie = (reply: FastifyReply, config: Config): void => write(reply, config, '', 0)

/** Stores a superadmin's own session while the superadmin acts as another user. Only this host receives the cookie. */
const ownSessionCookie = (config: Config): string => (needsSecure(config) ? '__Host-own_session' : 'own_session')

export const setOwnSessionCookie = (
  reply: FastifyReply,
  config: Config,
  sessionToken: string,
  lifetime: number,
): void => writeOwn(reply, config, sessionToken, lifetime / 1000)

export const clearOwnSessionCookie = (reply: FastifyReply, config: Config): void => writeOwn(reply, config, '', 0)

export const ownSessionOf = ({ headers }: FastifyRequest, config: Config): string | undefined =>
  onlyCookie(headers.cookie, ownSessionCookie(config)) || undefined

/**
 * Returns the tokens of the sessions that a new sign-in from this browser replaces. While a superadmin acts as another
 * user, the superadmin's own session is one of them.
 */
export const replacedSessionsOf = (request: FastifyRequest, config: Config): string[] =>
  [onlyCookie(request.headers.cookie, config.SESSION_COOKIE_NAME), ownSessionOf(request, config)].filter(
    (sessionToken) => sessionToken !== undefined,
  )

function writeOwn(reply: FastifyReply, config: Config, value: string, maxAge: number): void {
  const attributes = { sameSite: 'Lax', secure: needsSecure(config), maxAge } as const
  reply.header('set-cookie', writeCookie(ownSessionCookie(config), value, attributes))
}

const maxCookies = 5

/** Returns several values if another host in the domain has set a cookie with the same name. */
export const sessionCookies = (request: FastifyRequest, config: Config): string[] =>
  [...new Set(readCookies(request.headers.cookie, config.SESSION_COOKIE_NAME))].slice(0, maxCookies)

export const isAmbiguous = (request: FastifyRequest, config: Config): boolean =>
  sessionCookies(request, config).length > 1

/** If there are several cookies, keeps this service's own cookie, so that the next request may contain only this one. */
export function clearUselessCookie(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  if (isAmbiguous(request, config)) {
    if (config.SESSION_COOKIE_DOMAIN !== undefined) clearHostOnlyCookie(reply, config)
    clearOtherDomains(reply, config)
  } else clearSessionCookie(reply, config)
}

function write(reply: FastifyReply, config: Config, value: string, maxAge: number): void {
  // This header must come first: if the domain equals the host, browsers may treat the two cookies as one.
  if (config.SESSION_COOKIE_DOMAIN !== undefined) clearHostOnlyCookie(reply, config)
  // Without several cookies, one of a parent domain belongs to another application.
  if (isAmbiguous(reply.request, config)) clearOtherDomains(reply, config)
  reply.header('set-cookie', sessionCookie(config, value, maxAge))
}

/** `maxAge`: in seconds. */
export const sessionCookie = (config: Config, value: string, maxAge: number): string =>
  writeCookie(config.SESSION_COOKIE_NAME, value, {
    ...cookieAttributes(config),
    domain: config.SESSION_COOKIE_DOMAIN,
    maxAge,
  })

function clearHostOnlyCookie(reply: FastifyReply, config: Config): void {
  reply.header('set-cookie', writeCookie(config.SESSION_COOKIE_NAME, '', { ...cookieAttributes(config), maxAge: 0 }))
}

/** Clears the cookie for the host and its parent domains, except for the domain of this service's own cookie. */
function clearOtherDomains(reply: FastifyReply, config: Config): void {
  for (const domain of otherDomains(config)) {
    const attributes = { ...cookieAttributes(config), domain, maxAge: 0 }
    reply.header('set-cookie', writeCookie(config.SESSION_COOKIE_NAME, '', attributes))
  }
}

const maxDomains = 5

/** Browsers ignore the cookie for a public suffix. A cookie with the prefix `__Host-` never has a domain. */
export function otherDomains(config: Pick<Config, 'PUBLIC_URL' | 'SESSION_COOKIE_DOMAIN' | 'SESSION_COOKIE_NAME'>) {
  const { hostname } = new URL(config.PUBLIC_URL)
  if (config.SESSION_COOKIE_NAME.startsWith('__Host-') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return []
  const labels = hostname.split('.')
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
  return domains.filter((domain) => domain !== (config.SESSION_COOKIE_DOMAIN ?? hostname)).slice(-maxDomains)
}

export function cookieAttributes(config: Config): { sameSite: 'Lax' | 'Strict' | 'None'; secure: boolean } {
  return { sameSite: sameSiteOf(config), secure: needsSecure(config) }
}

export function needsSecure(config: Config): boolean {
  const url = new URL(config.PUBLIC_URL)
  return !(url.protocol === 'http:' && isLoopbackUrl(url))
}

function sameSiteOf(config: Config) {
  if (config.COOKIE_SAMESITE === 'strict') return 'Strict'
  if (config.COOKIE_SAMESITE === 'lax') return 'Lax'
  if (config.COOKIE_SAMESITE === 'none') return 'None'
  return isCrossSite(config) && needsSecure(config) ? 'None' : 'Lax'
}

/** Treats hosts as same-site if they are equal or share their last two labels. Does not use the Public Suffix List. */
function isCrossSite(config: Config): boolean {
  const [own, front] = [new URL(config.PUBLIC_URL), new URL(config.FRONTEND_URL)]
  if (own.protocol !== front.protocol) return true
  const shared = commonLabels(own.hostname, front.hostname)
  return own.hostname !== front.hostname && shared < 2
}

function commonLabels(left: string, right: string): number {
  const [one, other] = [left.split('.').reverse(), right.split('.').reverse()]
  const different = one.findIndex((label, index) => label !== other[index])
  return different === -1 ? one.length : different
}
