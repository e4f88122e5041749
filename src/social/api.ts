import type { Context } from '../context.ts'
import type { ProviderConnection } from './connection.ts'
import { NotAccepted, type ProviderApi } from './provider.ts'

export async function apiOf(
  ctx: Context,
  { app, clientIds, policy }: ProviderConnection,
  accessToken: string,
): Promise<ProviderApi> {
  return {
    accessToken,
    clientId: app.clientId,
    secret: await app.secret(),
    acceptedClientIds: clientIds,
    async ask(url, { method, headers, body } = {}) {
      const usual = { accept: 'application/json', authorization: `Bearer ${accessToken}`, 'user-agent': 'Wardenry' }
      const reply = await ctx.fetch(url, { method, headers: { ...usual, ...headers }, body }, policy)
      const { origin, pathname } = new URL(url)
      const sentence = `${origin}${pathname} returned ${reply.status}`
      if (reply.status >= 400 && reply.status < 500 && reply.status !== 429) throw new NotAccepted(sentence)
      if (reply.status !== 200) throw new Error(sentence)
      return reply.json()
    },
  }
}
