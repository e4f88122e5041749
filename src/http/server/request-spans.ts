import type { RequestSpan, Tracing } from '../../adapters/tracing/port.ts'
import { trustedProxy } from '../access/trusted-proxies.ts'
import type { HttpServer } from './types.ts'

declare module 'node:http' {
  interface IncomingMessage {
    span?: RequestSpan
  }
}

/** Health checks and metrics requests arrive every few seconds and would hide other requests in the traces. */
const untraced: ReadonlySet<string | undefined> = new Set(['/health', '/health/live', '/health/ready', '/metrics'])

/** Called only if requests are traced, because hooks cost time on the hot path. */
export function addRequestSpans(http: HttpServer, tracing: Tracing, proxies: readonly string[]): void {
  // `traceparent` is read only from trusted proxies. Other clients could force or prevent recording, or add spans to
  // existing traces.
  const isFromProxy = trustedProxy(proxies)
  http.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request
    if (untraced.has(routeOptions.url)) return done()
    const traceparent = isFromProxy(request.raw) ? headers.traceparent : undefined
    const span = tracing.startRequest({ method, route: routeOptions.url, traceparent })
    request.raw.span = span
    span.run(done)
  })
  // Node.js emits request body events outside the request's original context.
  http.addHook('preValidation', (request, _reply, done) => {
    if (request.raw.span) request.raw.span.run(done)
    else done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    request.raw.span?.end(reply.statusCode)
    done()
  })
}
