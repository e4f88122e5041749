/** All cookie values with this name. There are several if cookies for different paths or hosts are sent together. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (!header?.includes(name)) return []
  return readCookies(header).flatMap(([known, value]) => (known === name ? [value] : []))
}

export function readCookies(header: string | undefined): [name: string, value: string][] {
  return (header ?? '').split(';').flatMap((pair): [string, string][] => {
    const equals = pair.indexOf('=')
    return equals < 1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]]
  })
}

export interface CookieOptions {
  isSecure: boolean
  /** Seconds; 0 removes the cookie. */
  maxAge: number
}

/** Hidden from scripts, and not sent from other sites except when a link is followed. */
export const writeCookie = (name: string, value: string, { isSecure, maxAge }: CookieOptions): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
