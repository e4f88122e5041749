import { after, before, describe, type TestContext, test } from 'node:test'
import { needsBoth, needsPostgres, redisUrl } from '../nodes/nodes.ts'
import { raceRounds } from '../support/races.ts'
import { kinds } from './token-kinds.ts'
import { deaf, faults, startTokenNodes, type TokenNodes } from './token-nodes.ts'
import { playRound, type Round } from './token-rounds.ts'

/** Plays each kind of change in turn. The fault, the format and the node change independently of each other. */
function roundOf(number: number, hasMessages: boolean): Round {
  const [turn, at] = [Math.floor(number / kinds.length), number % kinds.length]
  const kind = kinds[at]!
  const isDeaf = number % 10 === 9
  const fault = faults[hasMessages ? number % faults.length : 0]!
  const format = kind.isOfJwts || (turn + at) % 2 === 0 ? 'jwt' : 'opaque'
  return { kind, fault: isDeaf ? deaf : fault, format, by: Math.floor(number / 2) % 2 === 0 ? 0 : 1 }
}

/** Enough for each fault once. More rounds play all kinds, and some of them without Redis. */
const rounds = raceRounds(faults.length)

for (const [name, redis, needs, count] of [
  ['with Redis', redisUrl, needsBoth, rounds],
  ['without Redis', undefined, needsPostgres, Math.floor(rounds / 6)],
] as const) {
  if (count === 0) continue
  describe(`tokens of two nodes ${name}`, needs, () => {
    let started: TokenNodes
    before(async () => {
      started = await startTokenNodes(redis)
    })
    after(() => started?.stop())

    test('whatever ends them while they are issued and read, both nodes reject them within a second', async (t) => {
      const times: number[] = []
      for (let number = 0; number < count; number++)
        times.push(await playRound(started, roundOf(number, redis !== undefined)))
      report(t, times)
    })
  })
}

function report(t: TestContext, times: readonly number[]): void {
  const sorted = times.map(Math.round).toSorted((one, other) => one - other)
  const quantile = (part: number) => sorted[Math.ceil(part * sorted.length) - 1]
  t.diagnostic(
    `${sorted.length} rounds: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, longest ${sorted.at(-1)} ms`,
  )
}
