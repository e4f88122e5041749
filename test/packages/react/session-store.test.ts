import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionStore } from '../../../packages/react/src/session-store.ts'

const ada = { name: 'Ada' }

test('the first question that has no answer leaves the session unknown', async () => {
  const store = sessionStore({ currentUser: () => Promise.reject(new Error('offline')) }, undefined)
  await store.refresh()
  assert.deepEqual(store.get(), { status: 'unknown', user: undefined })
})

test('a later question without an answer changes nothing', async () => {
  for (const user of [ada, null]) {
    const store = sessionStore({ currentUser: () => Promise.reject(new Error('offline')) }, user)
    const before = store.get()
    await store.refresh()
    assert.equal(store.get(), before)
  }
})

test('a question that was asked before another does not overtake its answer', async () => {
  const answers: ((user: typeof ada | null) => void)[] = []
  const store = sessionStore(
    { currentUser: () => new Promise<typeof ada | null>((resolve) => answers.push(resolve)) },
    ada,
  )
  const [first, second] = [store.refresh(), store.refresh()]
  answers[1]?.(null)
  answers[0]?.(ada)
  await Promise.all([first, second])
  assert.equal(store.get().status, 'signed-out')
})
