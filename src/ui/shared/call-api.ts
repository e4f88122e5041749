import type { FastifyReply, FastifyRequest } from 'fastify'
import { inProcessHeaders } from '../../http/access/in-process.ts'
import { addressOfOperation } from '../../http/server/create-server.ts'
import type { HttpServer } from '../../http/server/types.ts'
import { AppError, type FieldProblem } from '../../lib/errors.ts'
import { flowHeader, flowIdOf } from '../flow/flow-cookies.ts'
import type { ApiCall } from './api-route.ts'

export type ApiResponse<Body> = { ok: true; body: Body } | { ok: false; status: number; rejection: ApiRejection }

export interface ApiRejection {
  code: string
  /** The error message in English. Shown only if a hook has written it. */
  error?: string
  details?: FieldProblem[]
  attempts_remaining?: number
  passkey_required?: true
  /** In seconds. */
  retryAfter?: number
}

/** Sends the visitor's cookies so that the API's permissions, limits and audit apply. Does not check form tokens. */
export async function callApi<Body>(
  http: HttpServer,
  request: FastifyRequest,
  reply: FastifyReply,
  apiCall: ApiCall<Body>,
): Promise<ApiResponse<Body>> {
  const { query, body, headers, file } = apiCall
  const address = addressOfOperation(http, apiCall)
  if (!address || !isPlain(address.path)) return { ok: false, status: 404, rejection: { code: 'NOT_FOUND' } }
  const upload = file && (await asUpload(file))
  const response = await http.inject({
    method: address.method,
    url: query.size > 0 ? `${address.path}?${query}` : address.path,
    remoteAddress: request.socket.remoteAddress ?? '',
    headers: { ...passedOn(request), accept: 'application/json', ...headers, ...upload?.headers, ...inProcessHeaders },
    ...(body && { payload: body }),
    ...(upload && { payload: upload.payload }),
  })
  for (const name of ['set-cookie', 'retry-after']) {
    const value = response.headers[name]
    if (value !== undefined) reply.header(name, value)
  }
  if (response.statusCode === 200) return { ok: true, body: response.json<Body>() }
  const wait = Number(response.headers['retry-after'] ?? Number.NaN)
  const rejection = { ...response.json<ApiRejection>(), ...(wait > 0 && { retryAfter: wait }) }
  // Sending the form again later does not help, so the page explains the problem.
  if (rejection.code === 'NOT_CONFIGURED') return { ok: false, status: response.statusCode, rejection }
  if (response.statusCode >= 500) throw new AppError(response.statusCode === 503 ? 'UNAVAILABLE' : 'INTERNAL_ERROR')
  return { ok: false, status: response.statusCode, rejection }
}

/** Paths contain values from forms. Empty segments, "." and ".." would change which route is called. */
const isPlain = (path: string): boolean =>
  URL.parse(path, 'http://localhost')?.pathname === path && !/\/(\/|$)/.test(path)

async function asUpload({ part, bytes }: NonNullable<ApiCall['file']>) {
  const form = new FormData()
  form.append(part, new Blob([Uint8Array.from(bytes)]), part)
  const whole = new Response(form)
  return {
    headers: { 'content-type': whole.headers.get('content-type') ?? '' },
    payload: Buffer.from(await whole.arrayBuffer()),
  }
}

/** Passes on only cookies as credentials. Always sets the user agent, because `inject` would otherwise add its own. */
function passedOn(request: FastifyRequest): Record<string, string> {
  const { headers } = request
  const flow = flowIdOf(request)
  return {
    'user-agent': headers['user-agent'] ?? '',
    ...(flow !== undefined && { [flowHeader]: flow }),
    ...Object.fromEntries(
      ['cookie', 'accept-language', 'x-forwarded-for'].flatMap((name) => {
        const value = headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    ),
  }
}
