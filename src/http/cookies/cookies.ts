/** Parses a Cookie header (RFC 6265, 4.2.1). Must be fast, because it runs for every gateway request. */
export function readCookies(header: string | undefined, name: string): string[] {
  const values: string[] = []
  if (header === undefined) return values
  const prefix = `${name}=`
  for (const part of header.split(';')) {
    const pair = part.trim()
    if (pair.startsWith(prefix)) values.push(unquoted(pair.slice(prefix.length)))
  }
  return values
}

const unquoted = (value: string): string => (value.startsWith('"') ? value.replace(/^"(.*)"$/, '$1') : value)

/** Returns undefined if the cookies have different values, because it is unclear which one is valid. */
export function onlyCookie(header: string | undefined, name: string): string | undefined {
  const values = readCookies(header, name)
  return values.every((value) => value === values[0]) ? values[0] : undefined
}

interface CookieAttributes {
  sameSite: 'Lax' | 'Strict' | 'None'
  secure: boolean
  /** In seconds; 0 deletes the cookie. */
  maxAge: number
  /** If set, browsers send the cookie to all hosts in the domain; otherwise, only to this host. */
  domain?: string | undefined
}

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
