import type { FastifyRequest } from 'fastify'
import type { Context, RequestDevice } from '../../../context.ts'
import { deviceOf } from '../../../http/access/device.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { addressKey } from '../../../lib/address.ts'
import { AppError } from '../../../lib/errors.ts'
import { authenticateClient } from '../client-authentication/authenticate-client.ts'
import { authenticatedClient } from '../client-authentication/schemas.ts'
import type { Client } from '../clients/client-view.ts'
import { recordingClientRejection } from '../rejections/record-rejection.ts'
import { grants } from './grants.ts'
import type { IssuedToken } from './issue-access-token.ts'
import { type TokenInput, TokenRoute } from './schemas.ts'

const config = {
  access: authenticatedClient,
  limit: 'oauth_token',
  // Counted by client, after the authentication.
  isFree: () => true,
  form: 'only',
  errors: 'oauth',
  module: 'oauth',
} as const

export const tokenRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post('/oauth/token', { schema: TokenRoute, config }, async (request, reply) => {
      const client = await authenticateClient(ctx, reply, config.limit)
      const input = withoutEmpty(request.body)
      return recordingClientRejection(ctx, request, { client, asked: input }, () =>
        countingFailures(request, client, async () => issueFor(ctx, client, { input, device: deviceOf(request) })),
      )
    })
  }

const failures = 'oauth_grant_fail'

/** Codes and refresh tokens cannot be guessed, but a program that repeats a wrong one must not do so without end. */
async function countingFailures<Result>(
  request: FastifyRequest,
  { id }: Client,
  work: () => Promise<Result>,
): Promise<Result> {
  const { limits } = request.server
  const key = `${id} ${addressKey(request.clientAddress)}`
  const { remaining, retryAfter } = limits.standing(failures, key)
  if (remaining === 0) throw new AppError('RATE_LIMITED', { retryAfter })
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_grant') throw error
    limits.countLocally(failures, key)
    const decision = await limits.count(failures, key)
    if (decision.refused) throw new AppError('RATE_LIMITED', { retryAfter: decision.retryAfter })
    throw error
  }
}

interface TokenRequest {
  input: TokenInput
  device: RequestDevice
}

function issueFor(ctx: Context, client: Client, { input, device }: TokenRequest): Promise<IssuedToken> {
  const { grant_type } = input
  if (grant_type === undefined) throw new AppError('invalid_request', { sentence: 'grant_type is required' })
  const grant = grants.find(({ type }) => type === grant_type)
  if (!grant) throw new AppError('unsupported_grant_type')
  if (!client.grantTypes.includes(grant.type)) throw new AppError('unauthorized_client')
  return grant.issue(ctx, client, input, device)
}

/** RFC 6749, 3.2: parameters without a value are treated as if they were omitted. */
const withoutEmpty = <Body extends object>(body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) as Body
