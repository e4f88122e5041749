import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, Tracer } from '@opentelemetry/api'
import type { RequestSpan, SpanDescription, TracedRequest, Tracing } from './port.ts'

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

/** The result never contains the error message, which may include personal data. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const code = 'code' in error ? String(error.code) : ''
  return /^[A-Z0-9_]{2,40}$/.test(code) ? code : error.constructor.name
}

export interface RemoteParent {
  traceId: string
  spanId: string
  isSampled: boolean
}

/** Version, trace id, parent id and flags (W3C Trace Context, 3.2). Later versions may append fields. */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-[^\s,]{1,256})?$/

/** Undefined if the header is missing, repeated or invalid. The request then starts a new trace. */
export function readTraceparent(header: string | string[] | undefined): RemoteParent | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId, spanId, flags = '', more] = form.exec(header) ?? []
  if (!traceId || !spanId || (version === '00' && more !== undefined)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
