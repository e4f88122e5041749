import { type Durations, expectedDuration, expectedSeconds } from './durations.ts'
import type { Part } from './parts.ts'
import type { Outcome } from './run-file.ts'

/** A run's progress and expected remaining time. */
export interface Progress {
  total: number
  /** The expected duration of the entire run in seconds, from the recorded durations. */
  expected: number
  done: () => number
  add(outcome: Outcome): void
  /** The duration of the run so far, divided by the recorded duration of the same files. */
  pace(): number
  /** The expected remaining seconds, from the recorded durations and this run's pace. */
  left(): number
}

/** In seconds. The pace is computed as if the run had begun with this much work at the recorded pace. */
const trust = 30

export function createProgress(parts: Part[], durations: Durations): Progress {
  const started = performance.now()
  const total = parts.reduce((sum, { files }) => sum + files.length, 0)
  const expected = sum(parts.map(({ name, files }) => expectedDuration(durations, name, files)))
  const perPart = new Map(parts.map(({ name, files }) => [name as string, paceOf(name, files)]))
  let done = 0
  let passed = 0

  function paceOf(name: Part['name'], files: string[]): (file: string) => number {
    const work = sum(files.map((file) => expectedSeconds(durations, name, file)))
    const share = expectedDuration(durations, name, files) / Math.max(1, work)
    return (file) => expectedSeconds(durations, name, file) * share
  }

  return {
    total,
    expected,
    done: () => done,
    add({ part, file }) {
      done++
      passed += perPart.get(part)?.(file) ?? 0
    },
    pace,
    left: () => Math.max(0, expected - passed) * pace(),
  }

  function pace(): number {
    const taken = (performance.now() - started) / 1000
    return (taken + trust) / (passed + trust)
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

/** A rounded duration, such as `20 seconds` or `4 minutes`. */
export function inWords(seconds: number): string {
  if (seconds < 50) return `${Math.max(10, Math.ceil(seconds / 10) * 10)} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes <= 1 ? '1 minute' : `${minutes} minutes`
}
