import { NotAccepted, type ProviderApi, type ProviderClaims, type ProviderFile } from '../provider.ts'
import { claimsOf, claimText, subjectOf } from '../read-members.ts'

const api = 'https://api.github.com'

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github: ProviderFile = {
  name: 'github',
  title: 'GitHub',
  app: ({ GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: secret }) =>
    clientId && secret ? { clientId, secret: () => secret, extraClientIds: [] } : undefined,
  scope: 'read:user user:email',
  hosts: ['github.com', 'api.github.com'],
  oauth: {
    server: {
      issuer: 'https://github.com',
      authorization_endpoint: 'https://github.com/login/oauth/authorize',
      token_endpoint: 'https://github.com/login/oauth/access_token',
    },
    async profile({ ask }: ProviderApi) {
      const [user, emails] = await Promise.all([ask(`${api}/user`), ask(`${api}/user/emails`)])
      const { id, name, login, avatar_url } = claimsOf(user)
      const primary = primaryOf(emails)
      return {
        subject: subjectOf(id),
        // The email address in the profile may be unverified. The list of email addresses includes the verification
        // status.
        email: claimText(primary.email) || undefined,
        emailVerified: primary.verified === true,
        name: claimText(name) || claimText(login),
        lastName: '',
        picture: claimText(avatar_url),
      }
    },
  },
  async proveAudience({ ask, clientId, secret, accessToken }: ProviderApi) {
    const basic = Buffer.from(`${clientId}:${secret}`).toString('base64')
    const checked = await ask(`${api}/applications/${encodeURIComponent(clientId)}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: accessToken }),
    })
    if (claimsOf(claimsOf(checked).app).client_id !== clientId) throw new NotAccepted('issued to another client')
  },
}

const primaryOf = (emails: unknown): ProviderClaims =>
  (Array.isArray(emails) ? emails : []).map(claimsOf).find(({ primary }) => primary === true) ?? {}
