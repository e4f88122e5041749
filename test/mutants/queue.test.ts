import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createQueue, tenthOf } from '../../scripts/mutants/queue.ts'
import { type Mutant, mutants } from './list.ts'

const mutant = (rule: string, test: Mutant['test']): Mutant => ({ rule, file: 'src/app.ts', from: 'a', to: 'b', test })
const rulesOf = (some: readonly (Mutant | undefined)[]) => some.map((one) => one?.rule)

describe('the queue of mutants', () => {
  const a = [1, 2, 3].map((number) => mutant(`a${number}`, 'test/a.test.ts'))
  const b = [1, 2].map((number) => mutant(`b${number}`, ['test/b.test.ts']))

  test('gives a worker all mutants of a test file, and starts with the largest group', () => {
    const next = createQueue([b[0]!, a[0]!, a[1]!, b[1]!, a[2]!]).addWorker()
    assert.deepEqual(rulesOf(Array.from({ length: 6 }, next)), ['a1', 'a2', 'a3', 'b1', 'b2', undefined])
  })

  test('gives another worker a different test file, and then the rest of a group that is being worked on', () => {
    const queue = createQueue([...a, ...b])
    const [one, other] = [queue.addWorker(), queue.addWorker()]
    assert.deepEqual(rulesOf([one(), other(), other(), other(), one(), one(), other()]), [
      'a1',
      'b1',
      'b2',
      'a2',
      'a3',
      undefined,
      undefined,
    ])
  })
})

describe('the tenths of the mutants', () => {
  const tenths = Array.from({ length: 10 }, (_, index) => tenthOf(mutants, index))

  test('contain every mutant exactly once', () => {
    assert.deepEqual(rulesOf(tenths.flat()).toSorted(), rulesOf(mutants).toSorted())
  })

  test('keep mutants with the same test file together', () => {
    const watchers = tenths.flatMap((tenth) => [...new Set(tenth.map(({ test }) => String(test)))])
    assert.equal(new Set(watchers).size, watchers.length)
  })
})
