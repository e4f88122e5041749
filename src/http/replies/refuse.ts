import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { deviceOf } from '../access/device.ts'
import type { Decision, LimitClass } from '../limits/rate-limits.ts'
import type { Edge } from '../server/edge.ts'

export async function refuse(
  edge: Edge,
  request: FastifyRequest,
  limit: LimitClass,
  decision: Decision,
): Promise<never> {
  await reportRefusal(edge, request, limit, decision)
  throw new AppError('RATE_LIMITED', { retryAfter: decision.retryAfter })
}

/** One audit event per window, so that floods do not fill the table. */
export async function reportRefusal(
  edge: Edge,
  request: FastifyRequest,
  limit: LimitClass,
  decision: Decision,
): Promise<void> {
  if (decision.firstRefusal) await edge.audit('rate_limited', deviceOf(request), { details: { class: limit } })
}
