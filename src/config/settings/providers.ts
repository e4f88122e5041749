import { bool, changeable, duration, optionalText, text } from '../kinds.ts'
import { applePrivateKey, extraClientIds, hosts, issuer, oauthApp } from '../social.ts'

export const providerSettings = {
  SOCIAL_LOGIN: bool(true, 'enable sign-in with identity providers'),
  SOCIAL_AUTO_REGISTER: changeable(bool(true, 'create a user at the first sign-in with a provider')),
  OAUTH_STATE_TTL: duration('10m', '1m', '30m', 'time within which the user must return from a provider'),
  ...oauthApp('GOOGLE', 'Google'),
  GOOGLE_EXTRA_CLIENT_IDS: extraClientIds('Google'),
  GOOGLE_ISSUER: issuer("replaces Google's issuer, for tests", "Google's own"),
  ...oauthApp('GITHUB', 'GitHub'),
  ...oauthApp('FACEBOOK', 'Facebook'),
  FACEBOOK_EXTRA_CLIENT_IDS: extraClientIds('Facebook'),
  ...oauthApp('APPLE', 'Apple'),
  APPLE_TEAM_ID: optionalText(
    'id of your Apple team, used with APPLE_KEY_ID and APPLE_PRIVATE_KEY instead of APPLE_CLIENT_SECRET',
  ),
  APPLE_KEY_ID: optionalText('id of the key in APPLE_PRIVATE_KEY'),
  APPLE_PRIVATE_KEY: applePrivateKey('private key that signs client secrets: the content of the .p8 file'),
  APPLE_EXTRA_CLIENT_IDS: extraClientIds('Apple'),
  APPLE_ISSUER: issuer("replaces Apple's issuer, for tests", "Apple's own"),
  ...oauthApp('DISCORD', 'Discord'),
  DISCORD_EXTRA_CLIENT_IDS: extraClientIds('Discord'),
  ...oauthApp('MICROSOFT', 'Microsoft'),
  MICROSOFT_TENANT: text('common', 'allowed accounts: common, organizations, consumers, or the id of your tenant', {
    max: 100,
  }),
  MICROSOFT_EXTRA_CLIENT_IDS: extraClientIds('Microsoft'),
  MICROSOFT_ISSUER: issuer(
    "replaces Microsoft's issuer, for example with the issuer of a sovereign cloud",
    "Microsoft's own",
  ),
  ...oauthApp('OIDC', 'your own OpenID Connect provider'),
  OIDC_NAME: text('OpenID Connect', 'name of the provider on pages and in emails', { max: 60 }),
  OIDC_ISSUER: issuer('issuer of the provider; its discovery document contains all other URLs', 'none'),
  OIDC_HOSTS: hosts('additional hosts of the provider; requests go only to these hosts and to the host of the issuer'),
  OIDC_EXTRA_CLIENT_IDS: extraClientIds('this provider'),
} as const
