import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CachedSession } from '../../src/context.ts'
import { MemorySessions } from '../../src/sessions/memory-sessions.ts'

const copyOf = (tokenHash: string, metadata: object) =>
  ({ tokenHash, view: { user: { id: tokenHash, metadata }, epoch: 0 } }) as unknown as CachedSession

/** How many of so many copies memory still has. */
function kept(count: number, metadata: object): number {
  const memory = new MemorySessions()
  const names = Array.from({ length: count }, (_, index) => `hash ${index}`)
  for (const name of names) memory.set(name, copyOf(name, metadata))
  return names.filter((name) => memory.get(name)).length
}

test('memory holds fifty thousand copies at most', () => {
  assert.equal(kept(25_000, {}), 25_000)
  const held = kept(120_000, {})
  assert.ok(held >= 20_000 && held <= 50_000, `${held}`)
})

test('large copies count for several, so that people cannot fill it', () => {
  const held = kept(10_000, { notes: 'x'.repeat(16_000) })
  assert.ok(held > 0 && held <= 3_000, `${held}`)
})

test('a copy that is replaced again and again pushes out no other', () => {
  const memory = new MemorySessions()
  memory.set('one', copyOf('one', {}))
  for (let count = 0; count < 60_000; count++) memory.set('two', copyOf('two', {}))
  assert.ok(memory.get('one'))
})
