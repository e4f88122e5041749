import { limit } from '../kinds.ts'

export const limits = {
  RATE_LIMIT_LOGIN: limit('5/15m', 'sign-in'),
  RATE_LIMIT_REGISTRATION: limit('3/1h', 'registration'),
  RATE_LIMIT_TOKEN_LOGIN: limit('10/10m', 'requests that send a message'),
  RATE_LIMIT_TOKEN_VALIDATE: limit('20/5m', 'requests that redeem a link or code'),
  RATE_LIMIT_SOCIAL_LOGIN: limit('10/15m', 'going to a provider and coming back'),
  RATE_LIMIT_SOCIAL_API: limit('20/10m', 'sign-ins of apps with what a provider gave them'),
  RATE_LIMIT_CACHE_INVALIDATION: limit('10/5m', 'POST /auth/invalidate/me'),
  RATE_LIMIT_ADMIN: limit('50/10m', 'administration'),
  RATE_LIMIT_EXPORT: limit('5/1h', 'exports of personal data and requests for deletion, by address and by account'),
  RATE_LIMIT_UNLOCK: limit('10/10m', 'wrong passwords of one post from one address'),
  RATE_LIMIT_COMMENT: limit('10/10m', 'comments written or changed, by address and by account'),
  RATE_LIMIT_INTERACT: limit('60/1m', 'reactions, bookmarks and views, by address and, with a session, by account'),
  RATE_LIMIT_READ: limit('600/1m', 'reads, per process'),
  RATE_LIMIT_WRITE: limit('120/1m', 'writes of signed-in users'),
  RATE_LIMIT_BRIDGE: limit('100000/1m', 'calls with one bridge secret, per process'),
  RATE_LIMIT_BRIDGE_FAIL: limit('20/5m', 'calls with a wrong bridge secret'),
} as const
