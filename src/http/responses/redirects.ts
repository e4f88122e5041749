import type { Config } from '../../config/load.ts'
import { hasDisguisedSegment } from '../../lib/client-text.ts'

type Targets = Pick<Config, 'ALLOWED_REDIRECTS' | 'FRONTEND_URL' | 'PUBLIC_URL'>

/** Returns the URL as serialized by the parser, because another parser could interpret the input differently. */
export function allowedReturnAddress(config: Targets, input: string | undefined): string | undefined {
  if (input === undefined || input.length > maxAddressLength || suspect.test(input)) return undefined
  const url = URL.parse(input)
  if (!url || url.username || url.password || url.href.length > maxAddressLength) return undefined
  const isAllowed = isWeb(url.protocol) ? isAllowedPage(config, url) : isAllowedScheme(config, url)
  return isAllowed ? url.href : undefined
}

export const maxAddressLength = 2048

// These characters have misled parsers. Quotes and angle brackets would end a mailed link. Valid URLs can contain them
// in escaped form.
const suspect = /[\s\p{C}\\<>"'`]/u

function isAllowedPage({ ALLOWED_REDIRECTS, FRONTEND_URL, PUBLIC_URL }: Targets, url: URL): boolean {
  const own = new URL(PUBLIC_URL).origin
  // API routes are not pages, and some have side effects on GET.
  if (url.origin === own && isOfApi(url.pathname)) return false
  if (url.origin === own || url.origin === new URL(FRONTEND_URL).origin) return true
  return ALLOWED_REDIRECTS.some((entry) => entry === url.origin || isBelow(url, entry))
}

const isOfApi = (path: string): boolean => /^\/+(auth|api)(\/|$)/i.test(decoded(path))

/** Decodes paths as the router does. The router responds to invalid paths with 404. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Compares complete segments, and rejects encoded dots and slashes, which servers may decode to `/../`. */
function isBelow({ origin, pathname }: URL, entry: string): boolean {
  if (!entry.startsWith(`${origin}/`) || hasDisguisedSegment(pathname)) return false
  const prefix = entry.slice(origin.length)
  return pathname === prefix || pathname.startsWith(`${prefix}/`)
}

const isAllowedScheme = ({ ALLOWED_REDIRECTS }: Targets, { protocol, href }: URL): boolean =>
  ALLOWED_REDIRECTS.includes(`${protocol}//`) && href.startsWith(`${protocol}//`)

export function shownOrigin(address: string): string {
  const { origin, protocol, host } = new URL(address)
  return origin === 'null' ? `${protocol}//${host}` : origin
}

/** A long host name is truncated at the start because its end identifies the owner. */
export function shownApplication(address: string): string {
  const { protocol, host } = new URL(address)
  const name = isWeb(protocol) ? host : protocol.slice(0, -1)
  if (name.length <= maxShownLength) return name
  const end = name.slice(1 - maxShownLength)
  // The name is cut at a dot because a partial label could be mistaken for another name.
  return `…${end.slice(end.indexOf('.') + 1)}`
}

const maxShownLength = 60

const isWeb = (protocol: string): boolean => protocol === 'https:' || protocol === 'http:'

/** The target of a mailed link. A token will be appended, so the target must not already contain one. */
export function mailTarget(config: Targets, input: string | undefined): string | undefined {
  const address = allowedReturnAddress(config, input)
  return address && !new URL(address).searchParams.has('token') ? address : undefined
}

export const withToken = (target: string, token: string): string => withQuery(target, { token })

export function withQuery(target: string, members: Record<string, string | undefined>): string {
  const input = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (input.length === 0) return target
  const [address = '', ...fragment] = target.split('#')
  const joined = `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(input)}`
  return [joined, ...fragment].join('#')
}
