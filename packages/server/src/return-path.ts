/**
 * The absolute URL of a local page, or undefined for any other URL. The URL is absolute because a path such as
 * `/.//evil.example` in a Location header would lead to another host.
 */
export function localAddress(appUrl: string, given: string | undefined): string | undefined {
  // Browsers ignore control characters and treat a backslash as a slash.
  if (!given || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given) || given.length > 2000) return undefined
  try {
    const url = new URL(given, appUrl)
    return url.origin === appUrl && !url.pathname.startsWith('//') ? url.href : undefined
  } catch {
    return undefined
  }
}
