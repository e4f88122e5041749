import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { deviceOf } from '../http/access/device.ts'
import { rulesAt } from '../http/responses/sign-in-rules.ts'
import { AppError } from '../lib/errors.ts'
import { flowIdOf, readFlow } from '../ui/flow/flow-cookies.ts'
import { rulesOfFlow } from '../ui/flow/flow-rules.ts'

/** Whether the application for which a visitor or a back end sends this request accepts registrations. */
export function isRegistrationAccepted(ctx: Context, request: FastifyRequest, flowId = flowIdOf(request)): boolean {
  const flow = flowId === undefined ? undefined : readFlow(ctx, request, flowId)
  return rulesOfFlow(ctx, flow).acceptsRegistrations && request.bridgeSecret?.application?.registration !== false
}

/** Whether the application that receives a mailed link accepts registrations. */
export function isRegistrationAcceptedAt(ctx: Context, target: string): boolean {
  return rulesAt(ctx, new URL(target)).acceptsRegistrations
}

/** Called before anything is looked up, so that the response does not depend on whether an account exists. */
export async function assertRegistrationAccepted(
  ctx: Context,
  request: FastifyRequest,
  flowId?: string,
): Promise<void> {
  if (isRegistrationAccepted(ctx, request, flowId)) return
  const details = { reason: 'application' }
  await recordAudit(ctx, { event: 'register', outcome: 'failure', device: deviceOf(request), details })
  throw new AppError('REGISTRATION_DISABLED')
}
