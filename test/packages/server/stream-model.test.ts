import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cachedSessions } from '../../../packages/server/src/cached-sessions.ts'
import { randomFrom } from '../../sessions/revocation-model.ts'
import { type Faults, modelService, sharedOwners } from './stream-model.ts'

// Tests a back end's actual cache with a simulated clock. The service, its nodes and the network are simulated: delays,
// losses and pauses are derived from a seed. Every machine has its own monotonic clock.

const rounds = Number(process.env.MODEL_ROUNDS ?? 400)
const actions = 150
/**
 * How long the cache (`cache`) and a node (`asked`) may accept a session after its revocation is committed, in
 * milliseconds.
 */
const bounds = { cache: 905, asked: 1_000 }
/** The maximum age of a session, counted from when it was read from the database, in milliseconds. */
const maxAge = 5_010

const none: Faults = {
  messageLost: 0,
  feedSlow: 0,
  eventHeld: 0,
  maxHeld: 0,
  streamBroken: 0,
  halfOpen: 0,
  nodeFrozen: 0,
  nodeRestarted: 0,
  streamReplayed: 0,
  answerLost: 0,
  answerLate: 0,
}

const anyFaults = (seed: number): Faults => {
  const random = randomFrom(-seed)
  const often = (...probabilities: number[]) => probabilities[random.below(probabilities.length)]!
  return {
    messageLost: often(0, 0.3, 1),
    feedSlow: often(0, 0.1, 0.5),
    eventHeld: often(0, 0.05, 0.3, 1),
    maxHeld: often(200, 1_000, 10_000),
    streamBroken: often(0, 0, 0.05, 0.3),
    halfOpen: often(0, 0, 0.01),
    nodeFrozen: often(0, 0, 0.1),
    nodeRestarted: often(0, 0, 0.05),
    streamReplayed: 0,
    answerLost: often(0, 0, 0.2),
    answerLate: often(0, 0.2),
  }
}

interface Outcome {
  cached: number
  asked: number
  unknown: number
  /** Descriptions of sessions that were served but should have been rejected. */
  broken: string[]
}

async function play(seed: number, faults: Faults, nodes: number): Promise<Outcome> {
  const random = randomFrom(seed)
  let time = 1_000
  const events: { due: number; effect: () => void }[] = []
  const at = (delay: number, effect: () => void) => void events.push({ due: time + Math.max(0, delay), effect })
  const drift = 1 + (random.below(800) - 400) / 1e6
  const clock = () => 5e5 + time * drift
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const mocked = [mock.method(performance, 'now', clock), mock.method(Date, 'now', () => 1e12 + time)]

  const service = modelService(at, () => time, random, faults, nodes)
  const sessions = cachedSessions({
    ask: (questions) =>
      service.ask(
        questions.map(({ token }) => token),
        clock,
      ),
    follow: (handler) => service.follow(handler, clock),
    maxSessions: 3,
  })
  const outcome: Outcome = { cached: 0, asked: 0, unknown: 0, broken: [] }
  const revoked: ReturnType<typeof service.revoke>[] = []
  const users = ['ada', 'grace', 'joan', 'mary']

  /** Time advances, but the paused process handles no events. */
  const settle = async (until: number) => {
    while (time < until) {
      time++
      mock.timers.tick(1)
      const due = events.filter((event) => event.due <= time)
      if (due.length > 0) events.splice(0, events.length, ...events.filter((event) => event.due > time))
      for (const { effect } of due) effect()
      if (due.length > 0 || time % 50 === 0) await nextTurn()
    }
  }
  const check = (user: string, value: unknown, begunAt: number, bound: number, source: string) => {
    const { owners, epoch, readAt } = (value as { session: { owners: string[]; epoch: number; readAt: number } })
      .session
    for (const revocation of revoked) {
      if (!owners.includes(revocation.owner) || epoch >= revocation.epoch || begunAt <= revocation.committedAt + bound)
        continue
      outcome.broken.push(
        `${source} at ${begunAt} gave ${user} with ${revocation.owner} as of before ${revocation.committedAt}`,
      )
    }
    if (source === 'cache' && begunAt - readAt > maxAge)
      outcome.broken.push(`served ${begunAt - readAt} ms after the read`)
  }
  const validate = async (user: string) => {
    const begunAt = time
    const known = sessions.peek(user)
    if (known !== 'ask') {
      outcome.cached++
      return check(user, known, begunAt, bounds.cache, 'cache')
    }
    const value = await sessions.validate(user).catch(() => undefined)
    if (value === undefined) outcome.unknown++
    else outcome.asked++
    if (value !== undefined) check(user, value, begunAt, bounds.asked, 'service')
  }

  for (let action = 0; action < actions; action++) {
    const user = users[random.below(users.length)]!
    // A revocation of another owner concerns several users, so there are fewer of them.
    if (random.chance(0.03)) revoked.push(service.revoke(user))
    if (random.chance(0.01)) revoked.push(service.revoke(sharedOwners[random.below(sharedOwners.length)]!))
    if (random.chance(0.02)) revoked.push(service.revoke(user, service.anyRoles()))
    if (faults.streamBroken > 0 && random.chance(0.04)) {
      // The revocation occurs just before the stream breaks, so no stream reports it, and the user's requests continue.
      revoked.push(service.revoke(user))
      service.breakStream()
      for (let delay = 0; delay < 500; delay += 25) at(delay, () => validate(user))
    }
    // Simulates a process that was stopped for some time and then handles a request first.
    if (random.chance(0.01)) time += random.below(3_000)
    validate(user)
    await settle(time + random.below(random.chance(0.1) ? 1_000 : 100))
  }
  await settle(time + 4_000)
  sessions.close()
  await nextTurn()
  for (const method of mocked) method.mock.restore()
  mock.timers.reset()
  return outcome
}

async function playMany(faultsOf: (seed: number) => Faults, nodes: number, count = rounds) {
  const sum = { cached: 0, asked: 0, unknown: 0 }
  for (let seed = 1; seed <= count; seed++) {
    const { broken, ...counts } = await play(seed, faultsOf(seed), nodes)
    assert.deepEqual(broken, [], `seed ${seed}`)
    sum.cached += counts.cached
    sum.asked += counts.asked
    sum.unknown += counts.unknown
  }
  return sum
}

test('serves nothing beyond the bound, whatever is late, lost, frozen, buffered or restarted', async (t) => {
  t.diagnostic(JSON.stringify(await playMany(anyFaults, 1)))
})

test('serves nothing beyond the bound behind a balancer with three nodes', async (t) => {
  t.diagnostic(JSON.stringify(await playMany(anyFaults, 3)))
})

test('serves nothing beyond the bound when a recorded stream is replayed', async (t) => {
  const faults = { ...none, streamReplayed: 0.5, streamBroken: 0.02 }
  t.diagnostic(JSON.stringify(await playMany(() => faults, 1)))
})

test('answers from memory when nothing goes wrong', async (t) => {
  const sum = await playMany(() => none, 2, 50)
  t.diagnostic(JSON.stringify(sum))
  assert.ok(sum.cached > sum.asked, JSON.stringify(sum))
  assert.equal(sum.unknown, 0)
})
