import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../test/support/redis.ts'
import { signInSuperadmin } from '../applications.ts'
import type { PacedResult } from '../load/paced.ts'
import { median, percentile, rounded } from '../numbers.ts'
import type { Service } from '../service.ts'
import type { Stage } from '../stage.ts'

const trials = 200
const validationsPerSecond = 300
/** In milliseconds. */
const bound = 1_000
const maxWait = 10_000

const settings = {
  RATE_LIMIT_ADMIN: '10000000/1s',
  RATE_LIMIT_READ: '10000000/1s',
  // Without a second factor, a superadmin could not change anything.
  TWO_FACTOR_REQUIRED_FOR: '',
}
const address = 'https://changing.example.com'

/** In milliseconds, from the response to the change until the other node accepted or rejected the address. */
export interface ChangeFigures {
  bus: string
  trials: number
  median: number
  p99: number
  max: number
  withinBound: boolean
}

/** The time that a changed address takes to have an effect on another node, which validates sessions meanwhile. */
export async function measureApplicationChanges(stage: Stage): Promise<ChangeFigures[]> {
  const [one, other] = [await startRedis(), await startRedis()]
  try {
    return [
      await measureWith(stage, 'PostgreSQL', [{}, {}]),
      await measureWith(stage, 'Redis', [{ REDIS_URL: one.url }, { REDIS_URL: one.url }]),
      // Each node publishes to a server to which the other node does not listen.
      await measureWith(stage, 'Redis, all messages lost', [{ REDIS_URL: one.url }, { REDIS_URL: other.url }]),
    ]
  } finally {
    await one.stop()
    await other.stop()
  }
}

type NodeSettings = Record<string, string>

async function measureWith(stage: Stage, bus: string, nodes: [NodeSettings, NodeSettings]): Promise<ChangeFigures> {
  const changing = await stage.startService({ ...settings, ...nodes[0] }, 'all')
  const loaded = await stage.startService({ ...settings, ...nodes[1] }, 'all').catch(async (error) => {
    await changing.stop()
    throw error
  })
  const load = underLoad(stage, loaded)
  try {
    const times = (await runTrials(stage, changing, loaded)).sort((left, right) => left - right)
    const max = percentile(times, 1)
    return {
      bus,
      trials: times.length,
      median: rounded(median(times), 1),
      p99: rounded(percentile(times, 0.99), 1),
      max: rounded(max, 1),
      withinBound: max <= bound,
    }
  } finally {
    await load.stop()
    await changing.stop()
    await loaded.stop()
  }
}

function underLoad(stage: Stage, { port }: Service) {
  let isStopped = false
  const paced = { requests: 'validate', port, connections: 32, milliseconds: 1_000, perSecond: validationsPerSecond }
  const run = async () => {
    while (!isStopped) await stage.load.ask<PacedResult>('paced', paced)
  }
  const running = run()
  // A failure is reported by `stop`.
  running.catch(() => {})
  return {
    stop() {
      isStopped = true
      return running
    },
  }
}

async function runTrials(stage: Stage, changing: Service, loaded: Service): Promise<number[]> {
  const change = await createApplication(changing, await signInSuperadmin(stage, changing.port))
  const times: number[] = []
  for (let trial = 0; trial < trials; trial++) {
    const isAdded = trial % 2 === 0
    await change(isAdded)
    const changedAt = performance.now()
    times.push(await delayUntil(loaded, isAdded, changedAt))
    // Spreads the changes over the times between two reads of the revocation feed.
    await sleep(Math.random() * 250)
  }
  return times
}

/** Returns a function that adds or removes the address. */
async function createApplication({ port }: Service, sessionToken: string) {
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}/auth/admin/applications${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-session-id': sessionToken },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return JSON.parse(text) as { data: { id: string } }
  }
  const key = `changing-${Date.now()}`
  const { data } = await send('POST', '', { key, name: 'Changing', kind: 'website', return_addresses: [] })
  return (isAdded: boolean) => send('PUT', `/${data.id}`, { return_addresses: isAdded ? [address] : [] })
}

async function delayUntil(loaded: Service, isAccepted: boolean, changedAt: number): Promise<number> {
  while ((await acceptsAddress(loaded)) !== isAccepted) {
    if (performance.now() - changedAt > maxWait) throw new Error(`the other node has not noticed the change`)
    await sleep(2)
  }
  return performance.now() - changedAt
}

async function acceptsAddress({ port }: Service): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/login?return_to=${encodeURIComponent(address)}`)
  await response.body?.cancel()
  if (response.status !== 200 && response.status !== 400) throw new Error(`/login: ${response.status}`)
  return response.status === 200
}
