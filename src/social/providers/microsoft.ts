import type { ProviderClaims, ProviderFile } from '../provider.ts'
import { claimText, isConfirmed, standardProfile } from '../read-members.ts'

/** https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc */
export const microsoft: ProviderFile = {
  name: 'microsoft',
  title: 'Microsoft',
  app(config) {
    const { MICROSOFT_CLIENT_ID: clientId, MICROSOFT_CLIENT_SECRET: secret } = config
    if (!clientId || !secret) return undefined
    const { MICROSOFT_EXTRA_CLIENT_IDS: extraClientIds, MICROSOFT_ISSUER: issuer } = config
    return { clientId, secret: () => secret, extraClientIds, issuer }
  },
  scope: 'openid email profile',
  hosts: ['login.microsoftonline.com'],
  openId: {
    issuer: ({ MICROSOFT_TENANT }) => `https://login.microsoftonline.com/${MICROSOFT_TENANT}/v2.0`,
    algorithms: ['RS256'],
    // A tenant can enter any email address. The optional claim `xms_edov` confirms that the tenant owns the address's
    // domain.
    profile: (claims) => ({ ...standardProfile(claims), emailVerified: ownsDomain(claims) }),
    mayKeySign,
  },
}

/** Depending on the tenant, Microsoft sends the claim as a boolean, a number or text. */
const ownsDomain = ({ xms_edov }: ProviderClaims): boolean =>
  isConfirmed(xms_edov) || xms_edov === 1 || xms_edov === '1'

/** All tenants share one key set, but some keys are valid only for one tenant. */
function mayKeySign(key: ProviderClaims, { iss, tid }: ProviderClaims): boolean {
  const issuer = claimText(key.issuer)
  return issuer === '' || issuer.replace('{tenantid}', claimText(tid)) === iss
}
