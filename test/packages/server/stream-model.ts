import type { ServiceResponses, SessionResponse } from '../../../packages/server/src/ask-service.ts'
import { WardenryError } from '../../../packages/server/src/errors.ts'
import type { EventStream, StreamHandler } from '../../../packages/server/src/event-stream.ts'
import type { randomFrom } from '../../sessions/revocation-model.ts'

/** A run's simulated faults. Each value is a probability per event or a number of milliseconds. */
export interface Faults {
  /** A message between nodes is lost, so a node learns of the revocation only from its feed. */
  messageLost: number
  /** A node is slow to read the feed. */
  feedSlow: number
  /** An event and all later events are delayed. */
  eventHeld: number
  maxHeld: number
  /** A stream breaks. With `halfOpen`, the client does not notice. */
  streamBroken: number
  halfOpen: number
  /** A node is paused or restarted. */
  nodeFrozen: number
  nodeRestarted: number
  /** Someone on the network answers the request for a stream with an earlier recording, which has no revocations. */
  streamReplayed: number
  answerLost: number
  answerLate: number
}

type Random = ReturnType<typeof randomFrom>
type At = (delay: number, effect: () => void) => void

interface Revocation {
  owner: string
  epoch: number
  committedAt: number
  /** The roles of the user from then on. Undefined if they did not change. */
  roles: readonly string[] | undefined
}

interface Node {
  process: string
  /** The node's monotonic clock. */
  clock(): number
  frozenUntil: number
  known: Set<Revocation>
  /** All revocations committed before this time are known. */
  knownThrough: number
  streams: Set<Connection>
}

interface Connection {
  send(event: (handler: StreamHandler) => void): void
  end(): void
}

const feedInterval = 250
const heartbeatInterval = 300
const maxFeedAge = 900

const roleNames = ['editor', 'accountant']

/** An application, or a role that some users have at the start. */
export const sharedOwners = ['shop', 'wiki', ...roleNames]

/** The owners of a user's session, as of these revocations. Roles are owners, and a user can gain and lose them. */
function ownersOf(user: string, known: readonly Revocation[]): string[] {
  const changes = known.filter(({ owner, roles }) => owner === user && roles).sort((a, b) => b.epoch - a.epoch)
  const roles = changes[0]?.roles ?? (user < 'k' ? [] : roleNames.slice(0, 1))
  return [user, user < 'k' ? 'shop' : 'wiki', ...roles]
}

