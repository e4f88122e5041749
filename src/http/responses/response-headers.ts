import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/load.ts'
import type { LimitState } from '../../lib/errors.ts'

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Browsers also apply form-action to redirects after a form submission, so the redirect targets are listed. */
const pagePolicy = (nonce: string, redirectTargets: readonly string[]): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}' 'strict-dynamic'; img-src 'self' data:; connect-src 'self'; ` +
  `frame-src 'self'; form-action ${["'self'", ...redirectTargets].join(' ')}; frame-ancestors 'none'; base-uri 'none'`

/** All headers are written in one call, because each additional call would make a hot-path request about 10% slower. */
export function responseHeaders(config: Config) {
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
    /** Returns alternating names and values. */
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

export function showScarcer(reply: FastifyReply, limit: LimitState): void {
  if (Number(reply.getHeader('x-ratelimit-remaining')) <= limit.remaining) return
  reply.headers({
    'x-ratelimit-limit': limit.limit,
    'x-ratelimit-remaining': limit.remaining,
    'x-ratelimit-reset': limit.resetsAt,
  })
}

export function pageHeaders(reply: FastifyReply, nonce: string, redirectTargets: readonly string[]): void {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(nonce, redirectTargets),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  })
}

/** For message previews, which run no scripts, load only this service's images, and are shown only on its pages. */
export function framedHeaders(reply: FastifyReply): void {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'; form-action 'none'; " +
      "base-uri 'none'; sandbox",
  })
}

/** For cacheable documents, which have no nonce: only the style and script with these hashes are allowed. */
export function sharedPageHeaders(
  reply: FastifyReply,
  { style, script, images }: { style: string; script: string | undefined; images: readonly string[] },
): void {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src '${style}'; script-src ${script ? `'${script}'` : "'none'"}; ` +
      `img-src ${["'self'", 'data:', ...images].join(' ')}; connect-src 'self'; form-action 'self'; ` +
      `frame-ancestors 'none'; base-uri 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  })
}

export const attachmentHeaders = (reply: FastifyReply, file: string): FastifyReply =>
  reply.header('content-disposition', `attachment; filename="${file}"`)

/** An SVG that is opened directly must not execute or load anything. */
export function logoHeaders(reply: FastifyReply, type: string, isNamedByContent: boolean): void {
  reply.headers({
    'content-type': type,
    // Webmail services embed the logo in pages of a different site.
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox",
    'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
  })
}

/** For public files about the service, which browsers also read for pages of other sites. */
export const sharedFileHeaders = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'public, max-age=3600' })

/** A stored picture file never changes, so it can be cached. */
export function pictureHeaders(reply: FastifyReply, file: string): void {
  reply.headers({
    'content-type': 'image/webp',
    'content-disposition': `inline; filename="${file}"`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    // The lifetime is one day so that caches do not keep showing deleted users' pictures.
    'cache-control': 'public, max-age=86400, immutable',
  })
}
