import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { decodeMessage, metricsRequest, traceRequest } from './otlp-messages.ts'

export interface ReceivedSpan {
  name: string
  /** 1: internal, 2: server, 3: client. */
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string
  attributes: Record<string, string>
  resource: Record<string, string>
  isError: boolean
}

export interface ReceivedPoint {
  name: string
  type: 'gauge' | 'sum' | 'histogram'
  attributes: Record<string, string>
  /** For histograms, the number of observations. */
  value: number
  histogram?: { sum: number; counts: number[]; bounds: number[] }
}

export interface OtlpReceiver {
  url: string
  spans(): ReceivedSpan[]
  /** The data points from the last request that contained metrics. */
  points(): ReceivedPoint[]
  /** The received request bodies. */
  bodies(): Buffer[]
  headers(): IncomingHttpHeaders[]
  answerWith(status: number): void
  stop(): Promise<void>
}

/** A collector that stores the OTLP/HTTP requests it receives, in protobuf or JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const received: { path: string; body: Buffer; headers: IncomingHttpHeaders }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const { headers, url: path = '' } = request
    const sent = await buffer(request)
    if (status === 200)
      received.push({ path, headers, body: headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent })
    response.writeHead(status, { 'content-type': headers['content-type'] }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const messages = (wanted: string) =>
    received
      .filter(({ path }) => path === wanted)
      .map(({ body, headers }) => {
        if (headers['content-type'] === 'application/json') return JSON.parse(body.toString())
        return decodeMessage(body, wanted === '/v1/traces' ? traceRequest : metricsRequest)
      })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => messages('/v1/traces').flatMap(spansOf),
    points: () => messages('/v1/metrics').slice(-1).flatMap(pointsOf),
    bodies: () => received.map(({ body }) => body),
    headers: () => received.map(({ headers }) => headers),
    answerWith(wanted) {
      status = wanted
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the decoded messages follow opentelemetry-proto.
type Decoded = any

const textOf = (attributes: Decoded[] = []): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]))

const spansOf = ({ resourceSpans = [] }: Decoded): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }: Decoded) =>
    scopeSpans.flatMap(({ spans }: Decoded) =>
      spans.map(({ attributes, parentSpanId = '', status, ...span }: Decoded) => ({
        ...span,
        parentSpanId,
        attributes: textOf(attributes),
        resource: textOf(resource.attributes),
        isError: status?.code === 2,
      })),
    ),
  )

const pointsOf = ({ resourceMetrics = [] }: Decoded): ReceivedPoint[] =>
  resourceMetrics.flatMap(({ scopeMetrics }: Decoded) =>
    scopeMetrics.flatMap(({ metrics }: Decoded) => metrics.flatMap(pointsOfMetric)),
  )

function pointsOfMetric({ name, gauge, sum, histogram }: Decoded): ReceivedPoint[] {
  const type = gauge ? 'gauge' : sum ? 'sum' : 'histogram'
  return (gauge ?? sum ?? histogram).dataPoints.map((point: Decoded) => ({
    name,
    type,
    attributes: textOf(point.attributes),
    value: Number(point.asDouble ?? point.asInt ?? point.count),
    ...(histogram && {
      histogram: { sum: point.sum, counts: point.bucketCounts.map(Number), bounds: point.explicitBounds },
    }),
  }))
}