/** Simulates a multi-node service that does exactly what it guarantees to a back end, and nothing more. */
export function modelService(at: At, now: () => number, random: Random, faults: Faults, count: number) {
  const revocations: Revocation[] = []
  let processes = 0

  const newNode = (): Node => {
    // Machines that were started at the same time have almost the same clock.
    const start = random.chance(0.5) ? 5e5 + random.below(3_000) : random.below(1e6)
    const drift = 1 + (random.below(800) - 400) / 1e6
    return {
      process: `process ${processes++}`,
      clock: () => start + now() * drift,
      frozenUntil: 0,
      known: new Set(),
      knownThrough: now(),
      streams: new Set(),
    }
  }
  const nodes = Array.from({ length: count }, newNode)
  const isFrozen = (node: Node) => now() < node.frozenUntil
  const ageOf = (node: Node) => now() - node.knownThrough
  const learn = (node: Node, revocation: Revocation) => {
    if (node.known.has(revocation)) return
    node.known.add(revocation)
    for (const stream of node.streams) stream.send((handler) => handler.revoked(revocation.owner))
  }
  /** Schedules the node's background work. A paused node does it as soon as it resumes. */
  const whenAwake = (node: Node, work: () => void) => {
    if (isFrozen(node)) at(node.frozenUntil - now(), () => whenAwake(node, work))
    else work()
  }
  const readFeed = (index: number) => {
    const node = nodes[index]!
    whenAwake(node, () => {
      const startedAt = now()
      at(random.chance(faults.feedSlow) ? random.below(1_500) : random.below(30), () =>
        whenAwake(node, () => {
          for (const revocation of revocations) if (revocation.committedAt < startedAt) learn(node, revocation)
          node.knownThrough = startedAt
        }),
      )
    })
    at(feedInterval, () => readFeed(index))
  }
  const beat = (index: number) => {
    const node = nodes[index]!
    whenAwake(node, () => {
      const { process } = node
      const [time, age] = [node.clock(), ageOf(node)]
      if (age > maxFeedAge) return
      for (const stream of node.streams) stream.send((handler) => handler.heartbeat({ process, time, age }))
    })
    at(heartbeatInterval, () => beat(index))
  }
  const misbehave = (index: number) => {
    const node = nodes[index]!
    if (random.chance(faults.nodeFrozen)) node.frozenUntil = now() + random.below(3_000)
    if (random.chance(faults.nodeRestarted)) {
      for (const stream of node.streams) stream.end()
      nodes[index] = newNode()
    }
    at(500, () => misbehave(index))
  }
  for (const index of nodes.keys()) {
    at(random.below(feedInterval), () => readFeed(index))
    at(random.below(heartbeatInterval), () => beat(index))
    misbehave(index)
  }
  let breakStream = () => {}
  /** Selects a node like a load balancer that treats all clients alike. */
  const anyNode = () => nodes[random.below(nodes.length)]!

  return {
    breakStream: () => breakStream(),
    anyRoles: (): string[] => roleNames.filter(() => random.chance(0.5)),
    /** `roles`: the owner is a user, who has these roles from now on. */
    revoke(owner: string, roles?: readonly string[]) {
      const revocation = { owner, epoch: revocations.length + 1, committedAt: now(), roles }
      revocations.push(revocation)
      for (const node of nodes) {
        if (!random.chance(faults.messageLost))
          at(random.below(100), () => whenAwake(node, () => learn(node, revocation)))
      }
      return revocation
    },
    /** `clock` is the back end's monotonic clock. */
    follow(handler: StreamHandler, clock: () => number): EventStream {
      let isClosed = false
      let current: (() => void) | undefined
      const connect = () => {
        if (isClosed) return
        const askedAt = clock()
        const node = anyNode()
        let isOver = false
        let isDeaf = false
        let arrivesAt = now()
        const end = () => {
          if (isOver) return
          isOver = true
          node.streams.delete(connection)
          handler.lost()
          at(random.below(300), connect)
        }
        const connection: Connection = {
          send(event) {
            if (random.chance(faults.halfOpen)) isDeaf = true
            if (random.chance(faults.streamBroken)) at(random.below(200), end)
            const held = random.chance(faults.eventHeld) ? random.below(faults.maxHeld) : random.below(10)
            arrivesAt = Math.max(arrivesAt, now() + held)
            at(arrivesAt - now(), () => isOver || isDeaf || event(handler))
          },
          end: () => at(random.below(50), end),
        }
        current = end
        breakStream = end
        if (random.chance(faults.streamReplayed)) {
          const recorded = 300 + random.below(3_000)
          const play = (elapsed: number) => {
            if (isOver || elapsed > recorded) return
            const { process } = node
            const time = node.clock() - recorded
            const event = { process, time, max_age: 5_000, age: 0 }
            connection.send((given) => (elapsed === 0 ? given.start(event, askedAt) : given.heartbeat(event)))
            at(elapsed === 0 ? 1 : heartbeatInterval, () => play(elapsed + (elapsed === 0 ? 1 : heartbeatInterval)))
          }
          return at(random.below(30), () => play(0))
        }
        at(random.below(30), () =>
          whenAwake(node, () => {
            if (isOver) return
            const { process } = node
            const [time, age] = [node.clock(), ageOf(node)]
            node.streams.add(connection)
            connection.send((given) => given.start({ process, time, max_age: 5_000 }, askedAt))
            if (age <= maxFeedAge) connection.send((given) => given.heartbeat({ process, time, age }))
          }),
        )
      }
      connect()
      return {
        proven() {},
        reconnect: () => current?.(),
        close() {
          isClosed = true
          current?.()
        },
      }
    },
    ask(tokens: string[], clock: () => number): Promise<ServiceResponses> {
      const askedAt = clock()
      return new Promise((resolve, reject) => {
        if (random.chance(faults.answerLost)) return at(3_000, () => reject(new WardenryError('UNAVAILABLE')))
        const node = anyNode()
        at(random.below(20), () =>
          whenAwake(node, () => {
            // The node reads the session from memory if that is recent enough, otherwise from the database.
            const known = ageOf(node) <= maxFeedAge && random.chance(0.8) ? node.known : new Set(revocations)
            const readBefore = random.below(4_900)
            const answers = tokens.map((user): SessionResponse => {
              const all = known === node.known ? withOld(known, node.knownThrough) : [...known]
              const owners = ownersOf(user, all)
              const epoch = Math.max(0, ...all.filter(({ owner }) => owners.includes(owner)).map(({ epoch }) => epoch))
              const value = {
                user: { id: user },
                session: { id: user, owners, epoch, readAt: now() - readBefore },
              } as never
              return { state: 'valid', value, owners, tag: '', binding: undefined, age: readBefore, remaining: 1e9 }
            })
            const told = { process: node.process, time: node.clock() }
            at(random.chance(faults.answerLate) ? random.below(2_000) : random.below(20), () =>
              resolve({ answers, askedAt, clock: told }),
            )
          }),
        )
      })
    },
  }

  /** Adds the revocations that were committed before `through`, which nodes started later also know. */
  function withOld(known: Set<Revocation>, through: number): Revocation[] {
    return [...new Set([...known, ...revocations.filter(({ committedAt }) => committedAt < through)])]
  }
}
