import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { anyOriginPreflightHeaders, preflightHeaders } from '../access/origins.ts'
import { type SharedRoutes, sharedPreflightHeaders } from '../access/sharing.ts'
import { assertRequestLine } from '../parsing/request-line.ts'
import { sendRejection } from '../responses/reject.ts'
import type { HttpEdge } from './edge.ts'
import type { RouteTable } from './route-table.ts'

/** Also handles preflight requests, and known paths with an unsupported method. */
export const notFoundHandler =
  (edge: HttpEdge, routes: RouteTable) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers.origin !== undefined) await edge.ctx.applications.whenCurrent()
    const decision = edge.limits.countLocally('read', edge.addressKey(request.raw))
    edge.writeHeaders(request, reply, decision)
    assertRequestLine(request, reply)
    if (decision.refused) return sendRejection(edge, request, 'read', decision)
    const methods = routes.methodsOf(request.raw.url ?? '')
    if (methods.length === 0) throw new AppError('NOT_FOUND')
    if (request.method !== 'OPTIONS') {
      reply.header('allow', methods.join(', '))
      throw new AppError('METHOD_NOT_ALLOWED')
    }
    const found = routes.at(request.raw.url ?? '')
    const shared = found.map(({ url }) => edge.shared.get(url)).find((one) => one !== undefined)
    if (shared) await grantShared(shared, { request, reply, methods })
    else if (found.every(({ rule }) => rule.anyOrigin)) {
      reply.removeHeader('access-control-allow-credentials')
      reply.headers(anyOriginPreflightHeaders)
    } else if (request.headers.origin !== undefined && edge.origins.has(request.headers.origin))
      reply.headers(preflightHeaders)
    return reply.header('allow', methods.join(', ')).code(200).send({ success: true })
  }

interface Preflight {
  request: FastifyRequest
  reply: FastifyReply
  methods: readonly string[]
}

/** The origins that other routes grant have no effect here. */
async function grantShared(shared: SharedRoutes, { request, reply, methods }: Preflight): Promise<void> {
  for (const name of ['origin', 'credentials']) reply.removeHeader(`access-control-allow-${name}`)
  reply.removeHeader('access-control-expose-headers')
  const { origin } = request.headers
  if (origin !== undefined && (await shared.allows(origin)))
    reply.headers(sharedPreflightHeaders(shared, { origin, methods }))
}
