export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Why tests were skipped, in their own words. */
  reasons: string[]
}

/** Reads what the `spec` reporter of Node wrote; undefined when it never came to its summary. */
export function readCounts(output: string): Counts | undefined {
  const summary = [...output.matchAll(/^ℹ tests \d+\nℹ suites \d+\n(?:ℹ [a-z_]+ [\d.]+\n)+/gm)].at(-1)?.[0]
  if (!summary) return undefined
  const count = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(summary)?.[1])
  // The summary leaves out skipped suites, of which it knows no more than their line.
  const skipped = [...output.matchAll(/^ *﹣ .* \([\d.]+m?s\) # (.*)$/gm)]
  return {
    passed: count('pass'),
    // A test marked "todo" is allowed to fail by Node, but not here.
    failed: count('fail') + count('cancelled') + count('todo'),
    skipped: skipped.length,
    reasons: [...new Set(skipped.map((line) => line[1]!).filter((reason) => reason !== 'SKIP'))],
  }
}
