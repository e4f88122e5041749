import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { deviceOf } from '../../../http/access/device.ts'
import type { LimitClass, LimitDecision } from '../../../http/limits/rate-limits.ts'
import { showScarcer } from '../../../http/responses/response-headers.ts'
import { addressKey } from '../../../lib/address.ts'
import { AppError } from '../../../lib/errors.ts'
import { clientsOf } from '../clients/client.ts'
import type { Client } from '../clients/client-view.ts'
import { noteClientUse } from '../clients/use-writer.ts'
import type { ClientRejectionReason } from '../rejections/reasons.ts'
import { recordRejectionLater } from '../rejections/record-rejection.ts'
import type { PresentedProof } from './authentication-method.ts'
import { authenticationMethods } from './methods.ts'
import { isPublic } from './public-client.ts'

const failures = 'oauth_client_fail'

/**
 * The client of the request. A client in memory costs no query. Every failure costs the same query, so that unknown, disabled
 * and known clients look alike. The request counts against the limit of the client, which the response shows. Throws invalid_client or RATE_LIMITED.
 */
export async function authenticateClient(ctx: Context, reply: FastifyReply, limit: LimitClass): Promise<Client> {
  const { request } = reply
  const proof = proofIn(request)
  if (!proof) throw new AppError('invalid_client')
  const recalled = clientsOf(ctx).recall(proof.clientId)
  const client = recalled && isProven(ctx, recalled, proof) ? recalled : await readClient(ctx, request, proof)
  request.sharedWith = client.signIn.allowedOrigins
  try {
    showScarcer(reply, countRequest(request, limit, keyOf(request, client)))
  } catch (error) {
    recordRejectionLater(ctx, request, client, { reason: 'rate_limited' })
    throw error
  }
  return client
}

function proofIn(request: FastifyRequest): PresentedProof | undefined {
  const [proof, another] = authenticationMethods
    .map((method) => method.read(request))
    .filter((one) => one !== undefined)
  if (another) throw new AppError('invalid_request', { sentence: 'Authenticate the client in one way only' })
  return proof
}

async function readClient(ctx: Context, request: FastifyRequest, proof: PresentedProof): Promise<Client> {
  const { limits } = request.server
  const key = addressKey(request.clientAddress)
  const standing = limits.standing(failures, key)
  if (standing.remaining === 0) throw new AppError('RATE_LIMITED', { retryAfter: standing.retryAfter, limit: standing })
  const client = await clientsOf(ctx).read(proof.clientId)
  if (isProven(ctx, client, proof)) return client
  limits.countLocally(failures, key)
  const decision = await limits.count(failures, key)
  const reason = client && reasonOf(client, ctx.clock.now())
  if (decision.remaining === decision.limit - 1) await recordFailure(ctx, request, { client, reason })
  else if (client && reason) recordRejectionLater(ctx, request, client, { reason })
  if (decision.refused) throw new AppError('RATE_LIMITED', { retryAfter: decision.retryAfter, limit: decision })
  throw new AppError('invalid_client', { limit: decision })
}

function isProven(ctx: Context, client: Client | undefined, proof: PresentedProof): client is Client {
  const now = ctx.clock.now()
  const usedId = proof.match(client, now)
  if (!client?.isLive || usedId === undefined || (client.endsAt !== null && client.endsAt <= now)) return false
  noteClientUse(ctx, usedId)
  return true
}

const reasonOf = ({ isLive, endsAt }: Client, now: number) => {
  if (!isLive) return 'not_live'
  return endsAt !== null && endsAt <= now ? 'account_ended' : 'secret'
}

/** Without a proof, others can send requests in the name of the client, and must not use up its limit. */
const keyOf = ({ clientAddress }: FastifyRequest, client: Client): string =>
  isPublic(client) ? `${clientKey(client)} ${addressKey(clientAddress)}` : clientKey(client)

export const clientKey = ({ id }: { id: string }): string => `client:${id}`

/** Throws RATE_LIMITED. */
export function countRequest(
  { server: { limits } }: Pick<FastifyRequest, 'server'>,
  limit: LimitClass,
  key: string,
): LimitDecision {
  const decision = limits.countLocally(limit, key)
  if (decision.refused) throw new AppError('RATE_LIMITED', { retryAfter: decision.retryAfter, limit: decision })
  return decision
}

interface FailedClient {
  client: Client | undefined
  reason: ClientRejectionReason | undefined
}

/** The first failure of an address in a time window, also if there is no such client. */
const recordFailure = (ctx: Context, request: FastifyRequest, { client, reason }: FailedClient): Promise<void> =>
  transact(ctx, (tx) =>
    recordAudit(tx, {
      ...{ event: 'oauth_client_auth_failed', outcome: 'failure', device: deviceOf(request) },
      details: {
        ...(client && { client: client.clientId, name: client.name, reason }),
        route: request.routeOptions.url,
      },
    }),
  )
