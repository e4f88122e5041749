import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config/load.ts'

/** The origins whose pages may call us with credentials; compared exactly, never `null` or `*`. */
export const allowedOrigins = (config: Config): ReadonlySet<string> =>
  new Set([new URL(config.PUBLIC_URL).origin, new URL(config.FRONTEND_URL).origin, ...config.CORS_ORIGINS])

/**
 * Whether a request that a browser authenticates by cookie comes from a page of ours. Old browsers send no Origin with
 * some requests; those that send Sec-Fetch-Site then say it there (W3C Fetch Metadata).
 */
export function comesFromOurPages(headers: IncomingHttpHeaders, allowed: ReadonlySet<string>): boolean {
  if (headers.origin !== undefined) return allowed.has(headers.origin)
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * The same for an address that a person follows, which has no Origin: browsers name the page that led there as Referer,
 * unless that page keeps it to itself.
 */
export const isLinkOfOurs = (headers: IncomingHttpHeaders, allowed: ReadonlySet<string>): boolean =>
  comesFromOurPages(headers, allowed) || allowed.has(URL.parse(headers.referer ?? '')?.origin ?? '')

/**
 * Whether a browser sent a form from a page of this very origin. Our pages send no referrer, and forms of such pages have
 * the origin "null": what tells is Sec-Fetch-Site, which pages cannot set. Without either header nobody vouches for it.
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

/** What an allowed origin is granted; other origins get no header at all. */
export const corsHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': exposedHeaders,
})

export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': grantedHeaders,
  'access-control-max-age': '600',
}
