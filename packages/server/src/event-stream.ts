import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Heartbeat } from './freshness.ts'
import type { Settings } from './options.ts'

export interface StreamHandler {
  /** `askedAt` is the time at which the request was sent. */
  start(event: { process: string; time: number; max_age: number }, askedAt: number): void
  heartbeat(event: Heartbeat): void
  /** `owner` is a user, or something else that can invalidate sessions. */
  revoked(owner: string): void
  missed(): void
  lost(): void
}

export interface EventStream {
  /** Resets the reconnect delay. Call this when the stream has proved to work. */
  proven(): void
  /** Closes the connection and opens a new one. */
  reconnect(): void
  close(): void
}

/** Delays before reconnecting, in milliseconds. */
const firstPause = 250
const maxPause = 30_000
/** In characters. Events are much shorter, so a longer line cannot come from the service. */
const maxLine = 64 * 1024

/**
 * Reads `GET /auth/bridge/events` and reconnects whenever the connection ends. Uses node:http because a `fetch`
 * connection would keep the process alive.
 */
export function followEvents(
  { internalUrl, bridgeSecret }: Pick<Settings, 'internalUrl' | 'bridgeSecret'>,
  handler: StreamHandler,
): EventStream {
  const address = new URL('/auth/bridge/events', internalUrl)
  const send = address.protocol === 'https:' ? requestHttps : requestHttp
  const headers = { accept: 'text/event-stream', 'x-bridge-secret': bridgeSecret }
  let pause = firstPause
  let isClosed = false
  let drop = () => {}
  let timer: NodeJS.Timeout | undefined

  const connect = () => {
    const askedAt = performance.now()
    const request = send(address, { headers, agent: false })
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      request.destroy()
      handler.lost()
      if (isClosed) return
      // The delay is random so that the back ends connected to a stopped node do not all reconnect at once.
      timer = setTimeout(connect, pause * (0.5 + Math.random() / 2)).unref()
      pause = Math.min(pause * 2, maxPause)
    }
    drop = end
    request.on('socket', (socket) => socket.unref())
    request.on('response', (response) => {
      if (response.statusCode !== 200) return end()
      const tell = (name: string, data: string) => {
        if (isOver) return
        try {
          dispatch(handler, name, data, askedAt)
        } catch {
          end()
        }
      }
      readEvents(response, tell, end)
    })
    request.on('error', end).on('close', end).end()
  }
  connect()

  return {
    proven() {
      pause = firstPause
    },
    reconnect: () => drop(),
    close() {
      isClosed = true
      clearTimeout(timer)
      drop()
    },
  }
}

function readEvents(response: IncomingMessage, tell: (name: string, data: string) => void, end: () => void): void {
  let rest = ''
  let name = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLine) return end()
    for (const line of lines) {
      if (line.startsWith('event: ')) name = line.slice(7)
      else if (line.startsWith('data: ')) tell(name, line.slice(6))
    }
  })
  response.on('end', end).on('error', end)
}

/** Checks that times are numbers, because every later comparison with NaN or undefined would be false. */
function dispatch(handler: StreamHandler, name: string, text: string, askedAt: number): void {
  const data = JSON.parse(text) as Record<string, unknown>
  const { process, time, age, max_age, user_id, owner_id = user_id } = data
  const isOfClock = typeof process === 'string' && Number.isFinite(time)
  if (name === 'start' && isOfClock && Number.isFinite(max_age)) {
    handler.start({ process, time: time as number, max_age: max_age as number }, askedAt)
  } else if (name === 'heartbeat' && isOfClock && isAge(age)) {
    handler.heartbeat({ process, time: time as number, age })
  } else if (name === 'revoked' && typeof owner_id === 'string') handler.revoked(owner_id)
  // An unknown event could be a revocation, so it is treated as a missed event.
  else handler.missed()
}

const isAge = (age: unknown): age is number => typeof age === 'number' && age >= 0
