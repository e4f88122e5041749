import type { ClosedResult } from '../load/closed.ts'
import type { PacedResult } from '../load/paced.ts'
import { assertOnly } from '../load/status.ts'
import { median } from '../numbers.ts'
import { treeCpu } from '../process/tree-cpu.ts'
import type { Service } from '../service.ts'
import type { Stage } from '../stage.ts'

const rounds = 6
const connections = 64
const milliseconds = 3_000
const validations = { requests: 'validateFew', connections: 32, milliseconds: 5_000, perSecond: 1_000 }
const wrongLogins = { requests: 'wrongLogin', connections: 300, milliseconds: 5_000, perSecond: 300 }

export interface WorkersFigures {
  /** CPU time per validation with two workers, divided by that of a single process on the same core. */
  cpuRatio: number
  /** The throughput that two workers would have on two full cores, divided by that of a single process on one core. */
  capacityRatio: number
  /** Throughput on all cores. */
  single: Throughput
  two: Throughput
  calm: PacedResult
  storm: PacedResult
}

interface Throughput {
  perSecond: number
  /** The average number of cores that the service used. The load generator used the rest. */
  busy: number
  microseconds: number
}

/**
 * Measures validations by a single process and by two workers in turn: first on one core, then on all cores, where the
 * load generator also runs. Then measures the workers during many sign-ins with wrong passwords.
 */
export async function measureWorkers(stage: Stage): Promise<WorkersFigures> {
  const { ratio: cpuRatio } = await inTurns(stage, 'measured')
  const { ratio, single, two } = await inTurns(stage, 'all')
  return { cpuRatio, capacityRatio: 2 / ratio, single, two, ...(await underStorm(stage)) }
}

async function inTurns(stage: Stage, place: 'measured' | 'all') {
  const single = await stage.startService({ WORKERS: '1' }, place)
  const two = await stage.startService({ WORKERS: '2' }, place)
  try {
    for (const service of [single, two]) await validate(stage, service)
    const pairs: { single: Throughput; two: Throughput }[] = []
    for (let round = 0; round < rounds; round++)
      pairs.push({ single: await validate(stage, single), two: await validate(stage, two) })
    return {
      ratio: median(pairs.map((pair) => pair.two.microseconds / pair.single.microseconds)),
      single: typical(pairs.map((pair) => pair.single)),
      two: typical(pairs.map((pair) => pair.two)),
    }
  } finally {
    await single.stop()
    await two.stop()
  }
}

async function underStorm(stage: Stage): Promise<Pick<WorkersFigures, 'calm' | 'storm'>> {
  const service = await stage.startService({ WORKERS: '2' }, 'all')
  try {
    const paced = (load: typeof validations) => stage.load.ask<PacedResult>('paced', { ...load, port: service.port })
    await paced(validations)
    const calm = await paced(validations)
    const [storm] = await Promise.all([paced(validations), paced(wrongLogins)])
    for (const { statuses } of [calm, storm]) assertOnly(statuses, 200, service.output())
    return { calm, storm }
  } finally {
    await service.stop()
  }
}

async function validate(stage: Stage, service: Service): Promise<Throughput> {
  const before = await treeCpu(service.pid)
  // Uses few sessions because each worker has its own cache, and cache misses would otherwise dominate the difference.
  const load = { requests: 'validateFew', port: service.port, connections, milliseconds }
  const { replies, seconds, statuses } = await stage.load.ask<ClosedResult>('closed', load)
  assertOnly(statuses, 200, service.output())
  const cpu = (await treeCpu(service.pid)) - before
  return { perSecond: replies / seconds, busy: cpu / seconds, microseconds: (cpu / replies) * 1e6 }
}

const typical = (all: Throughput[]): Throughput => ({
  perSecond: median(all.map(({ perSecond }) => perSecond)),
  busy: median(all.map(({ busy }) => busy)),
  microseconds: median(all.map(({ microseconds }) => microseconds)),
})
