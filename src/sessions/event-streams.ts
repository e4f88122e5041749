import type { ServerResponse } from 'node:http'
import type { SessionCache } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { maxFeedAge } from '../lib/versioned-cache.ts'

interface Parts {
  sessions: Pick<SessionCache, 'feedAge' | 'watchRevocations'>
  /** Tells clients which process responds, because another process has a different clock and may have missed events. */
  process: string
  /** The maximum age of cached sessions, in milliseconds. */
  maxAge: number
  /** Streams end during shutdown so that clients connect to another node. */
  isStopping(): boolean
  /** Ends the streams that are no longer allowed. */
  checkSecrets(): void
}

/** In milliseconds. */
const heartbeatInterval = 300
/** In bytes. A client with more unread data than this is disconnected. */
const maxUnread = 256 * 1024
/** The maximum number of lines per event loop turn. Above it, one line that invalidates everything is sent instead. */
const maxLines = 500
const limits = { perSecret: 2_000, inAll: 4_000 }

/** A heartbeat states that all revocations committed up to `age` milliseconds before `time` have been sent. */
export function createEventStreams({ sessions, process, maxAge, isStopping, checkSecrets }: Parts) {
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
    // If the feed has not been read recently, no heartbeat is sent, and clients stop using their caches.
    return age > maxFeedAge ? '' : eventOf('heartbeat', { process, time, age })
  }
  const tick = () => {
    checkSecrets()
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
    // Clients that know only `user_id` ignore owners they have never seen. Without that member, they would clear their
    // cache at each of them.
    revoked: (ownerId, epoch) => add(eventOf('revoked', { user_id: ownerId, owner_id: ownerId, epoch })),
    missed() {
      hasMissed ||= streams.size > 0
      flush()
    },
  })

  return {
    /** Throws during shutdown, and if there are too many streams for this secret or in this process. */
    assertRoom(secretName: string) {
      if (isStopping() || streams.size >= limits.inAll) throw new AppError('UNAVAILABLE', { retryAfter: 1 })
      if (countOf(secretName) >= limits.perSecret) throw new AppError('RATE_LIMITED', { retryAfter: 10 })
    },
    /** The caller must have written the response head. */
    open(stream: ServerResponse, secretName: string) {
      // Sends pending events to the other streams first because these events precede the new stream.
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
