export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Why tests were skipped. */
  reasons: string[]
}

/** Reads the output of Node's `spec` reporter. Undefined if there is no summary. */
export function readCounts(output: string): Counts | undefined {
  const summary = [...output.matchAll(/^ℹ tests \d+\nℹ suites \d+\n(?:ℹ [a-z_]+ [\d.]+\n)+/gm)].at(-1)?.[0]
  if (!summary) return undefined
  const count = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(summary)?.[1])
  // The summary does not count skipped suites, so skips are counted from the output lines.
  const skipped = [...output.matchAll(/^ *﹣ .* \([\d.]+m?s\) # (.*)$/gm)]
  return {
    passed: count('pass'),
    // Node.js lets tests marked "todo" fail, but here they count as failures.
    failed: count('fail') + count('cancelled') + count('todo'),
    skipped: skipped.length,
    reasons: [...new Set(skipped.map((line) => line[1]!).filter((reason) => reason !== 'SKIP'))],
  }
}
