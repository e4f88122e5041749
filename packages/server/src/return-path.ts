/**
 * The absolute address of a local page, or undefined when the text leads anywhere else. What is returned is the parsed
 * address: a relative one such as `/.//evil.example` would lead to another host once it stands in a Location header.
 */
export function localAddress(appUrl: string, given: string | undefined): string | undefined {
  // Browsers skip control characters and take a backslash for a slash.
  if (!given || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given) || given.length > 2000) return undefined
  try {
    const url = new URL(given, appUrl)
    return url.origin === appUrl && !url.pathname.startsWith('//') ? url.href : undefined
  } catch {
    return undefined
  }
}
