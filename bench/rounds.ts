import { median } from './numbers.ts'
import { isPinned, type PinnedProcess } from './process/pinned.ts'

export interface Side {
  process: PinnedProcess
  /** Runs for this many milliseconds and returns the number of completed operations. */
  work(milliseconds: number): Promise<number>
}

interface Plan {
  rounds: number
  /**
   * How long to run before the measurement, in milliseconds. Refills caches whose entries expired while the other side
   * was measured.
   */
  leadIn: number
  measured: number
}

export interface Comparison {
  /** Operations per CPU second of `ours`, divided by those of `bare`. The median over the counted rounds. */
  ratio: number
  lowest: number
  highest: number
  ours: Pace
  bare: Pace
  /**
   * The number of rounds in which no other process used the core. If they make up at least half of the planned rounds,
   * only they count.
   */
  undisturbed: number
  rounds: number
}

export interface Pace {
  perCpuSecond: number
  perSecond: number
  /** The fraction of one core that the process used. Close to 1 if no other process used the core. */
  busy: number
}

type Pair = Record<'ours' | 'bare', Pace>

/**
 * Measures both sides alternately so that other load on the machine affects both. Each ratio compares two consecutive
 * measurements.
 */
export async function compare(ours: Side, bare: Side, { rounds, leadIn, measured }: Plan): Promise<Comparison> {
  const pairs: Pair[] = []
  while (pairs.length < 2 * rounds && pairs.filter(isUndisturbed).length < rounds) {
    const yardstick = await measure(bare, leadIn, measured)
    pairs.push({ bare: yardstick, ours: await measure(ours, leadIn, measured) })
  }
  const undisturbed = pairs.filter(isUndisturbed)
  const counted = undisturbed.length * 2 >= rounds ? undisturbed : pairs
  const ratios = counted.map((pair) => pair.ours.perCpuSecond / pair.bare.perCpuSecond)
  return {
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    ours: typical(counted.map((pair) => pair.ours)),
    bare: typical(counted.map((pair) => pair.bare)),
    undisturbed: undisturbed.length,
    rounds: pairs.length,
  }
}

/**
 * The yardstick uses its entire core unless another process also uses that core. The other process also evicts CPU
 * cache lines, which slows down the larger program more.
 */
const isUndisturbed = ({ bare }: Pair): boolean => !isPinned || bare.busy >= 0.9

export async function measure({ process, work }: Side, leadIn: number, measured: number): Promise<Pace> {
  if (leadIn > 0) await work(leadIn)
  const [before, started] = [await process.ask<number>('cpu'), performance.now()]
  const count = await work(measured)
  const [after, ended] = [await process.ask<number>('cpu'), performance.now()]
  const [cpuSeconds, seconds] = [(after - before) / 1e6, (ended - started) / 1e3]
  return { perCpuSecond: count / cpuSeconds, perSecond: count / seconds, busy: cpuSeconds / seconds }
}

const typical = (paces: Pace[]): Pace => ({
  perCpuSecond: median(paces.map(({ perCpuSecond }) => perCpuSecond)),
  perSecond: median(paces.map(({ perSecond }) => perSecond)),
  busy: median(paces.map(({ busy }) => busy)),
})
