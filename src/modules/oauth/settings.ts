import {
  bool,
  type ChangeableIn,
  changeable,
  duration,
  list,
  oneOf,
  requestLimit,
  SettingProblem,
  type SettingValues,
} from '../../config/kinds.ts'

/** As URLs spell it. */
const isHost = (text: string): boolean =>
  /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(text) && URL.parse(`https://${text}`)?.hostname === text

export const oauthSettings = {
  OAUTH_ENABLED: changeable(bool(true, 'enable the authorization server; requires the oauth module')),
  OAUTH_ACCESS_TOKEN_TTL: changeable(
    duration('10m', '1m', '24h', 'lifetime of access tokens; JWTs are valid for at most 1h'),
  ),
  OAUTH_ID_TOKEN_TTL: changeable(duration('10m', '1m', '1h', 'lifetime of ID tokens')),
  OAUTH_REFRESH_IDLE_TTL: changeable(
    duration('14d', '1h', '365d', 'how long a refresh token is valid; each use yields a new one'),
  ),
  OAUTH_REFRESH_ABSOLUTE_TTL: changeable(
    duration('90d', '1h', '365d', 'how long access can be refreshed before the user must sign in again'),
  ),
  OAUTH_REFRESH_GRACE: changeable(
    duration('10s', '0s', '60s', 'how long a refresh that is repeated gets the same new refresh token'),
  ),
  OAUTH_CONSENT_TTL: changeable(duration('365d', '1d', '3650d', 'how long the consent of a user is remembered')),
  OAUTH_ACCESS_TOKEN_ALG: oneOf(
    ['ES256', 'EdDSA', 'RS256'],
    'ES256',
    'algorithm with which access tokens are signed unless the resource names another',
  ),
  OAUTH_ALLOW_PRIVATE_HOSTS: list(
    'host names and IP addresses of clients that may be private and may use plain HTTP when this service calls them',
    (item) =>
      isHost(item) ? item : new SettingProblem(`names the host ${JSON.stringify(item)}; omit schemes and ports`),
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
  RATE_LIMIT_OAUTH_AUTHORIZE: requestLimit('60/1m', 'requests for authorization per IP address'),
  RATE_LIMIT_OAUTH_USERINFO: requestLimit('600/1m', 'requests for the claims of a user per access token'),
  RATE_LIMIT_OAUTH_GRANT_FAIL: requestLimit(
    '60/5m',
    'codes and refresh tokens that are rejected per client and IP address',
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
