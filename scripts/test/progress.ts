import { type Durations, expectedDuration, expectedSeconds } from './durations.ts'
import type { Part } from './parts.ts'
import type { Outcome } from './run-file.ts'

/** How far a run is, and how long the rest of it will take. */
export interface Progress {
  total: number
  /** Seconds from the start to the end, by the record. */
  expected: number
  done: () => number
  add(outcome: Outcome): void
  /** How many times as long as recorded this run takes so far. */
  pace(): number
  /** Seconds until the end, by the record and by the pace of this run. */
  left(): number
}

/** After this many seconds, the pace of this run has the same weight as the record. */
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

/** As one says it: `20 seconds`, `4 minutes`. */
export function inWords(seconds: number): string {
  if (seconds < 50) return `${Math.max(10, Math.ceil(seconds / 10) * 10)} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes <= 1 ? '1 minute' : `${minutes} minutes`
}
