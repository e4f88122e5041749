import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { deviceOf } from '../../http/access/device.ts'
import { isOwnForm } from '../../http/access/origins.ts'
import { onlyCookie } from '../../http/cookies/cookies.ts'
import { isOurFormToken, signFormToken } from './form-token.ts'

/** The hidden value of a form, for its action and the session of this browser. */
export const formValue = (ctx: Context, request: FastifyRequest, action: string): string =>
  signFormToken(ctx.config, action, sessionOf(ctx, request), ctx.clock.now())

/** Who holds the session that a form was sent with, where that is known. */
export type Sender = { id: string; user_type: string } | undefined

/** Whether a form that was posted is ours, made for this browser a short while ago, and sent from a page of ours. */
export const isFromOwnForm = async (
  ctx: Context,
  request: FastifyRequest,
  { action, formToken, sender }: { action: string; formToken: string | undefined; sender?: Sender },
): Promise<boolean> =>
  (await isSentFromHere(ctx, request, sender)) &&
  isOurFormToken(ctx.config, action, sessionOf(ctx, request), formToken, ctx.clock.now())

/** Whether a form was sent from a page of this service. One that was not leaves the trace that the API leaves of it. */
export async function isSentFromHere(ctx: Context, request: FastifyRequest, actor?: Sender): Promise<boolean> {
  if (isOwnForm(request.headers, ctx.config)) return true
  await recordAudit(ctx, { event: 'csrf_rejected', outcome: 'failure', device: deviceOf(request), actor })
  return false
}

/** What the browser holds as its session; empty when that is nothing, or nothing clear. */
export const sessionOf = ({ config }: Context, request: FastifyRequest): string =>
  onlyCookie(request.headers.cookie, config.SESSION_COOKIE_NAME) ?? ''
