import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { deviceOf } from '../access/device.ts'
import type { Decision, LimitClass } from '../limits/rate-limits.ts'
import type { Edge } from '../server/edge.ts'

/** Ends a request that is over its limit. */
export async function refuse(
  edge: Edge,
  request: FastifyRequest,
  limit: LimitClass,
  decision: Decision,
): Promise<never> {
  await reportRefusal(edge, request, limit, decision)
  throw new AppError('RATE_LIMITED', { retryAfter: decision.retryAfter })
}

/** One event a window: a flood of refusals must not become a flood of rows. */
export async function reportRefusal(
  edge: Edge,
  request: FastifyRequest,
  limit: LimitClass,
  decision: Decision,
): Promise<void> {
  if (decision.firstRefusal) await edge.audit('rate_limited', deviceOf(request), { details: { class: limit } })
}
