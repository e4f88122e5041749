import { type LookupAddress, lookup } from 'node:dns'
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { hasPrivateAddress, isPublicAddress } from '../../lib/address.ts'
import { second } from '../../lib/time.ts'
import { failureSentence } from './failure-sentence.ts'
import { FetchFailed, type FetchPolicy, type FetchRequest, type GuardedFetch, NotPublic } from './port.ts'

/** With `cutsOff`, responses longer than `bytes` are cut off instead of being rejected. */
const usual = { connectMs: 5 * second, totalMs: 10 * second, bytes: 1024 * 1024, atOnce: 100, cutsOff: false }

export interface Connections {
  http: HttpAgent
  https: HttpsAgent
  close(): void
}

/**
 * Reusable connections. An IP address is checked only when its connection is opened, so all requests that share these
 * connections must have the same policy for IP addresses.
 */
export function keptConnections(): Connections {
  const options = { keepAlive: true, maxFreeSockets: 50, timeout: 15 * second }
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)]
  return {
    http,
    https,
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

export function createGuardedFetch(limits: Partial<typeof usual> = {}, kept?: Connections): GuardedFetch {
  const { connectMs, totalMs, bytes, atOnce, cutsOff } = { ...usual, ...limits }
  const underWay = new Map<string, number>()
  return async (text, request, policy) => {
    const url = new URL(text)
    assertAllowed(url, policy)
    const running = underWay.get(url.host) ?? 0
    if (running >= atOnce) throw new FetchFailed(`too many requests to ${url.host} are waiting`)
    underWay.set(url.host, running + 1)
    const timeUp = AbortSignal.timeout(totalMs)
    const signal = request.signal ? AbortSignal.any([request.signal, timeUp]) : timeUp
    try {
      const options = { signal, connectMs, bytes, cutsOff, anyAddress: isConfigured(url, policy) }
      if (kept === undefined) return await send(url, request, options)
      // The server may have closed the reused connection before reading the request.
      return await send(url, request, { ...options, kept }).catch((error) => {
        if (!(error instanceof StaleConnection)) throw error
        return send(url, request, options)
      })
    } catch (error) {
      if (error instanceof FetchFailed) throw error
      throw new FetchFailed(signal.aborted ? `${url.host} did not respond in time` : failureSentence(error, url.host))
    } finally {
      const left = (underWay.get(url.host) ?? 1) - 1
      if (left === 0) underWay.delete(url.host)
      else underWay.set(url.host, left)
    }
  }
}

const isConfigured = (url: URL, { configured }: FetchPolicy): boolean => configured.includes(url.origin)

function assertAllowed(url: URL, policy: FetchPolicy): void {
  const { host, protocol, username, password } = url
  if (!policy.hosts.includes(host) || username || password) throw new FetchFailed(`${host} is not an allowed host`)
  if (isConfigured(url, policy)) return
  if (protocol !== 'https:') throw new NotPublic(`${host} must be requested with https`)
  // Node.js calls `lookup` for host names only, so IP addresses are checked here.
  if (hasPrivateAddress(url)) throw new NotPublic(`${host} is not a public address`)
}

interface Limits {
  signal: AbortSignal
  connectMs: number
  bytes: number
  cutsOff: boolean
  anyAddress: boolean
  kept?: Connections
}

/** The `Response` constructor rejects a body with these statuses. Some servers send a body nevertheless. */
const bodiless = new Set([204, 205, 304])

/** A reused connection was closed before the response began. */
class StaleConnection extends Error {}

function send(url: URL, { method = 'GET', headers, body }: FetchRequest, limits: Limits): Promise<Response> {
  const options: RequestOptions = {
    method,
    // Compression is off because a small compressed response could expand to a very large one.
    headers: { ...headers, 'accept-encoding': 'identity', ...(body && { 'content-length': Buffer.byteLength(body) }) },
    signal: limits.signal,
    // By default, connections are not reused, because an open connection's IP address was not checked for this request.
    agent: limits.kept?.[url.protocol === 'https:' ? 'https' : 'http'] ?? false,
    ...(!limits.anyAddress && { lookup: publicLookup }),
  }
  return new Promise((resolve, reject) => {
    // Ends the request at the time limit even if the connection reports neither a response nor an error.
    limits.signal.addEventListener('abort', () => reject(new Error('the request was aborted')), { once: true })
    let received: IncomingMessage | undefined
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, async (reply) => {
      received = reply
      try {
        const content = await readAll(reply, url.host, limits)
        resolve(
          new Response(content.length > 0 && !bodiless.has(reply.statusCode ?? 0) ? content : null, {
            status: reply.statusCode ?? 500,
            headers: headersOf(reply.rawHeaders),
          }),
        )
      } catch (error) {
        request.destroy()
        reject(error)
      }
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server sent more than the response, such as a body with the status 204.
      if (received?.complete) return
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      reject(isStale ? new StaleConnection() : error)
    })
    // Node.js does not report 101 Switching Protocols as a response, and no longer applies the time limits afterwards.
    request.on('upgrade', (_reply, socket) => {
      socket.destroy()
      reject(new FetchFailed(`${url.host} switched protocols`))
    })
    limitConnecting(request, limits.connectMs)
    request.end(body)
  })
}

/** Checks the IP addresses in the connection's own DNS lookup to prevent DNS rebinding. */
const publicLookup: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const open = error ? [] : addresses.filter(({ address }) => isPublicAddress(address))
    const [first] = open
    if (!first) return done(error ?? new NotPublic(`${hostname} has no public address`), '', 0)
    if (options.all) return done(null, open)
    done(null, first.address, first.family)
  })

function limitConnecting(request: ClientRequest, connectMs: number): void {
  const timer = setTimeout(() => request.destroy(new Error('the connection timed out')), connectMs)
  request.on('socket', (socket) => {
    if (request.reusedSocket) stop()
    else socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', stop)
  })
  request.on('close', stop)
  function stop() {
    clearTimeout(timer)
  }
}

async function readAll(
  reply: AsyncIterable<Buffer>,
  host: string,
  { bytes: max, cutsOff }: Limits,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of reply) {
    size += chunk.length
    if (size > max && !cutsOff) throw new FetchFailed(`${host} sent more than ${max} bytes`)
    chunks.push(chunk)
    // Leaving the loop closes the connection.
    if (size >= max && cutsOff) break
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, max))
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}
