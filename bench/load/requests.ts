/** The requests to send, one per body. The method defaults to POST. */
export interface Requests {
  name: string
  method?: 'GET' | 'POST'
  path: string
  /** If set, one request without a body is sent to each of these paths instead. */
  paths?: string[]
  headers: Record<string, string>
  /** The type of the bodies. Default: `application/json`. */
  type?: string
  bodies: string[]
  /** If set, one request without a body is sent to `path` with each of these cookies instead. */
  cookies?: string[]
  /** If set, the first body is sent from each of these IP addresses, which a proxy would report. */
  from?: string[]
}

const prepared = new Map<string, Buffer[]>()

export function prepare({ name, method, path, paths, headers, type, bodies, cookies, from }: Requests): void {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
  const typeLine = method === 'GET' ? '' : `Content-Type: ${type ?? 'application/json'}\r\n`
  const head = (to: string) => `${method ?? 'POST'} ${to} HTTP/1.1\r\nHost: 127.0.0.1\r\n${typeLine}${lines.join('')}`
  if (cookies) {
    prepared.set(
      name,
      cookies.map((cookie) => Buffer.from(`${head(path)}Cookie: ${cookie}\r\n\r\n`)),
    )
    return
  }
  const withBody = (body: string, more = '') =>
    Buffer.from(`${head(path)}${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  const requests = paths
    ? paths.map((one) => Buffer.from(`${head(one)}\r\n`))
    : from
      ? from.map((address) => withBody(bodies[0] ?? '', `X-Forwarded-For: ${address}\r\n`))
      : bodies.map((body) => withBody(body))
  prepared.set(name, requests)
}

export function requestsNamed(name: string): Buffer[] {
  const found = prepared.get(name)
  if (!found || found.length === 0) throw new Error(`no requests were prepared under the name ${name}`)
  return found
}
