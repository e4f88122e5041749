import { hasDisguisedSegment } from './client-text.ts'

/**
 * Whether the URL is at or below an entry of an origin and a path prefix. Compares complete segments, and rejects
 * encoded dots and slashes, which servers may decode to `/../`.
 */
export function isBelow({ origin, pathname }: URL, entry: string): boolean {
  if (entry === origin) return true
  if (!entry.startsWith(`${origin}/`) || hasDisguisedSegment(pathname)) return false
  const prefix = entry.slice(origin.length)
  return pathname === prefix || pathname.startsWith(`${prefix}/`)
}

/** Accepts only the exact form that browsers send, without wildcards. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && isWeb(url.protocol) && url.origin === text && !text.includes('*')
}

export const isWeb = (protocol: string): boolean => protocol === 'https:' || protocol === 'http:'

/**
 * Reads an origin (`https://app.example.com`), an origin with a path prefix (`https://example.com/app`) or an app scheme
 * (`myapp://`). Returns undefined for anything else.
 */
export function returnAddressIn(text: string): string | undefined {
  return isAppScheme(text) ? text : webAddressIn(text)
}

/** The reverse of a domain (`com.example.app://`, RFC 8252, section 7.1), or a plain name that is not a general one. */
const isAppScheme = (text: string): boolean => {
  const [, scheme] = /^([a-z][a-z0-9+.-]{1,40}):\/\/$/.exec(text) ?? []
  if (scheme === undefined) return false
  if (scheme.includes('.')) return /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/.test(scheme)
  return !generalSchemes.has(scheme) && !ofSystem.test(scheme)
}

/** These schemes of browsers and operating systems lead to any host or app, so they identify no application. */
const generalSchemes = new Set([
  ...['http', 'https', 'ws', 'wss', 'ftp', 'sftp', 'file', 'filesystem', 'blob', 'data', 'javascript', 'vbscript'],
  ...['about', 'view-source', 'jar', 'resource', 'mhtml', 'feed', 'ldap', 'ldaps', 'smb', 'ssh', 'telnet', 'intent'],
  ...[
    'googlechrome',
    'googlechromes',
    'microsoft-edge',
    'firefox',
    'mailto',
    'tel',
    'sms',
    'facetime',
    'callto',
    'sip',
  ],
  ...['android-app', 'market', 'shortcuts', 'search', 'search-ms'],
])

const ofSystem = /^(ms|chrome|moz|safari|itms|x-apple|web)([+-]|$)/

function webAddressIn(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !isWeb(url.protocol) || url.origin.includes('*')) return undefined
  if (url.origin === text) return text
  if (url.href !== text || url.href !== url.origin + url.pathname) return undefined
  if (url.pathname.includes('*') || url.pathname.includes('//') || hasDisguisedSegment(url.pathname)) return undefined
  return text.replace(/\/$/, '')
}
