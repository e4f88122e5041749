import { keepConnected } from '../adapters/keep-connected.ts'
import { endQuietly, openOwnConnection, type PgClient } from '../adapters/own-connection.ts'
import { within } from '../adapters/within.ts'
import type { Logger } from '../lib/log.ts'
import { minute } from '../lib/time.ts'
import { type RevocationRead, readRevocations } from './revocation-queries.ts'

/** Revocation depends on this feed alone. Messages between nodes only make revocation faster. */
export interface RevocationFeed {
  /** Milliseconds since the last successful read started. Zero if no other process can revoke sessions. */
  age(): number
  subscribe(subscriber: RevocationSubscriber): void
  /** Resolves after a read that began after the call. Rejects if there is none. */
  catchUp(): Promise<void>
  stop(): void
}

export interface RevocationSubscriber {
  revoked(ownerId: string, epoch: number): void
  missed(): void
}

interface Options {
  /** Opens a dedicated connection. Undefined if only one process uses the database. */
  connect: (() => Promise<PgClient>) | undefined
  log: Logger
  readIntervalMs?: number
}

const readInterval = 250
const readTimeout = 800
const connectTimeout = 2_000
/** The maximum number of revocations per read. Above this number, clearing the entire cache is cheaper. */
const maxRevocations = 1_000
/** Must be shorter than `revocationsKept`. */
const maxGap = 5 * minute

/** How long the database keeps revocations, in milliseconds. */
export const revocationsKept = 2 * maxGap

export async function startRevocationFeed({ connect, log, readIntervalMs }: Options): Promise<RevocationFeed> {
  if (!connect) return { age: () => 0, subscribe() {}, catchUp: async () => {}, stop() {} }
  const subscribers: RevocationSubscriber[] = []
  let last: RevocationRead | undefined
  let knownAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  /** The first read on a connection has no snapshot to compare with, so it cannot find earlier revocations. */
  async function read(client: PgClient): Promise<void> {
    const startedAt = performance.now()
    // Copies the value, because a new connection may reset `last` during the read.
    const previous = last
    const { rows } = await within(readTimeout, client.query(readRevocations, [previous?.snapshot, maxRevocations + 1]))
    const next = rows[0] as RevocationRead
    const found = next.revocations ?? []
    const isComplete = previous !== undefined && follows(previous, next) && found.length <= maxRevocations
    for (const subscriber of subscribers) {
      if (!isComplete) subscriber.missed()
      else for (const { user_id, epoch } of found) subscriber.revoked(user_id, epoch)
    }
    last = next
    knownAt = startedAt
  }

  const kept = await keepConnected<PgClient>({
    open(lost) {
      last = undefined
      return openOwnConnection({ connect, lost, prove: read, timeoutMs: connectTimeout })
    },
    shut: endQuietly,
    onChange(up) {
      if (!up) log.warn('could not read ended sessions: every session is validated in the database')
    },
  })
  function readNow(client: PgClient): Promise<void> {
    reading ??= read(client)
      .catch((error) => {
        if (client === kept.current()) kept.drop()
        throw error
      })
      .finally(() => (reading = undefined))
    return reading
  }
  const timer = setInterval(async () => {
    const client = kept.current()
    if (client && !reading) await readNow(client).catch(() => {})
  }, readIntervalMs ?? readInterval).unref()

  return {
    age: () => performance.now() - knownAt,
    subscribe: (subscriber) => void subscribers.push(subscriber),
    async catchUp() {
      await reading?.catch(() => {})
      const client = kept.current()
      if (!client) throw new Error('there is no connection to read ended sessions')
      await readNow(client)
    },
    stop() {
      clearInterval(timer)
      kept.close()
    },
  }
}

/**
 * False after a long gap between reads. Also false after a restart, failover or restore, because the new server may
 * reuse transaction ids.
 */
const follows = (previous: RevocationRead, next: RevocationRead): boolean =>
  next.server === previous.server && next.read_at - previous.read_at < maxGap && xmax(next) >= xmax(previous)

/** A snapshot has the form `xmin:xmax:xip,…`. */
const xmax = ({ snapshot }: RevocationRead): bigint => BigInt(snapshot.split(':')[1] ?? 0)
