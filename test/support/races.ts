import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How many times a race is run. RACE_ROUNDS=200 is more thorough, but takes too long for normal runs. */
export const raceRounds = (usual: number): number => Number(process.env.RACE_ROUNDS ?? usual)

export interface RaceRequest {
  method: string
  url: string
  headers?: Record<string, string>
  /** Strings are sent unchanged. Other values are sent as JSON. */
  body?: unknown
}

export interface RaceReply {
  status: number
  headers: Headers
  body: string
}

interface ReleaseOptions {
  /** Resolves when the servers have read all requests except for the last bytes. Default: waits for a short time. */
  ready?: () => Promise<unknown>
}

/**
 * To make the requests as simultaneous as possible, sends each one on its own connection except for its last byte, and
 * then sends all last bytes in one turn of the event loop. Returns the responses in request order.
 */
export async function releaseTogether(
  requests: RaceRequest[],
  { ready = () => sleep(25) }: ReleaseOptions = {},
): Promise<RaceReply[]> {
  const racers = await Promise.all(requests.map(prepare))
  await ready()
  for (const racer of racers) racer.socket.write(racer.lastByte)
  return Promise.all(racers.map((racer) => racer.reply))
}

interface Racer {
  socket: Socket
  lastByte: Buffer
  reply: Promise<RaceReply>
}

async function prepare(request: RaceRequest): Promise<Racer> {
  const url = new URL(request.url)
  const bytes = render(request, url)
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  await once(socket, 'connect')
  const reply = readAll(socket).then((received) => parseReply(received, request.method))
  await new Promise<void>((resolve, reject) => {
    socket.write(bytes.subarray(0, -1), (error) => (error ? reject(error) : resolve()))
  })
  return { socket, lastByte: bytes.subarray(-1), reply }
}

function render({ method, headers, body }: RaceRequest, url: URL): Buffer {
  const content = Buffer.from(body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body))
  const fields = new Headers({ ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers })
  if (content.length > 0) fields.set('content-length', String(content.length))
  const lines = [...fields].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const start = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n`
  return Buffer.concat([Buffer.from(`${start}${lines}\r\n`), content])
}

/** The data that the server sends until it closes the connection. The request contains `Connection: close`. */
async function readAll(socket: Socket): Promise<Buffer> {
  socket.setTimeout(30_000, () => socket.destroy(new Error('no reply within 30 seconds')))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export function parseReply(bytes: Buffer, method = 'GET'): RaceReply {
  const split = bytes.indexOf('\r\n\r\n')
  if (split < 0) throw new Error(`the reply ended within its head: ${JSON.stringify(bytes.toString())}`)
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, split).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1])
  const rest = bytes.subarray(split + 4)
  if (status < 200) return parseReply(rest, method)

  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  return { status, headers, body: hasBody ? readBody(rest, headers).toString() : '' }
}

function readBody(rest: Buffer, headers: Headers): Buffer {
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return joinChunks(rest)
  const length = Number(headers.get('content-length') ?? rest.length)
  if (rest.length < length) throw new Error(`the reply ended after ${rest.length} of ${length} bytes`)
  return rest.subarray(0, length)
}

function joinChunks(rest: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    const start = lineEnd + 2
    if (lineEnd < 0 || rest.length < start + size) throw new Error('the reply ended within a chunk')
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(start, start + size))
    at = start + size + 2
  }
}
