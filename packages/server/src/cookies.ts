/** The values of all cookies with this name. Browsers can send several, set for different paths or domains. */
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
  /** In seconds. 0 removes the cookie. */
  maxAge: number
}

/** Scripts cannot read the cookie. Browsers send it with cross-site requests only for top-level GET navigations. */
export const writeCookie = (name: string, value: string, { isSecure, maxAge }: CookieOptions): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
