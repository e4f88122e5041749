import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '../../src/config/load.ts'
import type { Logger } from '../../src/lib/log.ts'
import { startRevocationFeed } from '../../src/sessions/revocation-feed.ts'
import { createSessionCache } from '../../src/sessions/session-cache.ts'
import { type Faults, modelDatabase, modelRedis, randomFrom } from './revocation-model.ts'

// Tests the actual cache tiers, feed and connection with a simulated clock. The database, Redis and the network are
// simulated: delays, losses and repetitions are derived from a seed.

const scheduledJobs = Number(process.env.MODEL_ROUNDS ?? 1_000)
const actions = 60
/**
 * The maximum delay of a revocation on other nodes, in milliseconds after the commit. The node that commits the
 * revocation rejects the session as soon as it has responded to the revoking request.
 */
const maxDelay = 1_000

const none: Faults = {
  redisCommandLost: 0,
  redisCommandLate: 0,
  messageLost: 0,
  messageTwice: 0,
  feedReadLost: 0,
  feedConnectionBroken: 0,
}
const config = {
  SESSION_VALIDATION_CACHE_TTL: 5_000,
  SESSION_IDLE_TTL: 1e12,
  SESSION_ABSOLUTE_TTL: 1e12,
} as Config
const log = { warn() {} } as unknown as Logger

/** The owners of each user's session. The user is the first one. */
const ownersOf: Record<string, string[]> = { ada: ['ada', 'shop'], grace: ['grace', 'shop', 'editor'] }

interface Revocation {
  node: number
  epoch: number
  ends: boolean
  committedAt: number
  repliedAt: number
}

interface Outcome {
  answers: Record<string, number>
  /** Descriptions of sessions that were served but should have been rejected. */
  broken: string[]
}

