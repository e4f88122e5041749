import type { ProviderFile } from '../provider.ts'
import { standardProfile } from '../read-members.ts'

/** Supports any OpenID Connect provider that has a discovery document and that the operator trusts. */
export const oidc: ProviderFile = {
  name: 'oidc',
  title: 'OpenID Connect',
  app: ({ OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret, OIDC_ISSUER: issuer, ...config }) =>
    clientId && secret && issuer
      ? {
          clientId,
          secret: () => secret,
          extraClientIds: config.OIDC_EXTRA_CLIENT_IDS,
          issuer,
          hosts: config.OIDC_HOSTS,
        }
      : undefined,
  scope: 'openid email profile',
  hosts: [],
  openId: {
    issuer: ({ OIDC_ISSUER }) => OIDC_ISSUER ?? '',
    algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    asksUserInfo: true,
    profile: standardProfile,
  },
}
