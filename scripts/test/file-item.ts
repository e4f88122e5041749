import { readMarks } from './marks.ts'
import type { Pool } from './pool.ts'
import { type Job, runFile } from './run-file.ts'
import type { Item } from './run-items.ts'

/** If files take this many times their recorded durations, the machine is considered slow. */
const slowPace = 1.5

interface Context {
  pool: Pool
  /** Milliseconds. */
  limit: number
  pace(): number
}

export function fileItem(place: Omit<Job, 'limit'>, { pool, limit, pace }: Context): Item {
  const { isAlone, isOwnProcess } = readMarks(place.file)
  // On a slow machine, the time limit is extended because a file can exceed it without hanging.
  const job = (): Job => ({ ...place, limit: pace() < slowPace ? limit : limit * Math.min(pace(), 3) })
  const runAlone = () => runFile(job())
  return {
    ...place,
    isAlone,
    run: isAlone || isOwnProcess ? runAlone : () => pool.run(job()),
    runAgain: runAlone,
  }
}
