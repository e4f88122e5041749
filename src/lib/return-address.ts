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
  return isAppScheme(text) || isOrigin(text) ? text : originWithPath(text)
}

const isAppScheme = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]{1,40}:\/\/$/.test(text) && !generalSchemes.has(text.slice(0, -3))

/** These schemes of browsers and operating systems lead to any host or app, so they identify no application. */
const generalSchemes = new Set([
  ...['http', 'https', 'ws', 'wss', 'ftp', 'file', 'filesystem', 'blob', 'data', 'javascript', 'vbscript'],
  ...['about', 'view-source', 'chrome', 'chrome-extension', 'moz-extension', 'googlechrome', 'googlechromes'],
  ...['microsoft-edge', 'intent', 'android-app', 'mailto', 'tel', 'sms'],
])

function originWithPath(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || url.href !== text || !isOrigin(url.origin) || url.href !== url.origin + url.pathname) return undefined
  if (url.pathname.includes('*') || url.pathname.includes('//') || hasDisguisedSegment(url.pathname)) return undefined
  return text.replace(/\/$/, '')
}
