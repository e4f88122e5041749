import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CachedSession } from '../../src/context.ts'
import { BoundedMap } from '../../src/lib/bounded-map.ts'
import { cacheBound } from '../../src/sessions/session-cache.ts'

const sessionWith = (metadata: object) => ({ view: { user: { metadata } } }) as unknown as CachedSession

/** Adds `count` sessions to a cache, and returns how many it keeps. */
function kept(count: number, metadata: object): number {
  const sessions = new BoundedMap<number, CachedSession>(cacheBound)
  for (let hash = 0; hash < count; hash++) sessions.set(hash, sessionWith(metadata))
  return sessions.size
}

test('memory holds at most 50,000 sessions', () => {
  assert.equal(kept(25_000, {}), 25_000)
  const held = kept(120_000, {})
  assert.ok(held >= 20_000 && held <= 50_000, `${held}`)
})

test('memory holds fewer sessions if users have much metadata', () => {
  const held = kept(10_000, { notes: 'x'.repeat(16_000) })
  assert.ok(held > 0 && held <= 3_000, `${held}`)
})
