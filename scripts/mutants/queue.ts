import { type Mutant, testsOf } from '../../test/mutants/list.ts'

/** Returns a worker's next mutant, or undefined if there are none left. */
export type Next = () => Mutant | undefined

/**
 * Distributes mutants to workers. Mutants with the same test files form a group, because their tests run once without a
 * mutant first. A worker takes a whole group, starting with the largest, so that no worker waits for this run of another
 * worker. When all groups have been taken, idle workers help with the group that has the most mutants left.
 */
export function createQueue(mutants: readonly Mutant[]): { addWorker(): Next } {
  const waiting = groupByTests(mutants).toSorted((one, other) => other.length - one.length)
  const taken: Mutant[][] = []

  function takeGroup(): Mutant[] {
    const group = waiting.shift()
    if (group) taken.push(group)
    return group ?? taken.toSorted((one, other) => other.length - one.length)[0] ?? []
  }

  return {
    addWorker() {
      let group: Mutant[] = []
      return () => {
        if (group.length === 0) group = takeGroup()
        return group.shift()
      }
    },
  }
}

/**
 * A tenth of the mutants, always the same for the same number. Mutants with the same test files stay together, because
 * the run without a mutant is as expensive as the others.
 */
export function tenthOf(mutants: readonly Mutant[], tenth: number): Mutant[] {
  return groupByTests(mutants)
    .filter((_, index) => index % 10 === tenth)
    .flat()
}

/** In the order of the test files' names. */
function groupByTests(mutants: readonly Mutant[]): Mutant[][] {
  const groups = Map.groupBy(mutants, (mutant) => testsOf(mutant).join())
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group)
}
