import { bool, duration, optionalText, text } from '../kinds.ts'
import { applePrivateKey, extraClientIds, hosts, issuer, oauthApp } from '../social.ts'

export const providers = {
  SOCIAL_LOGIN: bool(true, 'whether people can sign in with the providers below'),
  SOCIAL_AUTO_REGISTER: bool(true, 'whoever comes from a provider for the first time becomes a new user'),
  OAUTH_STATE_TTL: duration('10m', '1m', '30m', 'time to come back from a provider'),
  ...oauthApp('GOOGLE', 'Google'),
  GOOGLE_EXTRA_CLIENT_IDS: extraClientIds('Google'),
  GOOGLE_ISSUER: issuer('another issuer in place of Google, for tests', "Google's own"),
  ...oauthApp('GITHUB', 'GitHub'),
  ...oauthApp('FACEBOOK', 'Facebook'),
  FACEBOOK_EXTRA_CLIENT_IDS: extraClientIds('Facebook'),
  ...oauthApp('APPLE', 'Apple'),
  APPLE_TEAM_ID: optionalText('Apple team; with key id and private key in place of APPLE_CLIENT_SECRET'),
  APPLE_KEY_ID: optionalText('id of the key below'),
  APPLE_PRIVATE_KEY: applePrivateKey('key that signs client secrets, the content of the .p8 file'),
  APPLE_EXTRA_CLIENT_IDS: extraClientIds('Apple'),
  APPLE_ISSUER: issuer('another issuer in place of Apple, for tests', "Apple's own"),
  ...oauthApp('DISCORD', 'Discord'),
  DISCORD_EXTRA_CLIENT_IDS: extraClientIds('Discord'),
  ...oauthApp('MICROSOFT', 'Microsoft'),
  MICROSOFT_TENANT: text('common', 'who may come: common, organizations, consumers, or the id of your tenant', {
    max: 100,
  }),
  MICROSOFT_EXTRA_CLIENT_IDS: extraClientIds('Microsoft'),
  MICROSOFT_ISSUER: issuer('another issuer in place of Microsoft, such as a sovereign cloud', "Microsoft's own"),
  ...oauthApp('OIDC', 'an OpenID Connect provider of your own'),
  OIDC_NAME: text('OpenID Connect', 'what it is called on pages and in mails', { max: 60 }),
  OIDC_ISSUER: issuer('its issuer, which says where everything else is', 'none'),
  OIDC_HOSTS: hosts('further hosts that it works on; none but these and that of the issuer are asked'),
  OIDC_EXTRA_CLIENT_IDS: extraClientIds('this provider'),
} as const
