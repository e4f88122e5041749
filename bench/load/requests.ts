/** What is sent: one request for each body, a POST unless it says otherwise. */
export interface Requests {
  name: string
  method?: 'GET'
  path: string
  headers: Record<string, string>
  bodies: string[]
}

const prepared = new Map<string, Buffer[]>()

export function prepare({ name, method, path, headers, bodies }: Requests): void {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
  const type = method === 'GET' ? '' : 'Content-Type: application/json\r\n'
  const head = `${method ?? 'POST'} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}${lines.join('')}`
  const requests = bodies.map((body) => Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`))
  prepared.set(name, requests)
}

export function requestsNamed(name: string): Buffer[] {
  const found = prepared.get(name)
  if (!found || found.length === 0) throw new Error(`no requests were prepared under the name ${name}`)
  return found
}
