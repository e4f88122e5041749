/** Every value that a Cookie header gives for one name (RFC 6265, 4.2.1), in order. */
export function readCookies(header: string | undefined, name: string): string[] {
  if (!header) return []
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1'))
}

/** The one value of a cookie. Two different ones are none: nobody can say which of them the browser's owner meant. */
export function onlyCookie(header: string | undefined, name: string): string | undefined {
  const values = new Set(readCookies(header, name))
  return values.size === 1 ? [...values][0] : undefined
}

interface CookieAttributes {
  sameSite: 'Lax' | 'Strict' | 'None'
  secure: boolean
  /** Seconds; 0 removes the cookie. */
  maxAge: number
  /** Every host at or below it gets the cookie; without it, this host alone. */
  domain?: string | undefined
}

/** Always HttpOnly, always for every path. */
export function writeCookie(name: string, value: string, attributes: CookieAttributes): string {
  const { sameSite, secure, maxAge, domain } = attributes
  const parts = [
    `${name}=${value}`,
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    'Path=/',
    `Max-Age=${Math.max(0, Math.floor(maxAge))}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
  ]
  return (secure ? [...parts, 'Secure'] : parts).join('; ')
}
