import { NotAccepted, type ProviderApi, type ProviderFile } from '../provider.ts'
import { claimsOf, claimText, standardProfile } from '../read-members.ts'

/** https://developers.google.com/identity/openid-connect/openid-connect */
export const google: ProviderFile = {
  name: 'google',
  title: 'Google',
  app: ({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: secret, GOOGLE_EXTRA_CLIENT_IDS, GOOGLE_ISSUER }) =>
    clientId && secret
      ? { clientId, secret: () => secret, extraClientIds: GOOGLE_EXTRA_CLIENT_IDS, issuer: GOOGLE_ISSUER }
      : undefined,
  scope: 'openid email profile',
  hosts: ['accounts.google.com', 'oauth2.googleapis.com', 'openidconnect.googleapis.com', 'www.googleapis.com'],
  openId: {
    issuer: () => 'https://accounts.google.com',
    issuerSpellings: ['accounts.google.com'],
    algorithms: ['RS256'],
    profile: standardProfile,
  },
  async proveAudience(api: ProviderApi) {
    const query = new URLSearchParams({ access_token: api.accessToken })
    const info = claimsOf(await api.ask(`https://oauth2.googleapis.com/tokeninfo?${query}`))
    if (!api.acceptedClientIds.includes(claimText(info.aud))) throw new NotAccepted('issued to another client')
  },
}
