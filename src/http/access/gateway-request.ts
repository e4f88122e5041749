import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { namesHtml } from '../responses/wants-page.ts'

const maxLength = 2048

/** The page as the gateway describes it. With a prefix, the rest of the path is the page's path. */
function sentPage({ headers, raw }: FastifyRequest, prefix: string | undefined) {
  const textIn = (name: string) => textOf(headers, name)
  return {
    own: textIn('x-original-url'),
    proto: textIn('x-forwarded-proto') ?? 'https',
    host: textIn('x-forwarded-host') ?? headers.host ?? '',
    requested: prefix === undefined ? textIn('x-forwarded-uri') : (raw.url ?? '').slice(prefix.length),
  }
}

/**
 * The result is not trustworthy, because a gateway may forward `X-Original-URL` and `X-Forwarded-*` headers that a
 * visitor sent.
 */
export function originalAddress(request: FastifyRequest, prefix: string | undefined): string | undefined {
  const { own, proto, host, requested } = sentPage(request, prefix)
  const input = own ?? (requested?.startsWith('/') ? `${proto}://${host}${requested}` : undefined)
  const url = input !== undefined && input.length <= maxLength ? URL.parse(input) : null
  return url && /^https?:$/.test(url.protocol) && url.href.length <= maxLength ? url.href : undefined
}

/**
 * All pages that the headers may mean, without queries, because a visitor may have sent some of the headers. Undefined if
 * one of them cannot be read.
 */
export function visitedPages(request: FastifyRequest, prefix: string | undefined): URL[] | undefined {
  const { own, proto, host, requested } = sentPage(request, prefix)
  // RFC 9112, section 3.2.2: a request may name the complete URL.
  const composed = requested?.startsWith('/') ? `${firstOf(proto)}://${firstOf(host)}${requested}` : requested
  const pages = [own, composed || undefined].filter((text) => text !== undefined).map(pageIn)
  return pages.every((page) => page !== undefined) ? pages : undefined
}

/** A list, to which each proxy appends, begins with the visitor's value. */
const firstOf = (list: string): string => list.split(',', 1)[0]!.trim()

function pageIn(text: string): URL | undefined {
  const page = URL.parse(text.split(/[?#]/, 1)[0]!.replace(/^ws/i, 'http'))
  return page && /^https?:$/.test(page.protocol) ? page : undefined
}

/** Only navigations are redirected. Scripts could not use the sign-in page. */
export function isNavigation(request: FastifyRequest): boolean {
  const { headers, method } = request
  const requested = textOf(headers, 'x-forwarded-method') ?? textOf(headers, 'x-original-method') ?? method
  if (requested !== 'GET') return false
  const mode = textOf(headers, 'sec-fetch-mode')
  return mode === undefined ? namesHtml(request) : mode === 'navigate'
}

/** Gateways that cannot redirect ask the service to do so. */
export const asksForRedirect = ({ headers, query }: FastifyRequest, ownQuery: boolean): boolean =>
  textOf(headers, 'x-auth-redirect') === 'true' || (ownQuery && (query as { redirect?: unknown }).redirect === true)

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
