import { atOnce } from './at-once.ts'
import type { Outcome } from './run-file.ts'

/** A test file in one part, or another check. */
export interface Item {
  part: { name: string }
  file: string
  /** Whether nothing else may run at the same time. */
  isAlone: boolean
  run(): Promise<Outcome>
  /** A second run, in a process of its own. Undefined if the failure is final. */
  runAgain?: (() => Promise<Outcome>) | undefined
}

export interface Listener {
  /** A final outcome. */
  keep(outcome: Outcome): void
  /** The file failed while others were running, and will run again on its own. */
  doubt(outcome: Outcome): void
  secondRun(files: number): void
}

/** Runs the items in this order, several at a time, and then those that run alone. */
export async function runItems(items: readonly Item[], listener: Listener): Promise<void> {
  const isSingle = items.length === 1
  const beside = isSingle ? [] : items.filter(({ isAlone }) => !isAlone)
  const alone = isSingle ? items : items.filter(({ isAlone }) => isAlone)
  const doubtful = new Map<Outcome, () => Promise<Outcome>>()
  try {
    await atOnce(beside, async ({ run, runAgain }) => {
      const outcome = await run()
      // A file that hangs would hang again and could use up the rest of the time that the whole run has.
      if (outcome.failed === 0 || outcome.wasStopped || !runAgain) return listener.keep(outcome)
      listener.doubt(outcome)
      doubtful.set(outcome, runAgain)
    })
    if (doubtful.size > 0) listener.secondRun(doubtful.size)
    for (const [before, runAgain] of doubtful) {
      const outcome = { ...(await runAgain()), failedBesideOthers: true }
      doubtful.delete(before)
      listener.keep(outcome)
    }
    for (const item of alone) listener.keep(await (isSingle ? (item.runAgain ?? item.run)() : item.run()))
  } finally {
    // If the run is interrupted before a file's second run, its first failure counts.
    for (const outcome of doubtful.keys()) listener.keep(outcome)
  }
}
