import type { FastifyReply, FastifyRequest } from 'fastify'
import { databaseFault, missesObject } from '../../db/errors.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { bearerChallenge } from '../access/auth.ts'
import { deviceOf } from '../access/device.ts'
import type { LimitClass } from '../limits/rate-limits.ts'
import { isFormPost } from '../parsing/form-body.ts'
import { inOwnSpelling } from '../parsing/normalize-members.ts'
import { clientChallenge, oauthErrorBody } from '../responses/oauth-error.ts'
import { reportRejection } from '../responses/reject.ts'
import { showScarcer } from '../responses/response-headers.ts'
import { asksForJson, namesHtml } from '../responses/wants-page.ts'
import type { HttpEdge } from './edge.ts'
import type { RespelledRequest } from './types.ts'

export const errorHandler =
  (edge: HttpEdge) => async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toAppError(thrown)
    if (missesObject(thrown)) edge.ctx.modules.suspect()
    await chargeIfUncounted(edge, request, reply, error)
    if (error.code === 'REAUTH_REQUIRED') await recordMissingProof(edge, request)
    if (error.status >= 500) logFailure(edge, request, error, thrown)
    else if (edge.ctx.config.LOG_REQUESTS !== 'none') {
      edge.ctx.log.info(
        {
          request_id: request.id,
          method: request.method,
          route: request.routeOptions.url,
          status: error.status,
          error_code: error.code,
        },
        'refused',
      )
    }
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
    if (error.limit) showScarcer(reply, error.limit)
    const challenge = error.status === 401 ? challengeFor(request, error) : undefined
    if (challenge !== undefined) reply.header('www-authenticate', challenge)
    reply.code(error.status)
    if (isForUser(request)) return edge.errorPage(request, reply, error)
    if (request.routeOptions.config?.errors === 'oauth')
      return reply.type('application/json; charset=utf-8').send(oauthErrorBody(error, request.id))
    return reply.type('application/json; charset=utf-8').send(errorBody(error, request.id, request.raw))
  }

const challengeFor = (request: FastifyRequest, error: AppError): string | undefined =>
  request.routeOptions.config?.errors === 'oauth' ? clientChallenge(request) : bearerChallenge(request, error.code)

/** If a stolen session is used, the rejected requests must be visible in the audit trail. */
async function recordMissingProof(edge: HttpEdge, request: FastifyRequest): Promise<void> {
  const details = { route: `${request.method} ${request.routeOptions.url}`, code: 'REAUTH_REQUIRED' }
  const recording = edge.audit('authz_denied', deviceOf(request), { actor: request.auth.user, details })
  // A failure to record the event must not change the response.
  await recording.catch((err) => edge.ctx.log.error({ err }, 'could not record a rejection in the audit trail'))
}

function isForUser(request: FastifyRequest): boolean {
  const { method, headers, routeOptions, url } = request
  if (!namesHtml(request) || asksForJson(request)) return false
  const { hidden, limitForPages, form, forGateways, errors } = routeOptions.config ?? {}
  if (forGateways || errors === 'oauth') return false
  if (method === 'POST') return form === true && (hidden === true || isFormPost(request))
  if (method !== 'GET') return false
  return (
    hidden === true ||
    limitForPages !== undefined ||
    (routeOptions.url === undefined && (headers['sec-fetch-dest'] === 'document' || !isOfApi(url)))
  )
}

/** Unknown URLs below these paths return JSON even to clients that accept HTML, except during browser navigation. */
const isOfApi = (url: string): boolean => /^\/(auth|api|health)(\/|$)/.test(url)

export const errorBody = (error: AppError, requestId: string, spelled: RespelledRequest = {}) => ({
  success: false as const,
  error: error.message,
  code: error.code,
  ...(error.details && { details: inOwnSpelling(error.details, spelled) }),
  ...(error.unknownCredential && { unknown_credential: true }),
  ...(error.passkeyRequired && { passkey_required: true }),
  ...(error.required && { required: error.required }),
  ...(error.attemptsRemaining !== undefined && { verified: false, attempts_remaining: error.attemptsRemaining }),
  request_id: requestId,
})

export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (isBrokenOff(thrown)) return invalidField('body', 'was not sent completely')
  const fault = databaseFault(thrown)
  if (fault) return new AppError('UNAVAILABLE', { ...fault, cause: thrown })
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('UNSUPPORTED_MEDIA_TYPE')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidField('body', 'does not match the Content-Length')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('NOT_FOUND')
    default:
      return new AppError('INTERNAL_ERROR', { cause: thrown })
  }
}

/** Fastify uses this code and status if a client disconnects while sending the body. */
const isBrokenOff = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  thrown.code === 'ECONNRESET' &&
  'statusCode' in thrown &&
  thrown.statusCode === 400

function logFailure(edge: HttpEdge, request: FastifyRequest, error: AppError, thrown: unknown): void {
  const line = {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
    error_code: error.code,
  }
  if (error.code === 'INTERNAL_ERROR') edge.ctx.log.error({ ...line, err: thrown }, 'request failed')
  else edge.ctx.log.warn({ ...line, ...reasonOf(error.cause) }, 'request refused')
}

function reasonOf(cause: unknown) {
  if (!(cause instanceof Error)) return {}
  const { code, syscall } = cause as Error & { code?: unknown; syscall?: unknown }
  return { reason: cause.message, reason_code: code, syscall }
}

/** Counts requests that failed before the rate limit check, such as those with invalid JSON. */
async function chargeIfUncounted(
  edge: HttpEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError,
): Promise<void> {
  if (reply.hasHeader('x-ratelimit-limit')) return
  if (request.raw.counted) return edge.writeHeaders(request, reply, request.raw.counted)
  const limit = classOf(request, error)
  const key = edge.addressKey(request.raw)
  try {
    const decision = edge.limits.isLocal(limit)
      ? edge.limits.countLocally(limit, key)
      : await edge.limits.count(limit, key)
    edge.writeHeaders(request, reply, decision)
    await reportRejection(edge, request, limit, decision)
  } catch {
    if (!reply.hasHeader('x-ratelimit-limit')) edge.writeHeaders(request, reply, edge.limits.countLocally('read', key))
  }
}

/** Any site can make its visitors submit a form. These submissions must not use up the visitors' sign-in attempts. */
const classOf = ({ routeOptions }: FastifyRequest, { code }: AppError): LimitClass =>
  code === 'UNSUPPORTED_MEDIA_TYPE' ? 'read' : (routeOptions.config?.limit ?? 'read')
