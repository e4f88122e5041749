import type { ReportLine } from '../test/records.ts'

/** Adds up the flaky and failed files of several runs. */
export function countFlaky(reports: ReportLine[][]): { lines: string[]; flaky: number } {
  const counts = new Map<string, { flaky: number; failed: number }>()
  for (const { part, file, isFlaky, failed } of reports.flat()) {
    if (!isFlaky && failed === 0) continue
    const name = `${file} (${part})`
    const count = counts.get(name) ?? { flaky: 0, failed: 0 }
    counts.set(name, isFlaky ? { ...count, flaky: count.flaky + 1 } : { ...count, failed: count.failed + 1 })
  }
  const files = [...counts].toSorted(([, one], [, other]) => other.flaky + other.failed - one.flaky - one.failed)
  const lines = files.map(([name, { flaky, failed }]) => `${name}: ${flaky} times flaky, ${failed} times failed`)
  return { lines: [...lines, `${counts.size} flaky or failed files in ${reports.length} runs`], flaky: counts.size }
}
