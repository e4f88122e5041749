import { readMarks } from './marks.ts'
import type { Pool } from './pool.ts'
import { type Job, type Outcome, runFile } from './run-file.ts'
import type { Item } from './run-items.ts'

/** If files take this many times their recorded durations, the machine is considered slow. */
const slowPace = 1.5

interface Context {
  pool: Pool
  /** Milliseconds. */
  limit: number
  pace(): number
  /** Whether to run files that share a process alone, too, and to compare the results. */
  eachAlone: boolean
}

export function fileItem(place: Omit<Job, 'limit'>, { pool, limit, pace, eachAlone }: Context): Item {
  const { isAlone, isOwnProcess } = readMarks(place.file)
  // On a slow machine, the time limit is extended because a file can exceed it without hanging.
  const job = (): Job => ({
    ...place,
    isOwnProcess,
    isAlone,
    limit: pace() < slowPace ? limit : limit * Math.min(pace(), 3),
  })
  const runAlone = () => runFile(job())
  const runShared = () => pool.run(job())
  const runTwice = async () => {
    const alone = await runAlone()
    return alone.failed > 0 ? alone : compared(alone, await runShared())
  }
  return {
    ...place,
    isAlone,
    run: isAlone || isOwnProcess ? runAlone : eachAlone ? runTwice : runShared,
    runAgain: runAlone,
  }
}

/** A file must give the same result alone and after other files in its process. */
function compared(alone: Outcome, shared: Outcome): Outcome {
  const isSame = JSON.stringify(alone.tests) === JSON.stringify(shared.tests)
  if (isSame || shared.failed > 0) return shared
  const counts = ({ passed, skipped }: Outcome) => `${passed} passed, ${skipped} skipped`
  return { ...shared, failed: 1, problem: `gives another result alone (${counts(alone)}) than after other files` }
}
