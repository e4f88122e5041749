import { localAddress } from './return-path.ts'

/** Headers from the Fetch API or from Node.js. */
export type HeadersLike = { get(name: string): string | null } | { [name: string]: string | string[] | undefined }

interface Sent {
  headers: HeadersLike
  method?: string | undefined
  /** The requested URL. Express and Koa modify `url` during routing. */
  originalUrl?: string | undefined
  url?: string | undefined
  /** Names and values in turn. Node.js keeps only the first of several `Authorization` headers in `headers`. */
  rawHeaders?: readonly string[] | undefined
  socket?: { remoteAddress?: string | undefined } | null | undefined
}

/**
 * A request from any supported framework: a Fetch `Request`, an `IncomingMessage`, an Express or Fastify request, a Koa
 * or Hono context, or just `{ headers }`.
 */
export type RequestLike = Sent | { req: RequestLike } | { raw: RequestLike }

/** The parts of a request that this package reads. */
export interface Incoming {
  /** Undefined for `{ headers }`, which may come from a request that changes data. */
  method: string | undefined
  /** The path and query of the requested URL. */
  target: string
  header(name: string): string | undefined
  /** The values of all `Authorization` headers. */
  authorizations: readonly string[]
  /** The address of the connection. Undefined for a Fetch `Request`, and empty if the connection is closed. */
  peer: string | undefined
}

export function readRequest(request: RequestLike): Incoming {
  const sent = sentOf(request)
  return {
    method: sent.method?.toUpperCase(),
    target: targetOf(sent.originalUrl ?? sent.url ?? '/'),
    header: (name) => headerOf(sent.headers, name),
    authorizations: authorizationsOf(sent),
    // A closed connection has no address.
    peer: sent.socket ? (sent.socket.remoteAddress ?? '') : undefined,
  }
}

export const searchOf = ({ target }: Incoming): URLSearchParams =>
  new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '')

export const pathOf = ({ target }: Incoming): string => target.split(/[?#]/, 1)[0]!

/** Whether a browser is opening a page or submitting a form, as opposed to a script requesting data. */
export function isNavigation({ header }: Incoming): boolean {
  const mode = header('sec-fetch-mode')
  return mode === undefined ? /\btext\/html\b/.test(header('accept') ?? '') : mode === 'navigate'
}

/** A redirect to another page would lose the content of a form, so only requests that open a page can be redirected. */
export const opensPage = (request: Incoming): boolean =>
  ['GET', 'HEAD', undefined].includes(request.method) && isNavigation(request)

/** The absolute URL of the page of this application whose form was submitted. */
export function formPageOf(appUrl: string | undefined, { method, header }: Incoming): string | undefined {
  const referer = header('referer')
  if (['GET', 'HEAD', undefined].includes(method) || !appUrl || !referer?.startsWith(`${appUrl}/`)) return undefined
  return localAddress(appUrl, referer.slice(appUrl.length))
}

/**
 * Whether a page on an allowed origin sent the request. Checks Sec-Fetch-Site first because forms on pages with the
 * `no-referrer` policy have the origin `null`. Accepts a request that has neither this header nor `Origin`, because all
 * current browsers send at least one of them.
 */
export function comesFromOwnPages({ header }: Incoming, origins: ReadonlySet<string>): boolean {
  const [site, origin] = [header('sec-fetch-site'), header('origin')]
  if (site === 'same-origin' || site === 'none') return true
  return origin === undefined ? site === undefined : origins.has(origin)
}

/**
 * Whether the user followed a link. If the method is unknown, `Origin` distinguishes a link from a form because
 * browsers send `Origin` with every POST request from a form.
 */
export const followsLink = ({ header }: Incoming): boolean =>
  header('sec-fetch-mode') === 'navigate' && header('origin') === undefined

function sentOf(request: RequestLike): Sent {
  if ('headers' in request && request.headers) return request
  if ('raw' in request) return sentOf(request.raw)
  if ('req' in request) return sentOf(request.req)
  throw new TypeError('Wardenry: this is not a request, because it has no headers')
}

function authorizationsOf({ headers, rawHeaders = [] }: Sent): string[] {
  const raw = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')
  const read = headerOf(headers, 'authorization')
  return read === undefined ? raw : [...raw, read]
}

/** A Fetch `Request` contains an absolute URL, whose host is not used. */
const targetOf = (url: string): string => (url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/')

export function headerOf(headers: HeadersLike, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : undefined
}
