import { cookieDomainForm } from '../cookie-domain.ts'
import { bool, duration, integer, oneOf, optionalDuration, optionalText, text } from '../kinds.ts'

export const sessionSettings = {
  SESSION_IDLE_TTL: duration('7d', '5m', '90d', 'time without use after which a session ends'),
  SESSION_ABSOLUTE_TTL: duration('30d', '5m', '365d', 'maximum lifetime of a session'),
  ADMIN_SESSION_IDLE_TTL: optionalDuration(
    '= SESSION_IDLE_TTL',
    '5m',
    '90d',
    'SESSION_IDLE_TTL for support agents, admins and superadmins',
  ),
  ADMIN_SESSION_ABSOLUTE_TTL: optionalDuration(
    '= SESSION_ABSOLUTE_TTL',
    '5m',
    '365d',
    'SESSION_ABSOLUTE_TTL for support agents, admins and superadmins',
  ),
  PARTIAL_SESSION_TTL: duration(
    '5m',
    '1m',
    '15m',
    'lifetime of a partial session, in which the user must enter the second factor',
  ),
  SESSION_MAX_PER_USER: integer(
    50,
    1,
    1000,
    'maximum number of active sessions per user; a further session ends the oldest session',
  ),
  REAUTH_WINDOW: duration(
    '10m',
    '0s',
    '24h',
    'maximum age of the authentication that sensitive changes require; 0s: sensitive changes require no recent authentication',
  ),
  SESSION_BINDING: oneOf(
    ['off', 'log', 'enforce'],
    'log',
    'reaction if a back end reports a different IP address or user agent for a session: ignore it (off), record it (log), or refuse the session (enforce)',
  ),
  SESSION_VALIDATION_CACHE_TTL: duration(
    '5s',
    '0s',
    '60s',
    'maximum time for which a session is cached; 0s disables the cache',
  ),
  SESSION_COOKIE_NAME: text('session_id', 'name of the session cookie; the prefix __Host- is allowed', { max: 60 }),
  SESSION_COOKIE_DOMAIN: optionalText(
    'parent domain whose hosts all receive the session cookie, such as example.com; each of these hosts can then act on ' +
      'behalf of users who visit it',
    { check: cookieDomainForm, shown: 'none: only the host of PUBLIC_URL' },
  ),
  COOKIE_SAMESITE: oneOf(
    ['auto', 'lax', 'strict', 'none'],
    'auto',
    'SameSite attribute of the session cookie; auto: none if FRONTEND_URL is on another site, else lax',
  ),
  ALLOW_QUERY_SESSION: bool(true, 'accept session tokens in the query string'),
  PROMOTION_ROTATE: oneOf(
    ['always', 'redirect-only'],
    'redirect-only',
    'when a session gets a new token after the second factor: always, or only if the old token was part of a URL (redirect-only)',
  ),
} as const
