import type { FastifyRequest } from 'fastify'
import type { AppError } from '../../lib/errors.ts'
import { authorizationOf } from '../access/authorization.ts'

/** The codes of RFC 6749, 4.1.2.1, for the errors of every route. */
const general: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'temporarily_unavailable',
  UNAVAILABLE: 'temporarily_unavailable',
  MODULE_DISABLED: 'temporarily_unavailable',
  module_not_installed: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
}

/** RFC 6749, 5.2. The description never repeats input, and contains only the characters that are allowed there. */
export const oauthErrorBody = (error: AppError, requestId: string) => ({
  error: general[error.code] ?? (/^[a-z_]+$/.test(error.code) ? error.code : codeOfDetails(error)),
  error_description: descriptionOf(error).replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'"),
  request_id: requestId,
})

/** RFC 8707, 2: a resource that is malformed, or one of several where one is allowed. */
const codeOfDetails = ({ details = [] }: AppError): string =>
  details.length === 1 && details[0]?.field === 'resource' ? 'invalid_target' : 'invalid_request'

/** Names of members that no route has come from the request. */
function descriptionOf({ message, details = [] }: AppError): string {
  if (details.length === 0) return message
  return details
    .map(({ field, message: problem }) => `${/^[a-z_]{1,40}$/.test(field) ? field : 'A parameter'} ${problem}`)
    .join('; ')
}

/** RFC 6749, 5.2: the scheme is named if the client used it. Others might make a browser ask for a password. */
export const clientChallenge = (request: Pick<FastifyRequest, 'raw'>): string | undefined =>
  authorizationOf(request, 'basic').length > 0 ? 'Basic realm="oauth"' : undefined
