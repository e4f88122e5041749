import {
  bool,
  type ChangeableIn,
  changeable,
  duration,
  oneOf,
  requestLimit,
  type SettingValues,
} from '../../config/kinds.ts'

export const oauthSettings = {
  OAUTH_ENABLED: changeable(bool(true, 'enable the authorization server; requires the oauth module')),
  OAUTH_ACCESS_TOKEN_TTL: changeable(
    duration('10m', '1m', '24h', 'lifetime of access tokens; JWTs are valid for at most 1h'),
  ),
  OAUTH_ACCESS_TOKEN_ALG: oneOf(
    ['ES256', 'EdDSA', 'RS256'],
    'ES256',
    'algorithm with which access tokens are signed unless the resource names another',
  ),
  OAUTH_KEY_ROTATION: changeable(duration('90d', '1d', '730d', 'how long a key signs before the next one replaces it')),
  OAUTH_KEY_PUBLISH_AHEAD: changeable(
    duration(
      '24h',
      '4h',
      '7d',
      'how long a key is published before it signs, so that no verifier meets an unknown key',
    ),
  ),
  RATE_LIMIT_OAUTH_TOKEN: requestLimit('6000/1m', 'requests for tokens per client'),
  RATE_LIMIT_OAUTH_INTROSPECT: requestLimit('100000/1m', 'introspections and revocations per client'),
  RATE_LIMIT_OAUTH_CLIENT_FAIL: requestLimit('20/5m', 'failed authentications of clients per IP address'),
} as const

type OAuthSettings = SettingValues<typeof oauthSettings>

declare module '../../config/load.ts' {
  interface Config extends OAuthSettings {}
  interface ChangeableSettings extends ChangeableIn<typeof oauthSettings> {}
}
