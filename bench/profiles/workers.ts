import assert from 'node:assert/strict'
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
  /** The same ratios for two processes that know nothing of each other: what the machine allows. */
  apart: { cpuRatio: number; capacityRatio: number }
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
}

/**
 * Measures validations by a single process, by two workers and by two separate processes in turn: first on one core,
 * then on all cores, where the load generator also runs. Then measures the workers during many sign-ins with wrong
 * passwords.
 */
export async function measureWorkers(stage: Stage): Promise<WorkersFigures> {
  const onOne = await inTurns(stage, 'measured')
  const onAll = await inTurns(stage, 'all')
  return {
    cpuRatio: onOne.ratio,
    capacityRatio: 2 / onAll.ratio,
    apart: { cpuRatio: onOne.apartRatio, capacityRatio: 2 / onAll.apartRatio },
    single: onAll.single,
    two: onAll.two,
    ...(await underStorm(stage)),
  }
}

async function inTurns(stage: Stage, place: 'measured' | 'all') {
  const services: Service[] = []
  const start = async (workers: '1' | '2') => {
    const service = await stage.startService({ WORKERS: workers }, place)
    services.push(service)
    return service
  }
  try {
    const [single, other, two] = [await start('1'), await start('1'), await start('2')]
    const round = async () => ({
      single: await validate(stage, [single]),
      two: await validate(stage, [two]),
      apart: await validate(stage, [single, other]),
    })
    await round()
    const measured: Awaited<ReturnType<typeof round>>[] = []
    while (measured.length < rounds) measured.push(await round())
    return {
      ratio: median(measured.map((one) => one.two.microseconds / one.single.microseconds)),
      apartRatio: median(measured.map((one) => one.apart.microseconds / one.single.microseconds)),
      single: typical(measured.map((one) => one.single)),
      two: typical(measured.map((one) => one.two)),
    }
  } finally {
    for (const service of services) await service.stop()
  }
}

async function underStorm(stage: Stage): Promise<Pick<WorkersFigures, 'calm' | 'storm'>> {
  const service = await stage.startService({ WORKERS: '2' }, 'all')
  try {
    const paced = (load: typeof validations) => stage.load.ask<PacedResult>('paced', { ...load, port: service.port })
    await paced(validations)
    const calm = await paced(validations)
    const [storm, logins] = await Promise.all([paced(validations), paced(wrongLogins)])
    for (const { statuses } of [calm, storm]) assertOnly(statuses, 200, service.output())
    // 401 after hashing, or 503 if too many sign-ins were queued for hashing.
    assertOnly(logins.statuses, [401, 503], service.output())
    assert.ok(logins.statuses[401], 'no password was hashed')
    return { calm, storm }
  } finally {
    await service.stop()
  }
}

/** The connections are divided among the services. */
async function validate(stage: Stage, services: readonly Service[]) {
  const cpuTimes = async () => {
    const times = await Promise.all(services.map(({ pid }) => treeCpu(pid)))
    return times.reduce((sum, time) => sum + time, 0)
  }
  const before = await cpuTimes()
  const results = await Promise.all(
    services.map((service) => validateOn(stage, service, connections / services.length)),
  )
  const cpu = (await cpuTimes()) - before
  const responses = results.reduce((sum, result) => sum + result.replies, 0)
  const seconds = Math.max(...results.map((result) => result.seconds))
  return { perSecond: responses / seconds, busy: cpu / seconds, microseconds: (cpu / responses) * 1e6 }
}

async function validateOn(stage: Stage, service: Service, count: number): Promise<ClosedResult> {
  // Uses few sessions because each worker has its own cache, and cache misses would otherwise dominate the difference.
  const load = { requests: 'validateFew', port: service.port, connections: count, milliseconds }
  const result = await stage.load.ask<ClosedResult>('closed', load)
  assertOnly(result.statuses, 200, service.output())
  return result
}

const typical = (all: Throughput[]): Throughput => ({
  perSecond: median(all.map(({ perSecond }) => perSecond)),
  busy: median(all.map(({ busy }) => busy)),
})
