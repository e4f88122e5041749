import type { Bus } from '../../src/adapters/bus/port.ts'
import type { Cache, CacheEntry } from '../../src/adapters/cache/port.ts'
import type { PgClient } from '../../src/adapters/own-connection.ts'
import type { CachedSession, ReadView } from '../../src/context.ts'

/** Derives random numbers from a seed so that a failed run can be repeated. */
export function randomFrom(seed: number) {
  let state = seed
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    chance: (probability: number) => next() < probability,
    below: (limit: number) => Math.floor(next() * limit),
  }
}

type Random = ReturnType<typeof randomFrom>

/** A run's simulated faults, each with its probability. */
export interface Faults {
  redisCommandLost: number
  redisCommandLate: number
  messageLost: number
  messageTwice: number
  feedReadLost: number
  feedConnectionBroken: number
}

/** Runs `effect` after this delay, in milliseconds of model time. */
export type At = (delay: number, effect: () => void) => void

interface Transaction {
  id: number
  isCommitted: boolean
}

/**
 * Simulates a PostgreSQL server. A statement reads the data that is committed when it is executed, not when it is sent.
 */
export function modelDatabase(at: At, now: () => number, random: Random) {
  const owners = new Map<string, { epoch: number; version: number }>()
  const sessions = new Map<string, { ownerIds: string[]; isEnded: boolean }>()
  const transactions: Transaction[] = []
  const revocations: { transaction: Transaction; user_id: string; epoch: number }[] = []

  const snapshot = () => {
    const underWay = transactions.filter(({ isCommitted }) => !isCommitted).map(({ id }) => id)
    const xmax = transactions.length + 1
    return `${underWay[0] ?? xmax}:${xmax}:${underWay.join()}`
  }
  const sees = (text: string, id: number) => {
    const [, xmax, underWay] = text.split(':') as [string, string, string]
    return id < Number(xmax) && !underWay.split(',').includes(String(id))
  }
  /** A statement is executed after a delay, and its result is received after another delay. */
  const statement = <Result>(execute: () => Result) =>
    new Promise<Result>((resolve) =>
      at(random.below(40), () => {
        const result = execute()
        at(random.below(random.chance(0.1) ? 1_500 : 40), () => resolve(result))
      }),
    )
  const viewOf = (hash: string, readAt: number): ReadView | undefined => {
    const session = sessions.get(hash)
    if (!session) return undefined
    const [userId] = session.ownerIds
    const of = session.ownerIds.map((id) => ({ id, ...owners.get(id)! }))
    const start = new Date(0)
    return {
      session: {
        id: hash,
        status: session.isEnded ? 'revoked' : 'active',
        created_at: start,
        started_at: start,
        last_used_at: start,
        proved_at: start,
        impersonated_by: null,
        sign_in_method: null,
        ends_at: null,
      },
      user: { id: userId, user_type: 'customer', metadata: {}, created_at: start, updated_at: start },
      owners: of.map(({ id, epoch }) => ({ id, epoch })),
      version: `${of.map(({ version }) => version)}.${session.isEnded}`,
      read_at: readAt,
      grants: { version: 0, ids: [], until: null },
    } as unknown as ReadView
  }
  const isWritten = ({ key, view }: CachedSession) => viewOf(key, 0)?.version !== view.version

  return {
    /** The first owner is the user. */
    addSession(hash: string, ownerIds: string[]) {
      for (const id of ownerIds) owners.set(id, { epoch: 0, version: 0 })
      sessions.set(hash, { ownerIds, isEnded: false })
    },
    /** Runs a transaction that increments the owner's epoch and ends or changes the owner's sessions. */
    begin(ownerId: string, ends: boolean) {
      const transaction = { id: transactions.length + 1, isCommitted: false }
      transactions.push(transaction)
      return () => {
        transaction.isCommitted = true
        const owner = owners.get(ownerId)!
        owner.epoch++
        owner.version = transaction.id
        for (const session of sessions.values()) if (session.ownerIds.includes(ownerId)) session.isEnded ||= ends
        revocations.push({ transaction, user_id: ownerId, epoch: owner.epoch })
        return owner.epoch
      }
    },
    rows: {
      readAll(hashes: readonly string[]) {
        const readAt = now()
        const views = () => hashes.flatMap((hash) => [viewOf(hash, readAt)].filter((view) => view !== undefined))
        return statement(() => new Map(views().map((view, index) => [hashes[index]!, view])))
      },
      read(hash: string) {
        const readAt = now()
        return statement(() => viewOf(hash, readAt))
      },
      writtenSinceRead: (cached: CachedSession[]) =>
        statement(() => new Set(cached.filter(isWritten).map(({ key }) => key))),
    },
    /** A feed's database connection, which supports only the statement that a feed sends. */
    async connect(faults: Faults): Promise<PgClient> {
      if (random.chance(faults.feedConnectionBroken)) throw new Error('refused')
      const onEnd: (() => void)[] = []
      const breakDown = () => {
        for (const ended of onEnd) ended()
      }
      return {
        on(event: string, heard: (message: object) => void) {
          if (event === 'end') onEnd.push(() => heard({}))
        },
        end: async () => {},
        query(_text, [known, limit] = []) {
          if (random.chance(faults.feedConnectionBroken)) at(random.below(50), breakDown)
          if (random.chance(faults.feedReadLost)) return new Promise(() => {})
          return statement(() => {
            const found = known
              ? revocations.filter(({ transaction: { id } }) => !sees(String(known), id)).slice(0, Number(limit))
              : []
            const read = { server: 'one', snapshot: snapshot(), read_at: now(), revocations: found }
            return { rows: [read] }
          })
        },
      }
    },
  }
}

