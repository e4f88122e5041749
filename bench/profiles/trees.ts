import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createDatabase } from '../../test/support/postgres.ts'
import { openScratch } from '../../test/support/scratch.ts'
import type { ClosedResult } from '../load/closed.ts'
import { assertOnly } from '../load/status.ts'
import { rounded } from '../numbers.ts'
import { compare, type Side } from '../rounds.ts'
import { seed } from '../seed.ts'
import { type Service, startServiceOf } from '../service.ts'
import { requestSets, type Stage } from '../stage.ts'

const users = 10_000
const connections = 64
const rounds = 10

export interface TreeFigures {
  requests: 'validate' | 'verify'
  commit: string
  /** CPU time per request of this checkout, divided by that of the other one. The median of all rounds. */
  cpuRatio: number
  lowest: number
  highest: number
  undisturbed: number
  rounds: number
}

/**
 * Compares validations by this checkout and by another one, whose service must have been built. The services run in
 * turn on one core, each with a database of its own, because their schemas may differ.
 */
export async function measureTrees(stage: Stage, otherTree: string): Promise<TreeFigures[]> {
  const scratch = await openScratch('bench-trees')
  const services: Service[] = []
  try {
    const ours = await stage.startService()
    services.push(ours)
    const url = await createDatabase(stage.databaseUrl, 'other_tree')
    const settings = { DATABASE_URL: url, DATA_DIR: scratch.directory }
    const other = await startServiceOf(join(resolve(otherTree), 'bin/wardenry.js'), settings, 'measured')
    services.push(other)
    const population = await seed(url, users, stage.stored.hash)
    const figures: TreeFigures[] = []
    for (const requests of ['validate', 'verify'] as const) {
      await stage.load.ask('prepare', { ...requestSets(population)[requests], name: `other ${requests}` })
      const sides = [sideOf(stage, ours, requests), sideOf(stage, other, `other ${requests}`)] as const
      for (const { work } of sides) await work(2_500)
      figures.push({ requests, commit: commitOf(otherTree), ...(await ratioOf(...sides)) })
    }
    return figures
  } finally {
    for (const service of services) await service.stop()
    await scratch.close()
  }
}

/** Sends these prepared requests to the service. */
export function sideOf(stage: Stage, service: Service, requests: string): Side {
  const work = async (milliseconds: number) => {
    const load = { requests, port: service.port, connections, milliseconds }
    const { replies, statuses } = await stage.load.ask<ClosedResult>('closed', load)
    assertOnly(statuses, 200, service.output())
    return replies
  }
  return { process: service, work }
}

/** The CPU time per request of one side, divided by that of the other one. */
export async function ratioOf(ours: Side, other: Side): Promise<Omit<TreeFigures, 'requests' | 'commit'>> {
  const comparison = await compare(ours, other, { rounds, leadIn: 500, measured: 1_500 })
  return {
    cpuRatio: rounded(1 / comparison.ratio, 3),
    lowest: rounded(1 / comparison.highest, 3),
    highest: rounded(1 / comparison.lowest, 3),
    undisturbed: comparison.undisturbed,
    rounds: comparison.rounds,
  }
}

const commitOf = (tree: string): string =>
  execFileSync('git', ['-C', tree, 'log', '-1', '--format=%h'], { encoding: 'utf8' }).trim()
