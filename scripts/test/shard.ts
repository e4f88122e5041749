import { type Durations, expectedOf } from './durations.ts'

/** One of several machines that share a run. */
export interface Shard {
  /** From 1 to `count`. */
  number: number
  count: number
}

export function readShard(text: string): Shard | undefined {
  const [, number = 0, count = 0] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text)?.map(Number) ?? []
  return number >= 1 && number <= count ? { number, count } : undefined
}

/** The items of this shard. Each item goes to the shard with the least CPU time so far, the longest items first. */
export function itemsOfShard<Item extends { part: { name: string }; file: string }>(
  items: readonly Item[],
  durations: Durations,
  { number, count }: Shard,
): Item[] {
  const cpu = ({ part, file }: Item) => expectedOf(durations, part.name, file).cpu
  const totals = Array.from({ length: count }, () => 0)
  const chosen = new Set<Item>()
  for (const item of items.toSorted((one, other) => cpu(other) - cpu(one))) {
    const index = totals.indexOf(Math.min(...totals))
    totals[index]! += cpu(item)
    if (index === number - 1) chosen.add(item)
  }
  return items.filter((item) => chosen.has(item))
}
