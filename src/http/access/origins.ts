import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config/load.ts'
import type { Context } from '../../context.ts'

export interface AllowedOrigins {
  has(origin: string): boolean
  /** Whether pages on this origin may also administer the service. */
  mayAdminister(origin: string): boolean
}

/**
 * Origins are compared exactly. `null` and `*` are never allowed. Those of stored applications may not administer the
 * service, because they are added more easily than those of the settings.
 */
export function allowedOrigins({ config, applications }: Pick<Context, 'config' | 'applications'>): AllowedOrigins {
  const declared = new Set([config.PUBLIC_URL, config.FRONTEND_URL].map((address) => new URL(address).origin))
  for (const origin of config.CORS_ORIGINS) declared.add(origin)
  return {
    has: (origin) => declared.has(origin) || applications.current().ofOrigin(origin)?.isEnabled === true,
    mayAdminister: (origin) => declared.has(origin),
  }
}

/** Whether the request comes from a page that may call the API for its users, but not administer the service. */
export const isOnlyForUsers = ({ origin }: IncomingHttpHeaders, allowed: AllowedOrigins): boolean =>
  origin !== undefined && allowed.has(origin) && !allowed.mayAdminister(origin)

/** CSRF check. Browsers that omit Origin send Sec-Fetch-Site (W3C Fetch Metadata). */
export function comesFromOurPages(headers: IncomingHttpHeaders, allowed: AllowedOrigins): boolean {
  if (headers.origin !== undefined) return allowed.has(headers.origin)
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * Browsers send no Origin when following a link, so the Referer is checked. Older browsers do not send Sec-Fetch-Site
 * either: without a Referer, which the service's own pages do not send, their links are accepted.
 */
export function isLinkOfOurs(headers: IncomingHttpHeaders, allowed: AllowedOrigins): boolean {
  const isFromOurs = allowed.has(URL.parse(headers.referer ?? '')?.origin ?? '')
  const saysMore = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
  if (headers.referer !== undefined && !saysMore) return isFromOurs
  return isFromOurs || comesFromOurPages(headers, allowed)
}

/**
 * The service's pages send no referrer, so their forms are sent with "Origin: null". Scripts cannot set Sec-Fetch-Site.
 */
export const isOwnForm = (headers: IncomingHttpHeaders, { PUBLIC_URL }: Config): boolean =>
  headers['sec-fetch-site'] === undefined
    ? headers.origin === new URL(PUBLIC_URL).origin
    : headers['sec-fetch-site'] === 'same-origin'

const grantedHeaders = [
  'Content-Type',
  'Accept',
  'Authorization',
  'Cache-Control',
  'X-Session-ID',
  'X-Bridge-Secret',
  'X-OAuth-Flow',
  'X-Post-Password',
  'X-Requested-With',
].join(', ')
const exposedHeaders = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id'

export const corsHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': exposedHeaders,
})

/** For public documents. Browsers neither send credentials nor accept the response to a request with credentials. */
export const anyOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}

export const anyOriginPreflightHeaders = {
  ...anyOriginHeaders,
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*',
  'access-control-max-age': '600',
}

export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': grantedHeaders,
  'access-control-max-age': '600',
}
