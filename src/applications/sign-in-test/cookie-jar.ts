import { isLocal } from '../application-set.ts'

/** Stores cookies as a browser does (RFC 6265, section 5), except for SameSite, which concerns other sites' pages. */
export interface CookieJar {
  store(url: URL, setCookies: readonly string[]): void
  /** The value of the Cookie header. Undefined if no cookie is sent to this URL. */
  headerFor(url: URL): string | undefined
}

interface Cookie {
  name: string
  value: string
  domain: string
  isHostOnly: boolean
  path: string
  isSecure: boolean
}

const maxCookies = 50

export function createCookieJar(now: () => number): CookieJar {
  const cookies = new Map<string, Cookie>()
  return {
    store(url, setCookies) {
      for (const text of setCookies) {
        const read = readSetCookie(url, text)
        if (!read) continue
        const key = `${read.name};${read.domain};${read.path}`
        cookies.delete(key)
        if (!hasEnded(attributesIn(text), now()) && cookies.size < maxCookies) cookies.set(key, read)
      }
    },
    headerFor(url) {
      const sent = [...cookies.values()].filter((cookie) => isSentTo(cookie, url))
      return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ')
    },
  }
}

function readSetCookie(url: URL, text: string): Cookie | undefined {
  const [pair = ''] = text.split(';', 1)
  const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
  const attributes = attributesIn(text)
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase()
  const path = attributes.get('path')
  const cookie: Cookie = {
    name,
    value,
    domain: domain || url.hostname,
    isHostOnly: !domain,
    path: path?.startsWith('/') ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
    isSecure: attributes.has('secure'),
  }
  return name !== '' && isAccepted(cookie, url) ? cookie : undefined
}

function isAccepted(cookie: Cookie, url: URL): boolean {
  if (!isBelowDomain(url.hostname, cookie) || (cookie.isSecure && !isTrustworthy(url))) return false
  if (cookie.name.startsWith('__Secure-')) return cookie.isSecure
  return !cookie.name.startsWith('__Host-') || (cookie.isSecure && cookie.isHostOnly && cookie.path === '/')
}

const isSentTo = (cookie: Cookie, url: URL): boolean =>
  isBelowDomain(url.hostname, cookie) &&
  isBelowPath(url.pathname, cookie.path) &&
  (!cookie.isSecure || isTrustworthy(url))

const isBelowDomain = (host: string, { domain, isHostOnly }: Cookie): boolean =>
  host === domain || (!isHostOnly && host.endsWith(`.${domain}`))

const isBelowPath = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)

/** Browsers accept secure cookies from the same machine even over HTTP. */
const isTrustworthy = (url: URL): boolean => url.protocol === 'https:' || isLocal(url)

function attributesIn(text: string): Map<string, string> {
  const parts = text.split(';').slice(1)
  return new Map(
    parts.map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()]
    }),
  )
}

function hasEnded(attributes: ReadonlyMap<string, string>, now: number): boolean {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined) return Number(maxAge) <= 0
  return Date.parse(attributes.get('expires') ?? '') <= now
}
