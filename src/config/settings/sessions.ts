import { cookieDomainForm } from '../cookie-domain.ts'
import { bool, duration, integer, oneOf, optionalDuration, optionalText, text } from '../kinds.ts'

export const sessionSettings = {
  SESSION_IDLE_TTL: duration('7d', '5m', '90d', 'how long a session can be idle before it ends'),
  SESSION_ABSOLUTE_TTL: duration('30d', '5m', '365d', 'maximum lifetime of a session'),
  ADMIN_SESSION_IDLE_TTL: optionalDuration(
    '= SESSION_IDLE_TTL',
    '5m',
    '90d',
    'how long a session of a support agent, admin or superadmin can be idle before it ends',
  ),
  ADMIN_SESSION_ABSOLUTE_TTL: optionalDuration(
    '= SESSION_ABSOLUTE_TTL',
    '5m',
    '365d',
    'maximum lifetime of a session of a support agent, admin or superadmin',
  ),
  PARTIAL_SESSION_TTL: duration(
    '5m',
    '1m',
    '15m',
    'lifetime of a partial session, during which the user must complete the second factor or the recovery',
  ),
  SESSION_MAX_PER_USER: integer(
    50,
    1,
    1000,
    'maximum number of active sessions per user; a new session beyond this limit ends the oldest one',
  ),
  REAUTH_WINDOW: duration(
    '10m',
    '0s',
    '24h',
    'how recently a user must have authenticated to make sensitive changes; 0s: no recent authentication is required',
  ),
  SESSION_BINDING: oneOf(
    ['off', 'log', 'enforce'],
    'log',
    'what to do if a session is used from another IP address or user agent than at sign-in: nothing (off), record it in the audit trail (log), or also reject the session (enforce; back ends and gateways must then describe their users)',
  ),
  SESSION_VALIDATION_CACHE_TTL: duration('5s', '0s', '60s', 'maximum time to cache a session; 0s disables the cache'),
  SESSION_COOKIE_NAME: text('session_id', 'name of the session cookie; the prefix __Host- is allowed', { max: 60 }),
  SESSION_COOKIE_DOMAIN: optionalText(
    'parent domain, such as example.com; all hosts in this domain receive the session cookie, and each of them can act on ' +
      'behalf of the users who visit it',
    { check: cookieDomainForm, shown: 'none: only the host of PUBLIC_URL' },
  ),
  COOKIE_SAMESITE: oneOf(
    ['auto', 'lax', 'strict', 'none'],
    'auto',
    'SameSite attribute of the session cookie; auto: none if FRONTEND_URL is on a different site, otherwise lax',
  ),
  ALLOW_QUERY_SESSION: bool(true, 'accept session tokens in the query string'),
  PROMOTION_ROTATE: oneOf(
    ['always', 'redirect-only'],
    'redirect-only',
    'when to replace the session token after the second factor: always, or only if the old token was part of a URL (redirect-only)',
  ),
} as const
