import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify, { type HTTPMethods, type onRequestHookHandler } from 'fastify'
import type { TSchema } from 'typebox'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { guardOf } from '../access/guard.ts'
import { passwordGate, passwordMembersOf } from '../access/password-gate.ts'
import { reauthGate } from '../access/reauth-gate.ts'
import { routeRuleOf } from '../access/route-rules.ts'
import { shareResponse } from '../access/sharing.ts'
import { formType, parseFormBody, parseQuery } from '../parsing/form-body.ts'
import { parseJsonBody, textLimits } from '../parsing/json-body.ts'
import { compileSerializer, compileValidator } from '../parsing/validation.ts'
import { addFinalNewlines } from '../responses/send-prepared.ts'
import { clientErrorHandlers } from './client-error.ts'
import { createEdge, type EdgeParts, type HttpEdge } from './edge.ts'
import { errorHandler } from './error-handler.ts'
import { moduleGate } from './module-gate.ts'
import { notFoundHandler } from './not-found.ts'
import { requestIdOf, requestIds } from './request-ids.ts'
import { addRequestSpans } from './request-spans.ts'
import { type KnownRoute, RouteTable } from './route-table.ts'
import { responsesOf } from './server-response.ts'
import type { HttpServer, TypeBoxProvider } from './types.ts'

export function createServer(ctx: Context, parts: EdgeParts): HttpServer {
  const edge = createEdge(ctx, parts)
  const newRequestId = requestIds()
  const handleError = errorHandler(edge)
  const clientErrors = clientErrorHandlers(edge, newRequestId)
  const shutdown = { hasBegun: false }
  const http = fastify({
    bodyLimit,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 200,
      querystringParser: parseQuery,
    },
    // With `requireHostHeader`, Node.js would reject requests without Host and omit the service's headers.
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // Node.js checks the timeouts at this interval.
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      ServerResponse: responsesOf(shutdown),
    },
    keepAliveTimeout: 72_000,
    requestTimeout: 30_000,
    genReqId: requestIdOf(ctx.config.TRUSTED_PROXIES, newRequestId),
    requestIdHeader: false,
    clientErrorHandler: clientErrors.rejectBytes,
    frameworkErrors: handleError,
    forceCloseConnections: 'idle',
    // A stopping node continues to handle requests.
    return503OnClosing: false,
    exposeHeadRoutes: true,
  }).withTypeProvider<TypeBoxProvider>()
  http.setValidatorCompiler(({ schema, httpPart }) =>
    compileValidator({ schema: schema as TSchema, ...(httpPart && { httpPart }) }),
  )
  http.setSerializerCompiler(compileSerializer)
  // Declares QUERY without a body. Otherwise, Fastify would read the body before checking the path.
  http.addHttpMethod('QUERY', { overrideExisting: true })
  addParsers(http)
  http.decorate('shutdown', shutdown)
  addFinalNewlines(http, ctx.config)
  if (ctx.tracing) addRequestSpans(http, ctx.tracing, ctx.config.TRUSTED_PROXIES)
  const table = addRules(http, edge)
  http.setErrorHandler(handleError)
  addExpectations(http, table)
  http.server.on('connect', clientErrors.rejectTunnel)
  return http
}

const bodyLimit = 100 * 1024
const largeBodyLimit = 2 * 1024 * 1024

const tables = new WeakMap<HttpServer, RouteTable>()

/** Permission, limit and header tests are generated from this list. */
export const routesOf = (http: HttpServer): readonly KnownRoute[] => tables.get(http)?.routes ?? []

/** The method and path of an operation. Undefined if no registered route has this operation and these parameters. */
export const addressOfOperation = (
  http: HttpServer,
  { operationId, params }: { operationId: string; params: Record<string, string> },
): { method: HTTPMethods; path: string } | undefined => tables.get(http)?.addressOf(operationId, params)

function addParsers(http: HttpServer): void {
  http.removeAllContentTypeParsers()
  const parsers = { 'application/json': parseJsonBody, [formType]: parseFormBody }
  for (const [type, parse] of Object.entries(parsers)) {
    http.addContentTypeParser(type, { parseAs: 'buffer' }, (request, bytes, done) => {
      if (request.is404) return done(null)
      const maxTextLength = request.routeOptions.config.largeBody ? textLimits.large : textLimits.usual
      try {
        done(null, parse(bytes as Buffer, maxTextLength))
      } catch (error) {
        done(error as Error)
      }
    })
  }
  http.addContentTypeParser('*', (request, payload, done) => {
    if (!request.is404 && !request.routeOptions.config.forGateways) return done(new AppError('UNSUPPORTED_MEDIA_TYPE'))
    payload.resume()
    done(null)
  })
  // The handler reads uploads after authorization.
  http.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
}

function addRules(http: HttpServer, edge: HttpEdge): RouteTable {
  const table = new RouteTable()
  tables.set(http, table)
  http.decorate('headerList', edge.headerList)
  http.decorate('limits', edge.limits)
  http.decorateRequest('auth')
  http.decorateRequest('key')
  http.decorateRequest('endUser')
  http.decorateRequest('bridgeSecret')
  http.decorateRequest('sharedWith')
  http.decorateRequest('clientAddress', {
    getter() {
      return edge.addressOf(this.raw)
    },
  })
  http.addHook('onRoute', (route) => {
    const rule = routeRuleOf(route)
    // PATCH is an alias for PUT. The OpenAPI document omits the alias.
    if (route.method === 'PUT') http.route({ ...route, method: 'PATCH', config: { ...route.config, hidden: true } })
    table.add(route, rule)
    if (rule.largeBody) route.bodyLimit = largeBodyLimit
    if (rule.forGateways) route.onRequest = forgetMediaType
    route.preValidation = guardOf(edge, route, rule)
    const shared = edge.shared.get(route.url)
    if (shared) route.onSend = shareResponse(shared)
    const passwords = passwordMembersOf(route.schema)
    const gates = [
      ...(rule.module ? [moduleGate(edge.ctx.modules, rule.module)] : []),
      ...(passwords.length > 0 ? [passwordGate(edge, rule.name, passwords)] : []),
      ...(rule.access.adminReauth ? [reauthGate(edge)] : []),
    ]
    if (gates.length > 0) route.preHandler = gates
  })
  http.setNotFoundHandler(notFoundHandler(edge, table))
  if (edge.ctx.config.LOG_REQUESTS === 'all') {
    http.addHook('onResponse', async (request, reply) => {
      const { id, method, routeOptions } = request
      edge.ctx.log.info(
        {
          request_id: id,
          method,
          route: routeOptions.url,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'request',
      )
    })
  }
  return table
}

/** Gateways forward their visitors' media types. Without one, no parser reads the body, and it has no limit. */
const forgetMediaType: onRequestHookHandler = ({ headers }, _reply, done) => {
  headers['content-type'] = undefined
  done()
}

/** Rejects oversized bodies before the client sends them. Unknown expectations are ignored (RFC 9110, 10.1.1). */
function addExpectations({ server }: HttpServer, table: RouteTable): void {
  const handle = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response)
  server.on('checkExpectation', handle)
  server.on('checkContinue', (request, response) => {
    const rules = table.at(request.url ?? '').map(({ rule }) => rule)
    const maxBytes = rules.some(({ largeBody }) => largeBody) ? largeBodyLimit : bodyLimit
    const isTooLarge = Number(request.headers['content-length']) > maxBytes
    // The handler enforces the upload limit.
    if (!isTooLarge || rules.some(({ upload }) => upload !== '')) response.writeContinue()
    handle(request, response)
  })
}
