import { Agent, type RequestOptions, request as sendPlain } from 'node:http'
import { Agent as SecureAgent, request as sendSecure } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { drawn, multipart, multipartType } from '../pictures/support.ts'
import { bridgeSecret, newAddress, type Registered, registerAt } from './nodes.ts'
import { restartCount } from './restarts.ts'

export interface SteadyLoad {
  /** The number of successful requests by kind. */
  answered: Record<string, number>
  /** The number of failed requests by kind. */
  failures: Record<string, number>
  /** The number of new connections that were reset before the first byte of a response. */
  resets: number
  stop(): Promise<void>
}

interface Call extends RequestOptions {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: string | Buffer
}

const longestRun = 280_000 * Math.max(1, restartCount / 20)
const intervalMs = 50

/**
 * Clients with one persistent connection each, which send requests one after the other: user reads and writes, back-end
 * validations, and uploads. A request is sent to the first origin that accepts a connection. The order of the origins
 * rotates.
 */
export async function startSteadyLoad(registerAtUrl: string, origins: readonly string[]): Promise<SteadyLoad> {
  const picture = multipart([{ name: 'picture', bytes: await drawn(64, 64).jpeg().toBuffer() }])
  const people: Registered[] = []
  for (let index = 0; index < 8; index++) people.push(await registerAt(registerAtUrl))
  const load: SteadyLoad = { answered: {}, failures: {}, resets: 0, stop: async () => {} }
  let stopped = false
  // The load also ends if a test fails before stopping it.
  const end = performance.now() + longestRun
  const work = async (user: Registered, worker: number) => {
    const send = client()
    const calls = worker === 0 ? [uploadOf(user, picture)] : callsOf(user)
    for (let index = worker; !stopped && performance.now() < end; index++) {
      const call = calls[index % calls.length]!
      const kind = `${call.method} ${call.path.split('?')[0]}`
      const outcome = await firstThatAccepts(origins, index, (origin) =>
        send(origin, call).catch((error: SendError) => {
          if (isReset(error)) load.resets++
          throw error
        }),
      )
      if (outcome === 200) load.answered[kind] = (load.answered[kind] ?? 0) + 1
      else load.failures[`${kind}: ${outcome}`] = (load.failures[`${kind}: ${outcome}`] ?? 0) + 1
      await sleep(worker === 0 ? 5 * intervalMs : intervalMs)
    }
    send.close()
  }
  const workers = people.map(work)
  load.stop = async () => {
    stopped = true
    await Promise.all(workers)
  }
  return load
}

/**
 * Retries like a client without a proxy. If a connection is refused, the request was not sent. If a new connection is
 * reset, the request may have been handled, but all requests in this load can be repeated.
 */
async function firstThatAccepts(
  origins: readonly string[],
  turn: number,
  send: (origin: string) => Promise<number | string>,
): Promise<number | string> {
  for (let index = 0; index < origins.length; index++) {
    try {
      return await send(origins[(turn + index) % origins.length]!)
    } catch (error) {
      const failure = error as SendError
      const mayRepeat = failure.code === 'ECONNREFUSED' || isReset(failure)
      if (!mayRepeat || index === origins.length - 1) return `${failure.code} ${failure.message}`
    }
  }
  return 'no origin'
}

/** `isEarly`: the error occurred on a new connection before any byte of the response arrived. */
type SendError = NodeJS.ErrnoException & { isEarly?: boolean }

/** The error has a `syscall` only if the operating system reset the connection, not if the node closed it. */
const isReset = ({ code, syscall, isEarly }: SendError): boolean =>
  code === 'ECONNRESET' && syscall !== undefined && isEarly === true

function callsOf({ sessionToken, email, password }: Registered): Call[] {
  const own = { 'x-session-id': sessionToken }
  const json = { 'content-type': 'application/json' }
  return [
    { method: 'GET', path: `/auth/me?session_id=${sessionToken}` },
    {
      method: 'POST',
      path: '/auth/bridge/validate',
      headers: { ...json, 'x-bridge-secret': bridgeSecret },
      body: JSON.stringify({ session_id: sessionToken }),
    },
    { method: 'GET', path: '/login', headers: { accept: 'text/html' } },
    { method: 'PUT', path: '/auth/profile', headers: { ...own, ...json }, body: JSON.stringify({ title: 'Countess' }) },
    { method: 'POST', path: '/auth/login', headers: json, body: JSON.stringify({ email, password }) },
  ]
}

const uploadOf = ({ sessionToken }: Registered, body: Buffer): Call => ({
  method: 'POST',
  path: '/auth/upload/picture',
  headers: { 'x-session-id': sessionToken, ...multipartType },
  body,
})

/** Sends requests on one connection per origin. Returns the status, or the entire response if it is not 200. */
function client() {
  const options = { keepAlive: true, maxSockets: 1 }
  const plain = new Agent(options)
  const secure = new SecureAgent({ ...options, rejectUnauthorized: false })
  const send = (origin: string, { body, headers, ...call }: Call): Promise<number | string> =>
    new Promise((resolve, reject) => {
      const isSecure = origin.startsWith('https:')
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const all = { host: 'id.example.com', 'x-forwarded-for': newAddress(), ...headers, ...length }
      const sent = (isSecure ? sendSecure : sendPlain)(
        origin,
        { ...call, headers: all as Record<string, string>, agent: isSecure ? secure : plain, timeout: 20_000 },
        (reply) => {
          text(reply).then(
            (received) => resolve(reply.statusCode === 200 ? 200 : `${reply.statusCode} ${received}`),
            reject,
          )
        },
      )
      sent.on('error', (error: SendError) => {
        const isEarly = !sent.reusedSocket && !sent.socket?.bytesRead
        reject(Object.assign(error, { isEarly }))
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer')))
      sent.end(body)
    })
  return Object.assign(send, {
    close() {
      plain.destroy()
      secure.destroy()
    },
  })
}
