import { cpus } from 'node:os'
import type { Stage } from '../stage.ts'
import type { PinnedProcess } from './pinned.ts'
import { postgresCpu } from './postgres-cpu.ts'

/** Returns the result of `work` and how many cores were used meanwhile by processes that are not part of the benchmark. */
export async function withOtherCpu<Result>(
  stage: Stage,
  service: PinnedProcess,
  work: () => Promise<Result>,
): Promise<[Result, number]> {
  const others = async () => busy() - (await ownCpu(stage, service))
  const [before, started] = [await others(), performance.now()]
  const result = await work()
  return [result, ((await others()) - before) / ((performance.now() - started) / 1000)]
}

/** In CPU seconds. */
const busy = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000

async function ownCpu({ load, postgresPid }: Stage, service: PinnedProcess): Promise<number> {
  const { user, system } = process.cpuUsage()
  const children = (await load.ask<number>('cpu')) + (await service.ask<number>('cpu'))
  return (user + system + children) / 1e6 + ((await postgresCpu(postgresPid)) ?? 0)
}
