import { requestLimit } from '../kinds.ts'

export const limitSettings = {
  RATE_LIMIT_LOGIN: requestLimit('5/15m', 'sign-in'),
  RATE_LIMIT_REGISTRATION: requestLimit('3/1h', 'registration'),
  RATE_LIMIT_TOKEN_LOGIN: requestLimit('10/10m', 'requests that send a message'),
  RATE_LIMIT_TOKEN_VALIDATE: requestLimit('20/5m', 'requests that use a link or code'),
  RATE_LIMIT_SOCIAL_LOGIN: requestLimit('10/15m', 'redirects to an identity provider and back'),
  RATE_LIMIT_SOCIAL_API: requestLimit('20/10m', 'sign-ins by apps with a provider token'),
  RATE_LIMIT_CACHE_INVALIDATION: requestLimit('10/5m', 'POST /auth/invalidate/me'),
  RATE_LIMIT_ADMIN: requestLimit('50/10m', 'administration'),
  RATE_LIMIT_BULK: requestLimit('10/1h', 'changes to many users at once, by IP address and by account'),
  RATE_LIMIT_EXPORT: requestLimit(
    '5/1h',
    'exports of personal data and of searches, and deletion requests, by IP address and by account',
  ),
  RATE_LIMIT_READ: requestLimit('600/1m', 'reads, per process'),
  RATE_LIMIT_WRITE: requestLimit('120/1m', 'writes by signed-in users'),
  RATE_LIMIT_BRIDGE: requestLimit('100000/1m', 'calls with the same bridge secret, per process'),
  RATE_LIMIT_BRIDGE_FAIL: requestLimit('20/5m', 'calls with a wrong bridge secret'),
} as const
