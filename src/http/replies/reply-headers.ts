import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/load.ts'
import type { LimitState } from '../../lib/errors.ts'

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * Pages of our own: nothing from elsewhere, scripts and styles only with the page's nonce, forms only to ourselves.
 * Browsers apply form-action to the redirect that follows a form too, so the front end is named when it lives elsewhere.
 */
const pagePolicy = (nonce: string, redirectTargets: readonly string[]): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}' 'strict-dynamic'; img-src 'self' data:; connect-src 'self'; ` +
  `frame-src 'self'; form-action ${["'self'", ...redirectTargets].join(' ')}; frame-ancestors 'none'; base-uri 'none'`

/** The headers of every reply, to be written in one call: separate calls cost a tenth of the hot path each. */
export function replyHeaders(config: Config) {
  const always = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'Origin, Cookie',
    'content-security-policy': apiPolicy,
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'no-store',
    ...(config.PUBLIC_URL.startsWith('https:') && {
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    }),
  }
  const alwaysList = Object.entries(always).flat()
  return {
    headers: (requestId: string, limit: LimitState) => ({
      ...always,
      'x-request-id': requestId,
      'x-ratelimit-limit': limit.limit,
      'x-ratelimit-remaining': limit.remaining,
      'x-ratelimit-reset': limit.resetsAt,
    }),
    /** The same, names and values in turn. */
    headerList: (requestId: string, limit: LimitState): string[] => [
      ...alwaysList,
      'x-request-id',
      requestId,
      'x-ratelimit-limit',
      `${limit.limit}`,
      'x-ratelimit-remaining',
      `${limit.remaining}`,
      'x-ratelimit-reset',
      `${limit.resetsAt}`,
    ],
  }
}

/** Of several limits that were counted, the one with the fewest attempts left is shown. */
export function showScarcer(reply: FastifyReply, limit: LimitState): void {
  if (Number(reply.getHeader('x-ratelimit-remaining')) <= limit.remaining) return
  reply.headers({
    'x-ratelimit-limit': limit.limit,
    'x-ratelimit-remaining': limit.remaining,
    'x-ratelimit-reset': limit.resetsAt,
  })
}

/** The HTML variant: called by page routes after the common headers. */
export function pageHeaders(reply: FastifyReply, nonce: string, redirectTargets: readonly string[]): void {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(nonce, redirectTargets),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  })
}

/** For programs that save what they get: browsers show nothing of it. */
export const attachmentHeaders = (reply: FastifyReply, file: string): FastifyReply =>
  reply.header('content-disposition', `attachment; filename="${file}"`)

/** The owner's own picture. An SVG that somebody opens alone is a document: nothing in it can run or load. */
export function logoHeaders(reply: FastifyReply, type: string, isNamedByContent: boolean): void {
  reply.headers({
    'content-type': type,
    // Mails show it, too, and web mail programs are other sites.
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
  })
}

/** A picture that we made ourselves: any page may show it, nothing in it can run, and it never changes. */
export function pictureHeaders(reply: FastifyReply, file: string): void {
  reply.headers({
    'content-type': 'image/webp',
    'content-disposition': `inline; filename="${file}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    // A file never changes, but caches must not show the picture of a deleted user for long.
    'cache-control': 'public, max-age=86400, immutable',
  })
}
