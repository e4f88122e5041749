import { createHash } from 'node:crypto'
import { type Durations, expectedOf } from './durations.ts'

interface Item {
  part: { name: string }
  file: string
}

/** Files that take longer than this many seconds start first, so that the run does not end with one of them. */
const long = 15

/** Long files first, the longest at the beginning. The other files are in a random order that depends on the seed. */
export function inOrder<One extends Item>(items: readonly One[], durations: Durations, seed: string): One[] {
  const seconds = ({ part, file }: Item) => expectedOf(durations, part.name, file).seconds
  const first = items.filter((item) => seconds(item) > long)
  const others = items.filter((item) => seconds(item) <= long)
  return [
    ...first.toSorted((one, other) => seconds(other) - seconds(one)),
    ...others.toSorted((one, other) => (rank(one, seed) < rank(other, seed) ? -1 : 1)),
  ]
}

const rank = ({ part, file }: Item, seed: string): string =>
  createHash('sha256').update(`${seed} ${part.name} ${file}`).digest('hex')
