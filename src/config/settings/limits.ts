import { requestLimit } from '../kinds.ts'

export const limitSettings = {
  RATE_LIMIT_LOGIN: requestLimit('5/15m', 'sign-in attempts'),
  RATE_LIMIT_REGISTRATION: requestLimit('3/1h', 'registrations'),
  RATE_LIMIT_TOKEN_LOGIN: requestLimit('10/10m', 'requests that send a message'),
  RATE_LIMIT_TOKEN_VALIDATE: requestLimit('20/5m', 'attempts to use a link or code'),
  RATE_LIMIT_PASSKEY_OPTIONS: requestLimit('60/15m', 'requests for the options of a sign-in with a passkey'),
  RATE_LIMIT_SOCIAL_LOGIN: requestLimit('10/15m', 'redirects to identity providers, and callbacks from them'),
  RATE_LIMIT_SOCIAL_API: requestLimit('20/10m', "sign-ins by apps that send an identity provider's token"),
  RATE_LIMIT_CACHE_INVALIDATION: requestLimit('10/5m', 'requests to POST /auth/invalidate/me'),
  RATE_LIMIT_ADMIN: requestLimit('50/10m', 'requests to administration routes'),
  RATE_LIMIT_BULK: requestLimit('10/1h', 'requests that change many users, per IP address and per account'),
  RATE_LIMIT_EXPORT: requestLimit(
    '5/1h',
    'exports of personal data or search results, and account deletion requests, per IP address and per account',
  ),
  RATE_LIMIT_READ: requestLimit('600/1m', 'read requests, counted separately in each process'),
  RATE_LIMIT_WRITE: requestLimit('120/1m', 'write requests from signed-in users'),
  RATE_LIMIT_BRIDGE: requestLimit(
    '100000/1m',
    'requests with the same bridge secret, counted separately in each process',
  ),
  RATE_LIMIT_API_KEY_FAIL: requestLimit(
    '20/5m',
    'well-formed API keys that do not exist, per IP address of the end user; 100 times as many per bridge secret if ' +
      'the back end does not send the address. Counted separately in each process',
  ),
  RATE_LIMIT_BRIDGE_FAIL: requestLimit('20/5m', 'requests with a wrong bridge secret'),
} as const
