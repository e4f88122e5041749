import { request } from 'node:http'
import type { Requests } from '../load/requests.ts'
import type { FixedResponse } from './http.ts'

// node:http adds these headers in both the yardstick and the service.
const written = ['date', 'connection', 'keep-alive']

/** Returns the service's response to the first of these requests. The yardstick repeats it. */
export function captureResponse(
  port: number,
  { method = 'POST', path, headers, bodies, cookies }: Requests,
): Promise<FixedResponse> {
  return new Promise((resolve, reject) => {
    const requested = request({
      port,
      path,
      method,
      agent: false,
      headers: {
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...headers,
        ...(cookies && { cookie: cookies[0] }),
      },
    })
    requested.on('error', reject).on('response', async (reply) => {
      const body = Buffer.concat(await reply.toArray()).toString()
      if (reply.statusCode !== 200) reject(new Error(`${path} was answered with ${reply.statusCode}: ${body}`))
      resolve({ headers: withoutWritten(reply.rawHeaders), body })
    })
    requested.end(bodies[0])
  })
}

/** `raw` alternates between names and values, as in node:http. */
const withoutWritten = (raw: string[]): string[] =>
  raw.filter((_, index) => !written.includes((raw[index - (index % 2)] ?? '').toLowerCase()))
