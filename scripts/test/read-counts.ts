export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** The reasons of the skipped tests. */
  reasons: string[]
}

/** Reads the output of Node's `spec` reporter. Undefined if it contains no summary. */
export function readCounts(output: string): Counts | undefined {
  const summary = [...output.matchAll(/^ℹ tests \d+\nℹ suites \d+\n(?:ℹ [a-z_]+ [\d.]+\n)+/gm)].at(-1)?.[0]
  if (!summary) return undefined
  const count = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(summary)?.[1])
  // The summary does not count skipped suites, so skips are counted from the lines of the output.
  const skipped = [...output.matchAll(/^ *﹣ .* \([\d.]+m?s\) # (.*)$/gm)]
  return {
    passed: count('pass'),
    // Node.js allows tests that are marked "todo" to fail, but here they count as failures.
    failed: count('fail') + count('cancelled') + count('todo'),
    skipped: skipped.length,
    reasons: [...new Set(skipped.map((line) => line[1]!).filter((reason) => reason !== 'SKIP'))],
  }
}
