import { bool, isOrigin, list, origins, Problem, ranges } from '../kinds.ts'

const redirectTarget = (item: string) => {
  const isAppScheme =
    /^[a-z][a-z0-9+.-]{1,40}:\/\/$/.test(item) && !/^(https?|javascript|data|file|blob|vbscript):/.test(item)
  return isOrigin(item) || isAppScheme
    ? item
    : new Problem(`"${item}" is neither an origin nor an app scheme such as myapp://`)
}

export const clients = {
  CLIENT_COMPAT: bool(false, 'answers carry the additional members that older clients read'),
  CORS_ORIGINS: origins('further origins whose pages may call the API'),
  ALLOWED_REDIRECTS: list('origins and app schemes (myapp://) that links may lead to', redirectTarget),
  TRUSTED_PROXIES: ranges('proxies whose X-Forwarded-For is believed'),
} as const
