import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trackWork } from '../../src/lib/running-work.ts'

test('waiting ends when no work is running any more, even if some of it failed', async () => {
  const work = trackWork()
  await work.idle(60_000)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = Promise.all([work.during(() => first.promise).catch(() => {}), work.during(() => second.promise)])
  let isIdle = false
  const idle = work.idle(60_000).then(() => {
    isIdle = true
  })
  first.reject(new Error('failed'))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isIdle, false)
  second.resolve()
  await Promise.all([done, idle])
  assert.equal(isIdle, true)
  await work.idle(60_000)
})

test('waiting ends at its limit, even if the work does not', async () => {
  const work = trackWork()
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = work.during(() => promise)
  await work.idle(1)
  resolve()
  await done
})