/**
 * Simulates a Redis server that all nodes share: the cache, whose scripts are reimplemented, and the messages between
 * nodes.
 */
export function modelRedis(at: At, random: Random, faults: Faults) {
  const entries = new Map<string, Pick<CacheEntry, 'owners' | 'value'>>()
  const epochs = new Map<string, number>()
  const heard: ((payload: string) => void)[] = []

  /** A node stops waiting for a command after 100 ms. Redis may execute the command later. */
  const command = <Result>(execute: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      if (random.chance(faults.redisCommandLost)) return at(100, () => reject(new Error('lost')))
      if (!random.chance(faults.redisCommandLate)) return at(random.below(30), () => resolve(execute()))
      at(random.below(3_000), execute)
      at(100, () => reject(new Error('late')))
    })
  const cache: Cache = {
    get: (key) =>
      command(() => {
        const entry = entries.get(key)
        // Without a known epoch, the comparison with NaN is false.
        return entry?.owners.every(({ id, epoch }) => (epochs.get(id) ?? Number.NaN) <= epoch) ? entry.value : undefined
      }),
    setUnlessOlder: ({ key, owners, value }) =>
      command(() => {
        if (owners.some(({ id, epoch }) => (epochs.get(id) ?? 0) > epoch)) return
        for (const { id, epoch } of owners) epochs.set(id, epoch)
        entries.set(key, { owners, value })
      }),
    raiseEpoch: (owner, epoch) => command(() => void epochs.set(owner, Math.max(epochs.get(owner) ?? 0, epoch))),
    close: async () => {},
  }
  const bus: Bus = {
    async publish(_channel, payload) {
      for (const hear of heard) {
        const times = random.chance(faults.messageTwice) ? 2 : 1
        for (let time = 0; time < times; time++)
          if (!random.chance(faults.messageLost)) at(random.below(2_000), () => hear(payload))
      }
      if (random.chance(faults.messageLost)) throw new Error('lost')
    },
    subscribe: (_channel, handler) => void heard.push(handler),
    onReconnect() {},
    // The node's own heartbeats always arrive.
    sinceLastBeat: () => 0,
    close: async () => {},
  }
  return { cache, bus }
}
