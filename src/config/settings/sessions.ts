import { cookieDomainForm } from '../cookie-domain.ts'
import { bool, duration, integer, list, oneOf, optionalDuration, optionalText, Problem, text } from '../kinds.ts'
import { passkeyDomain, passkeyPlace, userTypeName } from '../passkey-kinds.ts'

const factors = ['email', 'sms', 'totp', 'passkey']
const factor = (item: string) =>
  factors.includes(item) ? item : new Problem(`"${item}" is none of ${factors.join(', ')}`)

export const sessions = {
  SESSION_IDLE_TTL: duration('7d', '5m', '90d', 'a session ends after this time without use'),
  SESSION_ABSOLUTE_TTL: duration('30d', '5m', '365d', 'a session ends after this time in any case'),
  ADMIN_SESSION_IDLE_TTL: optionalDuration('= SESSION_IDLE_TTL', '5m', '90d', 'the same for admins and superadmins'),
  ADMIN_SESSION_ABSOLUTE_TTL: optionalDuration(
    '= SESSION_ABSOLUTE_TTL',
    '5m',
    '365d',
    'the same for admins and superadmins',
  ),
  PARTIAL_SESSION_TTL: duration('5m', '1m', '15m', 'time to enter the second factor'),
  SESSION_MAX_PER_USER: integer(50, 1, 1000, 'one more ends the oldest'),
  REAUTH_WINDOW: duration(
    '10m',
    '0s',
    '24h',
    'a sign-in this recent proves who is asking for what weakens an account; 0s: not asked',
  ),
  SESSION_BINDING: oneOf(
    ['off', 'log', 'enforce'],
    'log',
    'what happens when a back end reports another address or user agent',
  ),
  SESSION_VALIDATION_CACHE_TTL: duration(
    '5s',
    '0s',
    '60s',
    'how long an answer may be served from a copy; 0s switches copies off',
  ),
  SESSION_COOKIE_NAME: text('session_id', 'name of the session cookie; __Host- is allowed', { max: 60 }),
  SESSION_COOKIE_DOMAIN: optionalText(
    'parent domain whose hosts all receive the session cookie, such as example.com; each of them can then act as its users',
    { check: cookieDomainForm, shown: 'none: the host of PUBLIC_URL alone' },
  ),
  COOKIE_SAMESITE: oneOf(
    ['auto', 'lax', 'strict', 'none'],
    'auto',
    'auto: none when FRONTEND_URL is on another site, else lax',
  ),
  ALLOW_QUERY_SESSION: bool(true, 'accept the session id in the address'),
  PROMOTION_ROTATE: oneOf(
    ['always', 'redirect-only'],
    'redirect-only',
    'when a session gets a new value once its second factor was right: always, or only when the old one was part of an address',
  ),
  TWO_FACTOR_ENABLED: bool(true, 'whether the module two-factor, once installed, is on'),
  TWO_FACTOR_METHODS: {
    ...list('second factors that people can set up; recovery codes always', factor),
    fallback: [...factors],
    shownDefault: factors.join(),
  },

  TWO_FACTOR_REQUIRED_FOR: list(
    'user types that confirm every sign-in by a second factor, set up or not',
    userTypeName,
  ),
  TWO_FACTOR_REMEMBER: duration(
    '0s',
    '0s',
    '90d',
    'how long a browser may be remembered that need not confirm sign-ins again; 0s: never',
  ),
  WEBAUTHN_RP_ID: optionalText('domain that passkeys belong to: changing it makes all of them useless', {
    check: passkeyDomain,
    shown: 'host of FRONTEND_URL',
  }),
  WEBAUTHN_ORIGINS: {
    ...list('pages and apps that may use the passkeys', passkeyPlace, 'origins'),
    shownDefault: 'PUBLIC_URL and FRONTEND_URL',
  },
} as const
