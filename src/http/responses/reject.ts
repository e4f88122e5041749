import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { deviceOf } from '../access/device.ts'
import type { LimitClass, LimitDecision } from '../limits/rate-limits.ts'
import type { HttpEdge } from '../server/edge.ts'

export async function sendRejection(
  edge: HttpEdge,
  request: FastifyRequest,
  limit: LimitClass,
  decision: LimitDecision,
): Promise<never> {
  await reportRejection(edge, request, limit, decision)
  throw new AppError('RATE_LIMITED', { retryAfter: decision.retryAfter })
}

/** Records one audit event per window so that a flood of requests does not fill the table. */
export async function reportRejection(
  edge: HttpEdge,
  request: FastifyRequest,
  limit: LimitClass,
  decision: LimitDecision,
): Promise<void> {
  if (decision.firstRejection) await edge.audit('rate_limited', deviceOf(request), { details: { class: limit } })
}