async function play(seed: number, faults: Faults, withRedis: boolean): Promise<Outcome> {
  const random = randomFrom(seed)
  let time = 0
  const events: { due: number; effect: () => void }[] = []
  const at = (delay: number, effect: () => void) => void events.push({ due: time + delay, effect })
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const monotonic = mock.method(performance, 'now', () => time)
  const clock = { now: () => time }
  const database = modelDatabase(at, clock.now, random)
  const { bus, cache } = modelRedis(at, random, faults)

  /**
   * Advances the time to the next event in steps of one millisecond because the next event may be one of the tested
   * code's timers.
   */
  const settle = async (until: number) => {
    while (time < until) {
      mock.timers.tick(1)
      time++
      const due = events.filter((event) => event.due <= time)
      if (due.length > 0) events.splice(0, events.length, ...events.filter((event) => event.due > time))
      for (const { effect } of due) effect()
      if (due.length > 0 || time % 50 === 0) await nextTurn()
    }
  }
  const startNode = () => {
    const started = startRevocationFeed({ connect: () => database.connect(faults), log })
    return started.then((revocations) => {
      const shared = withRedis ? cache : undefined
      const uses = { note() {}, onWritten() {}, stop: async () => {} }
      const parts = { config, clock, log, bus, sharedCache: shared, rows: database.rows, uses, revocations }
      const copies = createSessionCache(parts)
      return { copies, stop: () => Promise.all([copies.stop(), revocations.stop()]) }
    })
  }
  const nodes: Awaited<ReturnType<typeof startNode>>[] = []
  for (const each of [startNode(), startNode(), startNode()]) each.then((node) => nodes.push(node))
  while (nodes.length < 3) await settle(time + 10)

  const users = Object.keys(ownersOf)
  for (const [user, owners] of Object.entries(ownersOf)) database.addSession(`hash of ${user}`, [...owners])
  const owners = [...new Set(Object.values(ownersOf).flat())]
  const revoked = new Map<string, Revocation[]>(owners.map((owner) => [owner, []]))
  const answers: Record<string, number> = {}
  const broken: string[] = []
  const restarting = new Set<number>()

  async function validate(node: number, user: string): Promise<void> {
    const begun = time
    const due = ownersOf[user]!.flatMap((owner) => {
      const isDue = ({ node: by, committedAt, repliedAt }: Revocation) =>
        by === node ? begun >= repliedAt : begun >= committedAt + maxDelay
      return revoked
        .get(owner)!
        .filter(isDue)
        .map((revocation) => ({ owner, ...revocation }))
    })
    const { copies } = nodes[node]!
    const hash = `hash of ${user}`
    const recalled = copies.recall(hash)
    const inBatch = async () => ({ cached: (await copies.loadAll([hash])).get(hash)!, source: 'database' })
    const load = () => (random.chance(0.2) ? inBatch() : copies.load(hash))
    const found = recalled ? { cached: recalled, source: 'memory' } : await load()
    const source = found?.source ?? 'none'
    answers[source] = (answers[source] ?? 0) + 1
    const { session, owners } = found!.cached.view
    for (const { node: by, owner, committedAt, repliedAt, ...revocation } of due) {
      const epoch = owners.find(({ id }) => id === owner)!.epoch
      if (epoch >= revocation.epoch && !(revocation.ends && session.status === 'active')) continue
      const times = `committed at ${committedAt}, replied at ${repliedAt}, asked at ${begun}`
      broken.push(`node ${node} served ${user} from ${source}, ${owner} revoked on node ${by}: ${times}`)
    }
  }
  async function revoke(node: number, owner: string): Promise<void> {
    const ends = random.chance(0.5)
    const commit = database.begin(owner, ends)
    await new Promise<void>((resolve) => at(random.below(random.chance(0.2) ? 2_000 : 100), resolve))
    const epoch = commit()
    const committedAt = time
    const revocation = { node, epoch, ends, committedAt, repliedAt: Number.POSITIVE_INFINITY }
    revoked.get(owner)!.push(revocation)
    await nodes[node]!.copies.invalidate(owner, epoch)
    revocation.repliedAt = time
  }
  async function restart(node: number): Promise<void> {
    restarting.add(node)
    await nodes[node]!.stop()
    nodes[node] = await startNode()
    restarting.delete(node)
  }

  for (let action = 0; action < actions; action++) {
    const node = random.below(nodes.length)
    const user = users[random.below(users.length)]!
    if (!restarting.has(node)) {
      if (random.chance(0.04)) revoke(node, owners[random.below(owners.length)]!)
      else if (random.chance(0.01)) restart(node)
      else validate(node, user)
    }
    await settle(time + random.below(random.chance(0.1) ? 1_200 : 120))
  }
  await settle(time + 3_000)
  await Promise.all(nodes.map(({ stop }) => stop()))
  monotonic.mock.restore()
  mock.timers.reset()
  return { answers, broken }
}

async function playMany(
  faults: (seed: number) => Faults,
  withRedis: boolean,
  count = scheduledJobs,
): Promise<Record<string, number>> {
  const answers: Record<string, number> = {}
  for (let seed = 1; seed <= count; seed++) {
    const outcome = await play(seed, faults(seed), withRedis)
    assert.deepEqual(outcome.broken, [], `seed ${seed}`)
    for (const [source, count] of Object.entries(outcome.answers)) answers[source] = (answers[source] ?? 0) + count
  }
  return answers
}

const anyFaults = (seed: number): Faults => {
  const random = randomFrom(-seed)
  const often = () => [0, 0, 0.05, 0.3, 1][random.below(5)]!
  return {
    redisCommandLost: often(),
    redisCommandLate: often(),
    messageLost: often(),
    messageTwice: often(),
    feedReadLost: [0, 0.1, 0.6][random.below(3)]!,
    feedConnectionBroken: [0, 0.05, 0.3][random.below(3)]!,
  }
}

test('three nodes with Redis refuse what was revoked in time, whatever is lost, late, repeated or reordered', async (t) => {
  t.diagnostic(JSON.stringify(await playMany(anyFaults, true)))
})

test('three nodes without Redis refuse what was revoked in time', async (t) => {
  t.diagnostic(JSON.stringify(await playMany(anyFaults, false)))
})

test('without faults most answers come from memory', async () => {
  const { memory = 0, redis = 0, database = 0 } = await playMany(() => none, true, 200)
  assert.ok(memory > database, JSON.stringify({ memory, redis, database }))
  assert.ok(redis > 0)
})
