import { createPrivateKey } from 'node:crypto'
import type { Config } from '../../config/load.ts'
import type { ProviderApp, ProviderFile } from '../provider.ts'
import { standardProfile } from '../read-members.ts'

const issuer = 'https://appleid.apple.com'

/** https://developer.apple.com/documentation/signinwithapplerestapi */
export const apple: ProviderFile = {
  name: 'apple',
  title: 'Apple',
  app,
  // Apple sends the name through the browser without a signature, so the name is not used.
  scope: 'openid email',
  hosts: ['appleid.apple.com'],
  parameters: { response_mode: 'form_post' },
  openId: {
    issuer: () => issuer,
    algorithms: ['RS256'],
    profile: standardProfile,
  },
}

function app(config: Config): ProviderApp | undefined {
  const { APPLE_CLIENT_ID: clientId, APPLE_CLIENT_SECRET: secret, APPLE_ISSUER, APPLE_EXTRA_CLIENT_IDS } = config
  const { APPLE_TEAM_ID: team, APPLE_KEY_ID: keyId, APPLE_PRIVATE_KEY: key } = config
  const more = { extraClientIds: APPLE_EXTRA_CLIENT_IDS, issuer: APPLE_ISSUER }
  if (clientId && team && keyId && key) {
    const signing = { clientId, team, keyId, key, audience: APPLE_ISSUER ?? issuer }
    return { clientId, secret: () => signSecret(signing), ...more }
  }
  return clientId && secret ? { clientId, secret: () => secret, ...more } : undefined
}

interface SigningKey {
  clientId: string
  team: string
  keyId: string
  key: string
  audience: string
}

/** Instead of a fixed client secret, Apple requires a JWT signed with the team's key. */
async function signSecret({ clientId, team, keyId, key, audience }: SigningKey): Promise<string> {
  const { SignJWT } = await import('jose')
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(team)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(createPrivateKey(key))
}
