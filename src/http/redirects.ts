import type { Config } from '../config/load.ts'

/**
 * Where a link in a message may lead instead of the default: an origin or an app scheme of ALLOWED_REDIRECTS, or the
 * front end. Undefined for every other wish, which is then ignored. What comes back is the address as it was understood
 * here, not the text of the request: programs that read addresses differently have nothing left to differ about.
 */
export function allowedTarget(
  { ALLOWED_REDIRECTS, FRONTEND_URL }: Pick<Config, 'ALLOWED_REDIRECTS' | 'FRONTEND_URL'>,
  wish: string | undefined,
): string | undefined {
  const url = wish !== undefined && wish.length <= 2048 && !suspect.test(wish) && URL.parse(wish)
  if (!url || url.username || url.password || url.searchParams.has('token')) return undefined
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  // A blob: address has the origin of the page that made it, so only those of the web are asked for theirs.
  const place = isWeb ? url.origin : `${url.protocol}//`
  const allowed = [...ALLOWED_REDIRECTS, new URL(FRONTEND_URL).origin]
  return allowed.includes(place) && url.href.startsWith(place) ? url.href : undefined
}

// No address needs these unescaped, and each has misled a parser. The quotes and brackets would end it in a mail.
const suspect = /[\s\p{C}\\<>"'`]/u

/** The address with the one-time secret in its query, before any fragment. */
export function withToken(target: string, token: string): string {
  const [address = '', ...fragment] = target.split('#')
  const joined = `${address}${address.includes('?') ? '&' : '?'}token=${token}`
  return [joined, ...fragment].join('#')
}
