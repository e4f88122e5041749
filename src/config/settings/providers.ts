import { bool, changeable, duration, optionalText, text } from '../kinds.ts'
import { applePrivateKey, extraClientIds, hosts, issuer, oauthApp } from '../social.ts'

export const providerSettings = {
  SOCIAL_LOGIN: bool(true, 'enable sign-in with identity providers'),
  SOCIAL_AUTO_REGISTER: changeable(bool(true, 'create a user on the first sign-in with a provider')),
  OAUTH_STATE_TTL: duration('10m', '1m', '30m', 'how long the user has to complete the sign-in at a provider'),
  ...oauthApp('GOOGLE', 'Google'),
  GOOGLE_EXTRA_CLIENT_IDS: extraClientIds('Google'),
  GOOGLE_ISSUER: issuer("issuer that replaces Google's, for testing", "Google's own"),
  ...oauthApp('GITHUB', 'GitHub'),
  ...oauthApp('FACEBOOK', 'Facebook'),
  FACEBOOK_EXTRA_CLIENT_IDS: extraClientIds('Facebook'),
  ...oauthApp('APPLE', 'Apple'),
  APPLE_TEAM_ID: optionalText(
    'your Apple team id; used with APPLE_KEY_ID and APPLE_PRIVATE_KEY instead of APPLE_CLIENT_SECRET',
  ),
  APPLE_KEY_ID: optionalText('your Apple key id; identifies the key in APPLE_PRIVATE_KEY'),
  APPLE_PRIVATE_KEY: applePrivateKey('private key that signs client secrets: the contents of the .p8 file'),
  APPLE_EXTRA_CLIENT_IDS: extraClientIds('Apple'),
  APPLE_ISSUER: issuer("issuer that replaces Apple's, for testing", "Apple's own"),
  ...oauthApp('DISCORD', 'Discord'),
  DISCORD_EXTRA_CLIENT_IDS: extraClientIds('Discord'),
  ...oauthApp('MICROSOFT', 'Microsoft'),
  MICROSOFT_TENANT: text('common', 'allowed accounts: common, organizations, consumers, or your tenant id', {
    max: 100,
  }),
  MICROSOFT_EXTRA_CLIENT_IDS: extraClientIds('Microsoft'),
  MICROSOFT_ISSUER: issuer("issuer that replaces Microsoft's, for example in a sovereign cloud", "Microsoft's own"),
  ...oauthApp('OIDC', 'your own OpenID Connect provider'),
  OIDC_NAME: text('OpenID Connect', 'provider name shown on pages and in emails', { max: 60 }),
  OIDC_ISSUER: issuer("the provider's issuer URL; its discovery document contains all other URLs", 'none'),
  OIDC_HOSTS: hosts("the provider's additional hosts; requests are sent only to these hosts and the issuer's host"),
  OIDC_EXTRA_CLIENT_IDS: extraClientIds('this provider'),
} as const
