import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context, CredentialView } from '../../../context.ts'
import { authorizationOf } from '../../../http/access/authorization.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AppError } from '../../../lib/errors.ts'
import { clientsOf } from '../clients/client.ts'
import { claimsForUserInfo } from './claims.ts'
import { accessTokenHolder, UserInfoFormRoute, UserInfoRoute } from './schemas.ts'

const config = {
  access: accessTokenHolder,
  limit: 'oauth_userinfo',
  // Counted by token, after it was recognized.
  isFree: () => true,
  errors: 'oauth',
  module: 'oauth',
} as const

/** RFC 6750, 2: in Authorization or in a form, but never in the address, which is logged. */
export const userInfoRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get('/oauth/userinfo', { schema: UserInfoRoute, config }, (request, reply) => respond(ctx, request, reply))
    http.post('/oauth/userinfo', { schema: UserInfoFormRoute, config: { ...config, form: 'only' } }, (request, reply) =>
      respond(ctx, request, reply, request.body?.access_token),
    )
  }

async function respond(ctx: Context, request: FastifyRequest, reply: FastifyReply, inBody?: string) {
  const { user, client, scopes, grants, id } = await viewOf(ctx, tokenIn(request, reply, inBody), reply)
  const decision = request.server.limits.countLocally('oauth_userinfo', `token:${id}`)
  if (decision.refused) throw new AppError('RATE_LIMITED', { retryAfter: decision.retryAfter, limit: decision })
  const known = client && (clientsOf(ctx).recall(client.id) ?? (await clientsOf(ctx).read(client.id)))
  // Only pages of the client to which the token was issued can read the response.
  request.sharedWith = known?.signIn.allowedOrigins
  if (!user || !known) throw challenged(reply, 'invalid_token')
  if (!scopes.includes('openid')) throw challenged(reply, 'insufficient_scope', ', scope="openid"')
  return claimsForUserInfo(ctx, { user, client: known, scopes, grants })
}

function tokenIn(request: FastifyRequest, reply: FastifyReply, inBody: string | undefined): string {
  const sent = [...authorizationOf(request, 'bearer'), ...(inBody ? [inBody] : [])]
  if (sent.length > 1) throw new AppError('invalid_request', { sentence: 'Send one access token' })
  const [text] = sent
  // RFC 6750, 3: without a token, the challenge contains no error.
  if (text === undefined) {
    reply.header('www-authenticate', 'Bearer')
    throw new AppError('invalid_token')
  }
  return text
}

async function viewOf({ credentials }: Context, text: string, reply: FastifyReply): Promise<CredentialView> {
  const found =
    credentials.recognize(text)?.kind === 'token'
      ? (credentials.recall(text) ?? (await credentials.load(text, { freshness: 'copy' })))
      : undefined
  if (!found) throw challenged(reply, 'invalid_token')
  return found.cached.view
}

function challenged(reply: FastifyReply, code: 'invalid_token' | 'insufficient_scope', more = ''): AppError {
  reply.header('www-authenticate', `Bearer error="${code}"${more}`)
  return new AppError(code)
}
