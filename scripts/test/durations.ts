import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Part, PartName } from './parts.ts'
import type { Outcome } from './run-file.ts'

const path = 'test/durations.json'
/** The assumed duration of a file without a recorded one, in seconds. */
const usual = 3

/** The recorded durations of files and of entire parts, in seconds, and the machine's number of cores. */
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

/** How many seconds this machine is expected to take to run these files concurrently. */
export function expectedDuration(durations: Durations, part: PartName, files: string[]): number {
  const work = files.reduce((sum, file) => sum + expectedSeconds(durations, part, file), 0)
  const recorded = durations.parts[part]
  const recordedWork = Object.values(recorded?.files ?? {}).reduce((sum, seconds) => sum + seconds, 0)
  const share = recorded ? recorded.seconds / Math.max(1, recordedWork) : 1
  return (work * share * durations.cores) / availableParallelism()
}

/** Replaces the recorded durations of these parts, all of whose files have run. */
export function recordDurations(ran: { part: Part; seconds: number; outcomes: Outcome[] }[]): void {
  const { parts } = readDurations()
  for (const { part, seconds, outcomes } of ran) {
    // A failed file keeps its earlier duration. Otherwise, a file that hung would count as slow and be excluded from
    // quick runs.
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
