import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../../src/adapters/within.ts'

test('work that ends in time returns its result', async () => {
  assert.equal(await within(1_000, Promise.resolve('done')), 'done')
  await assert.rejects(within(1_000, Promise.reject(new Error('its own'))), /its own/)
})

test('work that takes too long is abandoned, and its late result is cleaned up', async () => {
  const late: string[] = []
  await assert.rejects(
    within(10, sleep(40, 'a connection'), (value) => late.push(value)),
    /within 10 ms/,
  )
  assert.deepEqual(late, [])
  await sleep(60)
  assert.deepEqual(late, ['a connection'])
})

test('a late failure has no effect', async () => {
  const failing = sleep(30).then(() => Promise.reject(new Error('late')))
  await assert.rejects(within(10, failing), /within 10 ms/)
  await sleep(40)
})
