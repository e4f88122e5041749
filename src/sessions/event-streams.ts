import type { ServerResponse } from 'node:http'
import type { SessionCache } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { maxFeedAge } from './session-cache.ts'

interface Parts {
  sessions: Pick<SessionCache, 'feedAge' | 'watchRevocations'>
  /** Names this process: another one has another clock, and may have missed what this one sent. */
  process: string
  /** In milliseconds: how long a session may be cached after it was read. */
  maxAge: number
  /** The service is stopping: streams end, so that clients connect to another node. */
  isStopping(): boolean
}

/** In milliseconds. */
const heartbeatInterval = 300
/** A client that reads so much too slowly, in bytes, is disconnected: it asks the service meanwhile. */
const maxUnread = 256 * 1024
/** More revocations in one turn of the event loop, and one line that outdates everything is cheaper. */
const maxLines = 500
const limits = { perSecret: 2_000, inAll: 4_000 }

/**
 * The streams of `GET /auth/bridge/events`. A heartbeat says: at `time` on the clock of this process, every revocation
 * that was committed `age` milliseconds before had been sent on this stream. Heartbeats and revocations are written once
 * for all streams.
 */
export function createEventStreams({ sessions, process, maxAge, isStopping }: Parts) {
  const streams = new Set<ServerResponse>()
  const bySecret = new Map<string, number>()
  let lines: string[] = []
  let hasMissed = false
  let timer: NodeJS.Timeout | undefined

  const countOf = (secretName: string) => bySecret.get(secretName) ?? 0
  const write = (stream: ServerResponse, bytes: string | Buffer) => {
    if (stream.writableLength > maxUnread) stream.destroy()
    else if (!stream.destroyed) stream.write(bytes)
  }
  const flush = (more = '') => {
    const text = `${hasMissed ? eventOf('missed', {}) : lines.join('')}${more}`
    lines = []
    hasMissed = false
    if (text === '') return
    const bytes = Buffer.from(text)
    for (const stream of streams) write(stream, bytes)
  }
  const add = (line: string) => {
    if (streams.size === 0) return
    if (lines.length === 0 && !hasMissed) setImmediate(flush)
    if (lines.length >= maxLines) hasMissed = true
    else lines.push(line)
  }
  const heartbeat = () => {
    const [age, time] = [sessions.feedAge(), performance.now()]
    // Without news of revocations there is nothing to promise, and silence ends what was promised.
    return age > maxFeedAge ? '' : eventOf('heartbeat', { process, time, age })
  }
  const tick = () => {
    if (isStopping()) endAll()
    else flush(heartbeat())
  }
  const endAll = () => {
    flush()
    for (const stream of streams) stream.end()
    streams.clear()
  }
  const forget = (stream: ServerResponse, secretName: string) => {
    streams.delete(stream)
    bySecret.set(secretName, countOf(secretName) - 1)
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const stopWatching = sessions.watchRevocations({
    revoked: (userId, epoch) => add(eventOf('revoked', { user_id: userId, epoch })),
    missed() {
      hasMissed ||= streams.size > 0
      flush()
    },
  })

  return {
    /** Refuses another stream of this secret, before anything is sent. */
    assertRoom(secretName: string) {
      if (isStopping() || streams.size >= limits.inAll) throw new AppError('UNAVAILABLE', { retryAfter: 1 })
      if (countOf(secretName) >= limits.perSecret) throw new AppError('RATE_LIMITED', { retryAfter: 10 })
    },
    /** Takes over a response whose head is written. */
    open(stream: ServerResponse, secretName: string) {
      // What waits to be sent is of a time before this stream.
      flush()
      stream.once('close', () => forget(stream, secretName)).on('error', () => {})
      streams.add(stream)
      bySecret.set(secretName, countOf(secretName) + 1)
      write(stream, eventOf('start', { process, time: performance.now(), max_age: maxAge }) + heartbeat())
      timer ??= setInterval(tick, heartbeatInterval).unref()
    },
    stop() {
      stopWatching()
      endAll()
    },
  }
}

const eventOf = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
