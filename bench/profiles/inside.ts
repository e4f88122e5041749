import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackEnd } from '../load/back-end.ts'
import { median, percentile } from '../numbers.ts'
import { cores, type PinnedProcess, startPinned } from '../process/pinned.ts'
import { residentMemory } from '../process/read-proc.ts'
import { measure } from '../rounds.ts'
import { bridgeSecret, type Service } from '../service.ts'
import type { Stage } from '../stage.ts'

export interface InsideFigures {
  /** Validations per second of back-end CPU time. */
  memory: number
  es256: number
  hs256: number
  http: number
  /** The fraction of `memory` validations that queried the service. */
  missedShare: number
  /** Milliseconds between the response that ended a session and the back end's first rejection. */
  withStream: number[]
  withoutStream: number[]
  /** The fraction of one core that the service uses: when idle, with 10,000 sessions in use, and with 500 streams. */
  busyIdle: number
  busyInUse: number
  busyListened: number
  /** The additional memory that the service uses for 500 streams, in MiB. */
  streamMemory: number | undefined
}

const rounds = 5
const ended = 200
const listeners = 500

/** Measures a back end that validates sessions from memory, and the CPU time and memory that this costs the service. */
export async function measureInside(stage: Stage): Promise<InsideFigures> {
  const service = await stage.startService({ RATE_LIMIT_WRITE: '1000000/1s' })
  const backEnd = startPinned(join(import.meta.dirname, '../load/back-end.ts'), cores.others)
  try {
    const tokens = stage.requests.validate.bodies.map((body) => JSON.parse(body).session_id as string)
    const input: BackEnd = { port: service.port, bridgeSecret, tokens }
    await sleep(2_000)
    const busyIdle = await busyShare(service, 20_000)
    await backEnd.ask('connect', input)
    await backEnd.ask('use all')
    // Lets V8 collect the garbage from the first read of all sessions, which takes several seconds, before measuring.
    await sleep(25_000)
    // The service records each session's last use once a minute, so measure a full minute.
    const busyInUse = await busyShare(service, 60_000)
    await backEnd.ask('use none')
    const paces = await measurePaces(backEnd)
    const [withStream, withoutStream] = [
      await backEnd.ask<number[]>('end', { tokens: tokens.slice(0, ended), withStream: true }),
      await backEnd.ask<number[]>('end', { tokens: tokens.slice(ended, 2 * ended), withStream: false }),
    ]
    await backEnd.ask('disconnect')
    await service.stop()
    const listened = await measureListeners(stage, backEnd, input)
    return { ...paces, withStream, withoutStream, busyIdle, busyInUse, ...listened }
  } finally {
    await backEnd.stop()
    await service.stop()
  }
}

/** Measures the methods in turn so that other load on the machine affects them all. */
async function measurePaces(backEnd: PinnedProcess) {
  const found: Record<'memory' | 'ES256' | 'HS256' | 'http', number[]> = { memory: [], ES256: [], HS256: [], http: [] }
  for (let round = 0; round < rounds; round++) {
    for (const name of ['memory', 'ES256', 'HS256', 'http'] as const) {
      const work = (milliseconds: number) => backEnd.ask<number>(name, milliseconds)
      // Sessions expire from the cache during the other measurements. The lead-in reads them again.
      const leadIn = name === 'memory' ? 2_500 : 200
      const { perCpuSecond } = await measure({ process: backEnd, work }, leadIn, 1_000)
      found[name].push(perCpuSecond)
    }
  }
  return {
    memory: median(found.memory),
    es256: median(found.ES256),
    hs256: median(found.HS256),
    http: median(found.http),
    missedShare: await backEnd.ask<number>('missed share'),
  }
}

/** Starts a new service because memory from earlier measurements would be released during this one. */
async function measureListeners(stage: Stage, backEnd: PinnedProcess, input: BackEnd) {
  const service = await stage.startService()
  try {
    await backEnd.ask('connect', { ...input, port: service.port, tokens: input.tokens.slice(0, 1) })
    await backEnd.ask('disconnect')
    await sleep(5_000)
    const before = await residentMemory(service.pid)
    await backEnd.ask('listen', listeners)
    await sleep(5_000)
    const busyListened = await busyShare(service, 20_000)
    const after = await residentMemory(service.pid)
    return { busyListened, streamMemory: before && after && after.now - before.now }
  } finally {
    await service.stop()
  }
}

/** The fraction of one core that the service uses during this many milliseconds. */
async function busyShare(service: Service, milliseconds: number): Promise<number> {
  const [before, started] = [await service.ask<number>('cpu'), performance.now()]
  await sleep(milliseconds)
  const after = await service.ask<number>('cpu')
  return (after - before) / 1e3 / (performance.now() - started)
}

export const delays = (milliseconds: number[]) => {
  const sorted = milliseconds.toSorted((one, other) => one - other)
  return { p50: median(sorted), p99: percentile(sorted, 0.99), max: sorted.at(-1) ?? Number.NaN }
}
