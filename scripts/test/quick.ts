import { dirname } from 'node:path'
import { type Durations, expectedOf, idealSeconds } from './durations.ts'
import { readMarks } from './marks.ts'
import { type Part, type PartName, planParts } from './parts.ts'

/** The expected duration of the quick run, in seconds. On a slower machine, it still takes less than four minutes. */
const quickSeconds = 180

export interface QuickPlan {
  parts: Part[]
  /** The files and parts that are left out. */
  slow: string[]
  left: PartName[]
}

/**
 * The quick run requires only Node.js: the files of the embedded part that need the least CPU time, as many as fit into
 * `quickSeconds`, and at least one file of every folder.
 */
export function planQuick(durations: Durations): QuickPlan {
  const parts = planParts({ only: [], patterns: [] })
  const embedded = parts.filter(({ name }) => name === 'embedded')
  const files = embedded.flatMap((part) => part.files).map((file) => ({ file, seconds: secondsOf(durations, file) }))
  const bySpeed = files.toSorted((one, other) => one.seconds - other.seconds)
  const firsts = new Map(bySpeed.toReversed().map((one) => [dirname(one.file), one]))
  const chosen = new Set<string>()
  let total = 0
  for (const { file, seconds } of [...firsts.values(), ...bySpeed]) {
    if (chosen.has(file)) continue
    const isFirst = firsts.get(dirname(file))?.file === file
    if (!isFirst && total + seconds > quickSeconds) continue
    chosen.add(file)
    total += seconds
  }
  return {
    parts: embedded.map((part) => ({ ...part, files: part.files.filter((file) => chosen.has(file)), uses: [] })),
    slow: files.map(({ file }) => file).filter((file) => !chosen.has(file)),
    left: parts.map(({ name }) => name).filter((name) => name !== 'embedded'),
  }
}

function secondsOf(durations: Durations, file: string): number {
  const { cpu, seconds } = expectedOf(durations, 'embedded', file)
  return readMarks(file).isAlone ? seconds : idealSeconds(cpu)
}
