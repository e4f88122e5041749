import { hasDisguisedSegment } from '../../lib/client-text.ts'
import { bool, list, SettingProblem } from '../kinds.ts'
import { isOrigin, origins, ranges } from '../url-kinds.ts'

const redirectTarget = (item: string) => {
  const isAppScheme =
    /^[a-z][a-z0-9+.-]{1,40}:\/\/$/.test(item) && !/^(https?|javascript|data|file|blob|vbscript):/.test(item)
  if (isAppScheme || isOrigin(item)) return item
  return (
    originWithPath(item) ??
    new SettingProblem(
      `"${item}" is neither an origin (https://app.example.com), an origin with a path (https://example.com/app) nor an app scheme (myapp://)`,
    )
  )
}

function originWithPath(item: string): string | undefined {
  const url = URL.parse(item)
  if (!url || url.href !== item || !isOrigin(url.origin) || url.href !== url.origin + url.pathname) return undefined
  if (url.pathname.includes('*') || url.pathname.includes('//') || hasDisguisedSegment(url.pathname)) return undefined
  return item.replace(/\/$/, '')
}

export const clientSettings = {
  CLIENT_COMPAT: bool(
    false,
    'enable compatibility with older clients, such as additional camelCase members in responses',
  ),
  CORS_ORIGINS: origins('additional origins whose pages are allowed to call the API'),
  ALLOWED_REDIRECTS: list(
    'addresses of your applications, to which sign-in and email links may lead; origins, origins with a path prefix, and app schemes (myapp://), in addition to PUBLIC_URL and FRONTEND_URL',
    redirectTarget,
  ),
  TRUSTED_PROXIES: ranges('proxies whose X-Forwarded-For header is trusted'),
} as const
