import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Outcome } from './run-file.ts'

const path = 'test/durations.json'
export const checksPart = 'checks'
/** Assumed for a file that has no record. */
const usual: Duration = { cpu: 2, seconds: 3 }

/** CPU seconds, and seconds. */
export interface Duration {
  cpu: number
  seconds: number
}

/** The recorded durations of files, by part and file. */
export interface Durations {
  /** The seconds that a whole run took, divided by the seconds that its CPU time takes if no core is ever idle. */
  share: number
  files: Record<string, Record<string, Duration>>
}

export function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { share: 1, files: {} }
  }
}

export const expectedOf = ({ files }: Durations, part: string, file: string): Duration =>
  files[part]?.[file] ?? files.embedded?.[file] ?? usual

/** The seconds that this machine takes to use so much CPU time with all its cores. */
export const idealSeconds = (cpu: number): number => cpu / availableParallelism()

/**
 * Records the durations of a whole run. Files that did not run, or failed, keep their earlier durations: a file that
 * hung would otherwise count as slow and be left out of quick runs.
 */
export function recordDurations(
  outcomes: Outcome[],
  run: { seconds: number; isExisting(file: string): boolean },
): void {
  const durations = readDurations()
  for (const { part, file, failed, cpu, seconds } of outcomes) {
    if (failed > 0) continue
    durations.files[part] = { ...durations.files[part], [file]: { cpu: rounded(cpu), seconds: rounded(seconds) } }
  }
  const cpu = outcomes.reduce((sum, outcome) => sum + outcome.cpu, 0)
  const share = rounded(run.seconds / Math.max(0.1, idealSeconds(cpu)))
  const parts = Object.entries(durations.files).flatMap(([part, files]) => {
    const lines = Object.entries(files)
      // The other checks are scripts of package.json.
      .filter(([file]) => part === checksPart || run.isExisting(file))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([file, { cpu, seconds }]) => `      "${file}": { "cpu": ${cpu}, "seconds": ${seconds} }`)
    return lines.length === 0 ? [] : `    "${part}": {\n${lines.join(',\n')}\n    }`
  })
  writeFileSync(path, `{\n  "share": ${share},\n  "files": {\n${parts.join(',\n')}\n  }\n}\n`)
}

const rounded = (seconds: number): number => Math.round(seconds * 100) / 100
