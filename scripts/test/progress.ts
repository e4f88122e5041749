import { type Durations, expectedOf, idealSeconds } from './durations.ts'

interface Item {
  part: { name: string }
  file: string
  /** Whether nothing else runs at the same time. */
  isAlone: boolean
}

/** A run's progress and expected remaining time. */
export interface Progress {
  total: number
  /** The expected duration of the entire run in seconds, from the recorded durations. */
  expected: number
  done: () => number
  add(outcome: { part: string; file: string }): void
  /** The duration of the run so far, divided by the recorded duration of the same files. */
  pace(): number
  /** The expected remaining seconds, from the recorded durations and this run's pace. */
  left(): number
}

/** In seconds. The pace is computed as if the run had begun with this much work at the recorded pace. */
const trust = 30

export function createProgress(items: Item[], durations: Durations): Progress {
  const started = performance.now()
  const seconds = new Map(items.map((item) => [keyOf(item.part.name, item.file), secondsOf(item, durations)]))
  const expected = [...seconds.values()].reduce((sum, one) => sum + one, 0)
  let done = 0
  let passed = 0
  const pace = () => ((performance.now() - started) / 1000 + trust) / (passed + trust)
  return {
    total: items.length,
    expected,
    done: () => done,
    add({ part, file }) {
      done++
      passed += seconds.get(keyOf(part, file)) ?? 0
    },
    pace,
    left: () => Math.max(0, expected - passed) * pace(),
  }
}

function secondsOf({ part, file, isAlone }: Item, durations: Durations): number {
  const { cpu, seconds } = expectedOf(durations, part.name, file)
  return isAlone ? seconds : idealSeconds(cpu) * durations.share
}

const keyOf = (part: string, file: string): string => `${part} ${file}`

/** A rounded duration, such as `20 seconds` or `4 minutes`. */
export function inWords(seconds: number): string {
  if (seconds < 50) return `${Math.max(10, Math.ceil(seconds / 10) * 10)} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes <= 1 ? '1 minute' : `${minutes} minutes`
}
