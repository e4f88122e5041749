import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Arrived {
  method: string
  url: string
  /** One entry per header line, with the name in lowercase. */
  headers: [name: string, value: string][]
  body: string
}

/** An application behind a gateway that records the requests it receives. */
export async function startRecordingApp() {
  const arrived: Arrived[] = []
  const server = createServer(async (message, response) => {
    const { method = '', url = '', rawHeaders } = message
    const names = rawHeaders.filter((_, index) => index % 2 === 0)
    const headers = names.map((name, index): [string, string] => [name.toLowerCase(), rawHeaders[index * 2 + 1] ?? ''])
    arrived.push({ method, url, headers, body: Buffer.concat(await message.toArray()).toString() })
    response.end('from the application')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    arrived,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface Visit {
  method?: string
  path?: string
  /** The header lines as sent, including repeated and unusual names. */
  headers?: [name: string, value: string][]
  body?: string
}

export interface Answered {
  status: number
  location: string | undefined
  text: string
}

/** Sends a visitor's request for app.example.com to the gateway on this port. */
export function visit(port: number, { method = 'GET', path = '/', headers = [], body }: Visit = {}): Promise<Answered> {
  const lines = [
    ['Host', 'app.example.com'],
    ...headers,
    ...(body ? [['Content-Length', `${Buffer.byteLength(body)}`]] : []),
  ]
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: lines.flat(),
      agent: false,
      timeout: 20_000,
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', reject).on('response', async (reply) => {
      const text = Buffer.concat(await reply.toArray()).toString()
      resolve({ status: reply.statusCode ?? 0, location: reply.headers.location, text })
    })
    asked.end(body)
  })
}
