import { createHmac } from 'node:crypto'
import { NotAccepted, type ProviderApi, type ProviderFile } from '../provider.ts'
import { claimsOf, claimText, subjectOf } from '../read-members.ts'

const version = 'v23.0'
const graph = `https://graph.facebook.com/${version}`
const fields = 'id,name,first_name,last_name,email,picture.type(large)'

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
export const facebook: ProviderFile = {
  name: 'facebook',
  title: 'Facebook',
  app: ({ FACEBOOK_CLIENT_ID: clientId, FACEBOOK_CLIENT_SECRET: secret, FACEBOOK_EXTRA_CLIENT_IDS: extraClientIds }) =>
    clientId && secret ? { clientId, secret: () => secret, extraClientIds } : undefined,
  scope: 'public_profile,email',
  hosts: ['www.facebook.com', 'graph.facebook.com'],
  oauth: {
    server: {
      issuer: 'https://www.facebook.com',
      authorization_endpoint: `https://www.facebook.com/${version}/dialog/oauth`,
      token_endpoint: `${graph}/oauth/access_token`,
    },
    async profile({ ask, accessToken, secret }: ProviderApi) {
      // Facebook accepts `appsecret_proof` only for tokens issued to this app.
      const appsecret_proof = createHmac('sha256', secret).update(accessToken).digest('hex')
      const me = claimsOf(await ask(`${graph}/me?${new URLSearchParams({ fields, appsecret_proof })}`))
      return {
        subject: subjectOf(me.id),
        email: claimText(me.email) || undefined,
        // Facebook does not report whether the email address is verified.
        emailVerified: false,
        name: claimText(me.first_name) || claimText(me.name),
        lastName: claimText(me.last_name),
        picture: claimText(claimsOf(claimsOf(me.picture).data).url),
      }
    },
  },
  async proveAudience({ ask, accessToken, clientId, secret, acceptedClientIds }: ProviderApi) {
    const query = new URLSearchParams({ input_token: accessToken })
    const headers = { authorization: `Bearer ${clientId}|${secret}` }
    const { data } = claimsOf(await ask(`${graph}/debug_token?${query}`, { headers }))
    const { app_id, is_valid } = claimsOf(data)
    if (is_valid !== true || !acceptedClientIds.includes(claimText(app_id)))
      throw new NotAccepted('issued to another client')
  },
}
