import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { deviceOf } from '../../http/access/device.ts'
import { isOwnForm } from '../../http/access/origins.ts'
import { onlyCookie } from '../../http/cookies/cookies.ts'
import { ownSessionOf } from '../../http/cookies/session-cookie.ts'
import { AppError } from '../../lib/errors.ts'
import { formTokenState, signFormToken, signFormTokenFor } from './form-token.ts'

export function createFormToken(ctx: Context, request: FastifyRequest, action: string, userId?: string): string {
  const about = [ctx.config, action, sessionOf(ctx, request), ctx.clock.now()] as const
  return userId === undefined ? signFormToken(...about) : signFormTokenFor(...about, userId)
}

export const stopPath = '/impersonation/stop'

/** The token for the form that ends the impersonation. Undefined if the visitor is not acting as another user. */
export const stopFormOf = (ctx: Context, request: FastifyRequest): string | undefined =>
  ownSessionOf(request, ctx.config) && createFormToken(ctx, request, stopPath)

/** The session owner, if known. */
export type FormSender = { id: string; user_type: string } | undefined

/**
 * Whether a page of this service created the form for this browser and the form is still valid. Throws for requests
 * from other sites: if the page were shown again with the submitted values and a new token, another site could prefill
 * a form that the user then submits.
 */
export async function isFromOwnForm(
  ctx: Context,
  request: FastifyRequest,
  { action, formToken, sender }: { action: string; formToken: string | undefined; sender?: FormSender },
): Promise<boolean> {
  if (!(await isSentFromHere(ctx, request, sender))) throw new AppError('CSRF_REJECTED')
  return await hasOwnToken(ctx, request, { action, token: sessionOf(ctx, request), formToken, sender })
}

interface SubmittedForm {
  action: string
  /** The session or link that the form belongs to. */
  token: string
  formToken: string | undefined
  sender?: FormSender
}

/** Records `csrf_rejected` for forged tokens, but not for expired ones, which come from a page left open too long. */
export async function hasOwnToken(
  ctx: Context,
  request: FastifyRequest,
  { action, token, formToken, sender }: SubmittedForm,
): Promise<boolean> {
  const state = formTokenState(ctx.config, action, token, formToken, ctx.clock.now())
  if (state === 'forged') await recordCsrf(ctx, request, { actor: sender, details: { reason: 'form_token' } })
  return state === 'valid'
}

/** Whether the request comes from a page of this service. Records `csrf_rejected` for requests from other sites. */
export async function isSentFromHere(ctx: Context, request: FastifyRequest, actor?: FormSender): Promise<boolean> {
  if (isOwnForm(request.headers, ctx.config)) return true
  await recordCsrf(ctx, request, { actor })
  return false
}

const recordCsrf = (
  ctx: Context,
  request: FastifyRequest,
  about: { actor: FormSender; details?: Record<string, unknown> },
): Promise<void> =>
  recordAudit(ctx, { event: 'csrf_rejected', outcome: 'failure', device: deviceOf(request), ...about })

/** Returns the session token, or an empty string if there is no session cookie or there are several different ones. */
export const sessionOf = ({ config }: Context, request: FastifyRequest): string =>
  onlyCookie(request.headers.cookie, config.SESSION_COOKIE_NAME) ?? ''
