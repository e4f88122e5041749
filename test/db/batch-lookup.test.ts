import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchLookup } from '../../src/db/batch-lookup.ts'

/** Doubles numbers. The lookup fails with the error if one of the keys is negative. */
function doubling(error: unknown) {
  const batches: number[][] = []
  const look = batchLookup(async (keys: number[]) => {
    batches.push(keys)
    if (keys.some((key) => key < 0)) throw error
    return { get: (key: number) => key * 2 }
  })
  const outcomes = async (keys: number[]) =>
    (await Promise.allSettled(keys.map(look))).map((one) =>
      one.status === 'fulfilled' ? one.value : one.reason.message,
    )
  return { batches, outcomes }
}

const rejected = Object.assign(new Error('invalid byte sequence'), { code: '22021' })

test('keys that are wanted in one turn are looked up together, each once', async () => {
  const { batches, outcomes } = doubling(rejected)
  assert.deepEqual(await outcomes([1, 2, 1]), [2, 4, 2])
  assert.deepEqual(batches, [[1, 2]])
})

test('a key that makes the query fail fails alone', async () => {
  const { batches, outcomes } = doubling(rejected)
  assert.deepEqual(await outcomes([1, -1, 2, -1]), [2, rejected.message, 4, rejected.message])
  assert.deepEqual(batches, [[1, -1, 2], [1], [-1], [2]])
  assert.deepEqual(await outcomes([3, 4]), [6, 8])
})

test('a single key is not looked up again', async () => {
  const { batches, outcomes } = doubling(rejected)
  assert.deepEqual(await outcomes([-1]), [rejected.message])
  assert.deepEqual(batches, [[-1]])
})

test('an outage fails all keys without another query', async () => {
  const away = Object.assign(new Error('the database is starting'), { code: '57P03' })
  const { batches, outcomes } = doubling(away)
  assert.deepEqual(await outcomes([1, -1, 2]), [away.message, away.message, away.message])
  assert.deepEqual(batches, [[1, -1, 2]])
})

test('an outage that begins while keys are looked up again ends this', async () => {
  const errors = [rejected, Object.assign(new Error('the database is stopping'), { code: '57P01' })]
  const batches: number[][] = []
  const look = batchLookup(async (keys: number[]) => {
    batches.push(keys)
    throw errors[batches.length - 1]
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(look))
  assert.deepEqual(
    outcomes.map((one) => one.status === 'rejected' && one.reason),
    [errors[1], errors[1], errors[1]],
  )
  assert.deepEqual(batches, [[1, 2, 3], [1]])
})
