import type { ProviderFile } from '../provider.ts'
import { standardProfile } from '../read-members.ts'

/** Supports any OpenID Connect provider that has a discovery document and is trusted by the operator. */
export const oidc: ProviderFile = {
  name: 'oidc',
  title: 'OpenID Connect',
  app(config) {
    const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret, OIDC_ISSUER: issuer } = config
    if (!clientId || !secret || !issuer) return undefined
    const { OIDC_EXTRA_CLIENT_IDS: extraClientIds, OIDC_HOSTS: hosts } = config
    return { clientId, secret: () => secret, extraClientIds, issuer, hosts }
  },
  scope: 'openid email profile',
  hosts: [],
  openId: {
    issuer: ({ OIDC_ISSUER }) => OIDC_ISSUER ?? '',
    algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    asksUserInfo: true,
    profile: standardProfile,
  },
}
