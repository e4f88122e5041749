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
