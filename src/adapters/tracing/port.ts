import type { ProcessMetrics } from '../metrics/add-up.ts'
import type { SpanLoss } from '../metrics/port.ts'

/** Spans never contain ids, addresses, secrets or client input. */
export interface Tracing {
  startRequest(request: TracedRequest): RequestSpan
  /** Runs `work` in a child span of the current request. Outside a traced request, just runs `work`. */
  inSpan<Result>(span: SpanDescription, work: () => Promise<Result>): Promise<Result>
  /** Runs `work` in a span that starts a new trace. */
  inOwnTrace<Result>(span: SpanDescription, work: () => Promise<Result>): Promise<Result>
}

/** The connection to an OpenTelemetry collector. Exists only if traces or metrics are exported. */
export interface Telemetry {
  /** Undefined if only metrics are exported. */
  tracing: Tracing | undefined
  /** `read` is called whenever the metrics are sent. */
  exportMetrics(read: () => Promise<ProcessMetrics>): void
  /** `report` is called for spans that were dropped before they reached the collector. */
  onSpansDropped(report: OnSpansDropped): void
  /** Sends the remaining spans and metrics, within a time limit. */
  close(): Promise<void>
}

export type OnSpansDropped = (reason: SpanLoss, count: number) => void

export interface TracedRequest {
  method: string
  /** The route's template, or undefined if no route matches. */
  route: string | undefined
  traceparent: string | string[] | undefined
}

export interface RequestSpan {
  /** Makes this span the parent of all spans that `work` starts. */
  run(work: () => void): void
  end(status: number): void
}

export interface SpanDescription {
  name: string
  kind: 'client' | 'internal'
  attributes: Readonly<Record<string, string>>
}
