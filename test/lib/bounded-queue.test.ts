import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedQueue } from '../../src/lib/bounded-queue.ts'

test('a queue is idle when neither running nor waiting work is left, even if the work failed', async () => {
  const queue = boundedQueue(1, 2)
  await queue.idle()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = Promise.all([queue.run(() => first.promise).catch(() => {}), queue.run(() => second.promise)])
  let isIdle = false
  const idle = queue.idle().then(() => {
    isIdle = true
  })
  first.reject(new Error('failed'))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isIdle, false)
  second.resolve()
  await Promise.all([done, idle])
  assert.equal(isIdle, true)
  await queue.idle()
})
