import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { authenticateClient } from '../client-authentication/authenticate-client.ts'
import { authenticatedClient } from '../client-authentication/schemas.ts'
import { recordRejectionLater } from '../rejections/record-rejection.ts'
import { introspect } from './introspect.ts'
import { revokeToken } from './revoke.ts'
import { IntrospectRoute, RevokeRoute } from './schemas.ts'

const config = {
  access: authenticatedClient,
  limit: 'oauth_introspect',
  // Counted by client, after the authentication.
  isFree: () => true,
  form: 'only',
  errors: 'oauth',
  module: 'oauth',
} as const

export const introspectionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const clientAndToken = async (reply: FastifyReply, token: string | undefined) => {
      const client = await authenticateClient(ctx, reply, config.limit)
      if (!token) throw new AppError('invalid_request', { sentence: 'token is required' })
      return { client, token }
    }

    http.post('/oauth/introspect', { schema: IntrospectRoute, config }, async (request, reply) => {
      const { client, token } = await clientAndToken(reply, request.body.token)
      const isMinimal = readMinimal(request.body.minimal)
      const noteRejection = () => recordRejectionLater(ctx, request, client, { reason: 'foreign_token' })
      return introspect(ctx, { asking: client, isMinimal, noteRejection }, token)
    })

    http.post('/oauth/revoke', { schema: RevokeRoute, config }, async (request, reply) => {
      const { client, token } = await clientAndToken(reply, request.body.token)
      await revokeToken(ctx, request, client, token)
      return { success: true as const }
    })
  }

/** Empty values count as absent (RFC 6749, 3.2). A misspelt value would show more of the token than the caller wants. */
function readMinimal(text = ''): boolean {
  if (!['', 'true', 'false'].includes(text)) throw invalidField('minimal', 'must be true or false')
  return text === 'true'
}
