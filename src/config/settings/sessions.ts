import { cookieDomainForm } from '../cookie-domain.ts'
import { bool, duration, integer, oneOf, optionalDuration, optionalText, text } from '../kinds.ts'

export const sessionSettings = {
  SESSION_IDLE_TTL: duration('7d', '5m', '90d', 'a session ends after this time without use'),
  SESSION_ABSOLUTE_TTL: duration('30d', '5m', '365d', 'maximum lifetime of a session'),
  ADMIN_SESSION_IDLE_TTL: optionalDuration(
    '= SESSION_IDLE_TTL',
    '5m',
    '90d',
    'the same as SESSION_IDLE_TTL, for support agents, admins and superadmins',
  ),
  ADMIN_SESSION_ABSOLUTE_TTL: optionalDuration(
    '= SESSION_ABSOLUTE_TTL',
    '5m',
    '365d',
    'the same as SESSION_ABSOLUTE_TTL, for support agents, admins and superadmins',
  ),
  PARTIAL_SESSION_TTL: duration(
    '5m',
    '1m',
    '15m',
    'lifetime of a partial session: the time in which the user must enter the second factor',
  ),
  SESSION_MAX_PER_USER: integer(50, 1, 1000, 'maximum number of live sessions per user; a further one ends the oldest'),
  REAUTH_WINDOW: duration(
    '10m',
    '0s',
    '24h',
    'sensitive changes require an authentication within this time; 0s disables the requirement',
  ),
  SESSION_BINDING: oneOf(
    ['off', 'log', 'enforce'],
    'log',
    'a different IP address or user agent that a back end reports is ignored, recorded (log) or refused (enforce)',
  ),
  SESSION_VALIDATION_CACHE_TTL: duration('5s', '0s', '60s', 'how long a session may be cached; 0s disables the cache'),
  SESSION_COOKIE_NAME: text('session_id', 'name of the session cookie; the prefix __Host- is allowed', { max: 60 }),
  SESSION_COOKIE_DOMAIN: optionalText(
    'parent domain whose hosts all receive the session cookie, such as example.com; each of these hosts can then act on ' +
      'behalf of its visitors',
    { check: cookieDomainForm, shown: 'none: only the host of PUBLIC_URL' },
  ),
  COOKIE_SAMESITE: oneOf(
    ['auto', 'lax', 'strict', 'none'],
    'auto',
    'SameSite attribute of the session cookie; auto: none if FRONTEND_URL is on another site, else lax',
  ),
  ALLOW_QUERY_SESSION: bool(true, 'accept the session token in the query'),
  PROMOTION_ROTATE: oneOf(
    ['always', 'redirect-only'],
    'redirect-only',
    'when a session gets a new token after the second factor: always, or only if the old token was part of a URL (redirect-only)',
  ),
} as const
