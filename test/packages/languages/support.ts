import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { freePort } from '../../support/free-port.ts'

/** A proxy between an application and the service. A test can replace the service's responses. */
export interface Front {
  url: string
  /** If set, responds to the application's requests in place of the service. */
  instead: ((reply: ServerResponse) => void) | undefined
  /** The paths requested so far. */
  paths: (string | undefined)[]
  /** The body of the last request that was passed on. */
  body: Record<string, string>
  close(): void
}

export async function startFront(service: string): Promise<Front> {
  const port = await freePort()
  const server = createServer(async (asked, reply) => {
    front.paths.push(asked.url)
    if (front.instead) return front.instead(reply)
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = asked.headers
    const init = { method: 'POST', headers: headers as Record<string, string>, body: await text(asked) }
    front.body = JSON.parse(init.body)
    const answer = await fetch(service + asked.url, init)
    reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }).listen(port, '127.0.0.1')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  const front: Front = { url: `http://127.0.0.1:${port}`, instead: undefined, paths: [], body: {}, close }
  return front
}

export interface Page {
  status: number
  location: string | undefined
  retryAfter: string | undefined
  text: string
  cookies: string[]
}

/** A minimal browser that keeps cookies and does not follow redirects automatically. */
export interface Visitor {
  cookies: Map<string, string>
  open(path: string): Promise<Page>
  send(path: string, headers?: Record<string, string>): Promise<Page>
}

export function visitorOf(url: string): Visitor {
  const cookies = new Map<string, string>()
  const load = async (path: string, method: string, more: Record<string, string> = {}): Promise<Page> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const browser = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
    const headers = { cookie, ...browser, ...(method === 'POST' && { origin: url }), ...more }
    // `fetch` sets `Sec-Fetch-Mode` itself, as for a script.
    const sent = request(url + path, { method, headers, agent: false }).end()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    const set = reply.headers['set-cookie'] ?? []
    for (const line of set) {
      const [, name = '', value = ''] = /^([^=]+)="?([^;"]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const { location, 'retry-after': retryAfter } = reply.headers
    return { status: reply.statusCode ?? 0, location, retryAfter, text: await text(reply), cookies: set }
  }
  return { cookies, open: (path) => load(path, 'GET'), send: (path, headers) => load(path, 'POST', headers) }
}
