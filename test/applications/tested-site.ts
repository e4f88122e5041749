import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWardenry, type WardenryOptions } from '../../packages/server/src/index.ts'
import { sendResponse } from '../../packages/server/src/send-response.ts'

export interface Site {
  url: string
  stop(): Promise<void>
}

/** A server on loopback. The listener gets the server's own address. */
export async function openServer(
  listen: (url: string) => RequestListener,
  create: (listener: RequestListener) => Server = createServer,
  protocol = 'http',
): Promise<Site> {
  let listener: RequestListener = () => {}
  const server = create((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`
  listener = listen(url)
  return {
    url,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type ResponseFilter = (response: Response, request: IncomingMessage) => Response

/** An application with @wardenry/server: `/private` requires a sign-in, other pages do not. */
export const openApplication = (
  options: Pick<WardenryOptions, 'url' | 'bridgeSecret'> & Partial<WardenryOptions>,
  change: ResponseFilter = (response) => response,
): Promise<Site> =>
  openServer((appUrl) => {
    const wardenry = createWardenry({ appUrl, maxSessions: 0, onError: () => {}, ...options })
    const answer = async (incoming: IncomingMessage): Promise<Response> => {
      const request = requestOf(appUrl, incoming)
      const handled = await wardenry.handle(request)
      if (handled) return handled
      if (!incoming.url?.startsWith('/private')) return new Response('public')
      const session = await wardenry.requireUser(request)
      return session instanceof Response ? session : new Response(`Hello ${session.user.name}`)
    }
    return async (incoming, reply) => {
      await sendResponse(change(await answer(incoming), incoming), reply)
    }
  })

const requestOf = (appUrl: string, { url = '/', method = 'GET', headers }: IncomingMessage): Request =>
  new Request(appUrl + url, { method, headers: headers as Record<string, string> })

/** Without the cookies whose name contains this word. */
export const withoutCookies =
  (word: string): ResponseFilter =>
  (response) => {
    const headers = new Headers(response.headers)
    headers.delete('set-cookie')
    for (const cookie of response.headers.getSetCookie())
      if (!cookie.includes(word)) headers.append('set-cookie', cookie)
    return new Response(response.body, { status: response.status, headers })
  }

export const redirectTo = (reply: ServerResponse, location: string): void =>
  void reply.writeHead(302, { location }).end()
