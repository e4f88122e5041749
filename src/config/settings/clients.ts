import { returnAddressIn } from '../../lib/return-address.ts'
import { bool, integer, list, SettingProblem } from '../kinds.ts'
import { origins, ranges } from '../url-kinds.ts'

const redirectTarget = (item: string) =>
  returnAddressIn(item) ??
  new SettingProblem(
    `"${item}" is neither an origin (https://app.example.com), an origin with a path (https://example.com/app) nor an app scheme (myapp://)`,
  )

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
  APPLICATIONS_MAX: integer(1_000, 0, 10_000, 'maximum number of applications that are stored in the database'),
  TRUSTED_PROXIES: ranges('proxies whose X-Forwarded-For header is trusted'),
} as const
