export const median = (samples: readonly number[]): number =>
  samples.toSorted((left, right) => left - right)[samples.length >> 1] ?? 0

/**
 * The fraction of pairs in which the sample of the first kind is slower: 0.5 if the kinds are indistinguishable
 * (Mann–Whitney test).
 */
export function chanceSlower(left: readonly number[], right: readonly number[]): number {
  const wins = left.flatMap((one) => right.map((other): number => (one > other ? 1 : one === other ? 0.5 : 0)))
  return wins.reduce((sum, win) => sum + win, 0) / wins.length
}
