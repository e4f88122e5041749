import { NotAccepted, type ProviderApi, type ProviderFile } from '../provider.ts'
import { claimsOf, claimText, subjectOf } from '../read-members.ts'

const api = 'https://discord.com/api/v10'

/** https://discord.com/developers/docs/topics/oauth2 */
export const discord: ProviderFile = {
  name: 'discord',
  title: 'Discord',
  app: ({ DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: secret, DISCORD_EXTRA_CLIENT_IDS: extraClientIds }) =>
    clientId && secret ? { clientId, secret: () => secret, extraClientIds } : undefined,
  scope: 'identify email',
  hosts: ['discord.com'],
  oauth: {
    server: {
      issuer: 'https://discord.com',
      authorization_endpoint: 'https://discord.com/oauth2/authorize',
      token_endpoint: `${api}/oauth2/token`,
    },
    async profile({ ask }: ProviderApi) {
      const user = claimsOf(await ask(`${api}/users/@me`))
      const [subject, avatar] = [subjectOf(user.id), claimText(user.avatar)]
      return {
        subject,
        email: claimText(user.email) || undefined,
        emailVerified: user.verified === true,
        name: claimText(user.global_name) || claimText(user.username),
        lastName: '',
        picture: /^\w+$/.test(avatar) ? `https://cdn.discordapp.com/avatars/${subject}/${avatar}.png` : '',
      }
    },
  },
  async proveAudience({ ask, acceptedClientIds }: ProviderApi) {
    const { application } = claimsOf(await ask(`${api}/oauth2/@me`))
    if (!acceptedClientIds.includes(claimText(claimsOf(application).id)))
      throw new NotAccepted('issued to another client')
  },
}
