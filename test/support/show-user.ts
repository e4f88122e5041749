import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Wardenry } from '../../packages/server/src/index.ts'
import { sendResponse } from '../../packages/server/src/send-response.ts'

/**
 * An application page that shows the user in `#user`, with a sign-out form. Visitors who are not signed in are
 * redirected to the sign-in page.
 */
export async function showUser(wardenry: Wardenry, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const result = await wardenry.requireUser(request)
  if (result instanceof Response) return sendResponse(result, reply)
  const form = '<form method="post" action="/sign-out"><button>Sign out</button></form>'
  reply.setHeader('content-type', 'text/html').end(`<p id="user">${result.user.email}</p>${form}`)
}
