import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Part, PartName } from './parts.ts'
import type { Outcome } from './run-file.ts'

const path = 'test/durations.json'
/** For a file that is newer than the record, in seconds. */
const usual = 3

/** How long files and whole parts took when they were recorded, in seconds. */
export interface Durations {
  cores: number
  parts: Partial<Record<PartName, { seconds: number; files: Record<string, number> }>>
}

export function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { cores: availableParallelism(), parts: {} }
  }
}

export function expectedSeconds({ parts }: Durations, part: PartName, file: string): number {
  return parts[part]?.files[file] ?? parts.embedded?.files[file] ?? usual
}

/** Seconds until the files have run, on this machine, beside each other. */
export function expectedDuration(durations: Durations, part: PartName, files: string[]): number {
  const work = files.reduce((sum, file) => sum + expectedSeconds(durations, part, file), 0)
  const recorded = durations.parts[part]
  const recordedWork = Object.values(recorded?.files ?? {}).reduce((sum, seconds) => sum + seconds, 0)
  const share = recorded ? recorded.seconds / Math.max(1, recordedWork) : 1
  return (work * share * durations.cores) / availableParallelism()
}

/** Replaces the record of the parts that have run in full. */
export function recordDurations(ran: { part: Part; seconds: number; outcomes: Outcome[] }[]): void {
  const { parts } = readDurations()
  for (const { part, seconds, outcomes } of ran) {
    // A file that hung is not slow, and must stay in the quick run.
    const before = Object.entries(parts[part.name]?.files ?? {}).filter(([file]) => part.files.includes(file))
    const passed = outcomes.filter(({ failed }) => failed === 0)
    const files = passed.map((outcome) => [outcome.file, Math.round(outcome.seconds * 10) / 10] as const)
    parts[part.name] = {
      seconds: Math.round(seconds),
      files: Object.fromEntries(
        Object.entries({ ...Object.fromEntries(before), ...Object.fromEntries(files) }).toSorted(),
      ),
    }
  }
  writeFileSync(path, `${JSON.stringify({ cores: availableParallelism(), parts }, undefined, 2)}\n`)
}
