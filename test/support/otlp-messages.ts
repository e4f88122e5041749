/** The parts of the OTLP protobuf messages (opentelemetry-proto) that the service sends. */
interface Field {
  name: string
  kind: 'text' | 'hex' | 'number' | 'double' | 'fixed' | Message
  isList?: true
}
type Message = Readonly<Record<number, Field>>

const one = (name: string, kind: Field['kind']): Field => ({ name, kind })
const many = (name: string, kind: Field['kind']): Field => ({ name, kind, isList: true })

const value: Message = {
  1: one('stringValue', 'text'),
  2: one('boolValue', 'number'),
  3: one('intValue', 'number'),
  4: one('doubleValue', 'double'),
}
const attribute: Message = { 1: one('key', 'text'), 2: one('value', value) }
const resource: Message = { 1: many('attributes', attribute) }
const scope: Message = { 1: one('name', 'text'), 2: one('version', 'text') }
const span: Message = {
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  3: one('traceState', 'text'),
  4: one('parentSpanId', 'hex'),
  5: one('name', 'text'),
  6: one('kind', 'number'),
  7: one('startTimeUnixNano', 'fixed'),
  8: one('endTimeUnixNano', 'fixed'),
  9: many('attributes', attribute),
  11: many('events', { 2: one('name', 'text'), 3: many('attributes', attribute) }),
  13: many('links', {}),
  15: one('status', { 2: one('message', 'text'), 3: one('code', 'number') }),
}
const numberPoint: Message = {
  2: one('startTimeUnixNano', 'fixed'),
  3: one('timeUnixNano', 'fixed'),
  4: one('asDouble', 'double'),
  6: one('asInt', 'fixed'),
  7: many('attributes', attribute),
}
const histogramPoint: Message = {
  2: one('startTimeUnixNano', 'fixed'),
  3: one('timeUnixNano', 'fixed'),
  4: one('count', 'fixed'),
  5: one('sum', 'double'),
  6: many('bucketCounts', 'fixed'),
  7: many('explicitBounds', 'double'),
  9: many('attributes', attribute),
}
const metric: Message = {
  1: one('name', 'text'),
  2: one('description', 'text'),
  5: one('gauge', { 1: many('dataPoints', numberPoint) }),
  7: one('sum', {
    1: many('dataPoints', numberPoint),
    2: one('aggregationTemporality', 'number'),
    3: one('isMonotonic', 'number'),
  }),
  9: one('histogram', { 1: many('dataPoints', histogramPoint), 2: one('aggregationTemporality', 'number') }),
}

export const traceRequest: Message = {
  1: many('resourceSpans', {
    1: one('resource', resource),
    2: many('scopeSpans', { 1: one('scope', scope), 2: many('spans', span) }),
  }),
}
export const metricsRequest: Message = {
  1: many('resourceMetrics', {
    1: one('resource', resource),
    2: many('scopeMetrics', { 1: one('scope', scope), 2: many('metrics', metric) }),
  }),
}

/** Decodes a message. The result has the structure of the JSON encoding. */
export function decodeMessage(bytes: Buffer, message: Message): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at)
    const wire = tag.value & 7
    const { content, end } = readContent(bytes, tag.end, wire)
    at = end
    const field = message[tag.value >> 3]
    if (!field) continue
    const values = wire === 2 && isFixed(field) ? chunks(content, 8) : [content]
    for (const each of values) {
      const decoded = decodeValue(each, field.kind)
      if (field.isList) found[field.name] = [...((found[field.name] as unknown[]) ?? []), decoded]
      else found[field.name] = decoded
    }
  }
  return found
}

const isFixed = ({ kind }: Field): boolean => kind === 'fixed' || kind === 'double'

function decodeValue(content: Buffer, kind: Field['kind']): unknown {
  if (kind === 'text') return content.toString('utf8')
  if (kind === 'hex') return content.toString('hex')
  if (kind === 'number') return readVarint(content, 0).value
  if (kind === 'double') return content.readDoubleLE()
  if (kind === 'fixed') return String(content.readBigUInt64LE())
  return decodeMessage(content, kind)
}

function readContent(bytes: Buffer, start: number, wire: number): { content: Buffer; end: number } {
  if (wire === 2) {
    const { value: length, end } = readVarint(bytes, start)
    return { content: bytes.subarray(end, end + length), end: end + length }
  }
  const size = wire === 1 ? 8 : wire === 5 ? 4 : readVarint(bytes, start).end - start
  return { content: bytes.subarray(start, start + size), end: start + size }
}

function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return { value, end: at + 1 }
  }
}

const chunks = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: bytes.length / size }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
