/** Every value that a Cookie header gives for one name (RFC 6265, 4.2.1), in order. Gateways ask this for every request. */
export function readCookies(header: string | undefined, name: string): string[] {
  const values: string[] = []
  const prefix = `${name}=`
  for (const part of header?.split(';') ?? []) {
    const pair = part.trim()
    if (pair.startsWith(prefix)) values.push(unquoted(pair.slice(prefix.length)))
  }
  return values
}

const unquoted = (value: string): string => (value.startsWith('"') ? value.replace(/^"(.*)"$/, '$1') : value)

/** The one value of a cookie. Two different ones are none: nobody can say which of them the browser's owner meant. */
export function onlyCookie(header: string | undefined, name: string): string | undefined {
  const [value, ...others] = readCookies(header, name)
  return others.every((other) => other === value) ? value : undefined
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
