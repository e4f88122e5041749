import { hasDisguisedSegment } from '../../lib/web-address.ts'
import { bool, isOrigin, list, origins, Problem, ranges } from '../kinds.ts'

const redirectTarget = (item: string) => {
  const isAppScheme =
    /^[a-z][a-z0-9+.-]{1,40}:\/\/$/.test(item) && !/^(https?|javascript|data|file|blob|vbscript):/.test(item)
  if (isAppScheme || isOrigin(item)) return item
  return (
    originWithPath(item) ??
    new Problem(
      `"${item}" is neither an origin (https://app.example.com), an origin with a path (https://example.com/app) nor an app scheme (myapp://)`,
    )
  )
}

/** A path prefix as browsers write it. A slash at its end changes nothing. */
function originWithPath(item: string): string | undefined {
  const url = URL.parse(item)
  if (!url || url.href !== item || !isOrigin(url.origin) || url.href !== url.origin + url.pathname) return undefined
  if (url.pathname.includes('*') || url.pathname.includes('//') || hasDisguisedSegment(url.pathname)) return undefined
  return item.replace(/\/$/, '')
}

export const clients = {
  CLIENT_COMPAT: bool(false, 'answers carry the additional members that older clients read'),
  CORS_ORIGINS: origins('further origins whose pages may call the API'),
  ALLOWED_REDIRECTS: list(
    'where return_to and links in mails may lead besides PUBLIC_URL and FRONTEND_URL: origins, origins with a path prefix, app schemes (myapp://)',
    redirectTarget,
  ),
  TRUSTED_PROXIES: ranges('proxies whose X-Forwarded-For is believed'),
} as const
