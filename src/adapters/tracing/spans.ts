import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, Tracer } from '@opentelemetry/api'
import type { RequestSpan, SpanDescription, TracedRequest, Tracing } from './port.ts'
import { readTraceparent } from './traceparent.ts'

type Api = typeof import('@opentelemetry/api')

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])

export function createSpans(
  { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags }: Api,
  tracer: Tracer,
): Tracing {
  const requests = new AsyncLocalStorage<Span>()

  function parentOf({ traceparent }: TracedRequest) {
    const remote = readTraceparent(traceparent)
    if (!remote) return ROOT_CONTEXT
    const { traceId, spanId, isSampled } = remote
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
  }

  function startRequest(request: TracedRequest): RequestSpan {
    const method = methods.has(request.method) ? request.method : '_OTHER'
    const { route } = request
    const attributes = { 'http.request.method': method, ...(route && { 'http.route': route }) }
    const name = `${method} ${route ?? 'unmatched'}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parentOf(request))
    return {
      run: (work) => requests.run(span, work),
      end(status) {
        span.setAttribute('http.response.status_code', status)
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  async function record<Result>(
    { name, kind, attributes }: SpanDescription,
    parent: Span | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    const span = tracer.startSpan(
      name,
      { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes },
      context,
    )
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', errorType(error))
      throw error
    } finally {
      span.end()
    }
  }

  return {
    startRequest,
    inSpan(span, work) {
      const parent = requests.getStore()
      return parent?.isRecording() ? record(span, parent, work) : work()
    },
    inOwnTrace: (span, work) => record(span, undefined, work),
  }
}

/** Never contains the message, which may contain personal data. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const code = 'code' in error ? String(error.code) : ''
  return /^[A-Z0-9_]{2,40}$/.test(code) ? code : error.constructor.name
}
