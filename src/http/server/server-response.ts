import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../lib/time.ts'

export interface ShutdownState {
  hasBegun: boolean
}

const restTimeoutMs = second

/** Counts and times each response when it ends. A Fastify hook would make a hot-path request 10% slower. */
export function responsesOf(shutdown: ShutdownState) {
  return class Response<Request extends IncomingMessage> extends ServerResponse<Request> {
    readonly #started = performance.now()

    override writeHead(
      status: number,
      reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
      headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
    ): this {
      if (shutdown.hasBegun) this.shouldKeepAlive = false
      return super.writeHead(status, reason as string, headers)
    }

    override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
      this.req.series?.observe(this.statusCode, (performance.now() - this.#started) / 1000)
      const end = () => super.end(chunk, encoding as BufferEncoding, done as () => void)
      if (!shutdown.hasBegun || !isStillSending(this.req)) return end()
      // Closing a connection with unread bytes would reset it, and the client might lose the response.
      readRest(this.req).then(end)
      return this
    }
  }
}

/** A client that is waiting for "100 Continue" is not sending a body. */
const isStillSending = (request: IncomingMessage): boolean =>
  !request.complete && !request.destroyed && request.headers.expect === undefined

async function readRest(request: IncomingMessage): Promise<void> {
  const over = new AbortController()
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) request.once(event, resolve)
  })
  request.resume()
  await Promise.race([ended, sleep(restTimeoutMs, undefined, { signal: over.signal }).catch(() => {})])
  over.abort()
}
