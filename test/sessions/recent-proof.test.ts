import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../src/context.ts'
import { isRecentlyProven } from '../../src/sessions/session.ts'

const window = 300_000
const time = new Date('2026-01-01T00:00:00Z')
const later = new Date(time.getTime() + 1)

function isRecent(session: object, { after = 0, REAUTH_WINDOW = window } = {}): boolean {
  const ctx = { config: { REAUTH_WINDOW }, clock: { now: () => time.getTime() + after } }
  const own = { impersonated_by: null, parent_id: null, created_at: time, proved_at: time, ...session }
  return isRecentlyProven(ctx as Context, { session: own } as Parameters<typeof isRecentlyProven>[1])
}

test('authentication is recent until the time has passed, or always if there is no limit', () => {
  assert.ok(isRecent({}, { after: window }))
  assert.ok(!isRecent({}, { after: window + 1 }))
  assert.ok(isRecent({}, { after: window + 1, REAUTH_WINDOW: 0 }))
})

test('the authentication that an application takes over is not recent, but its own is', () => {
  assert.ok(!isRecent({ parent_id: 'a' }))
  assert.ok(isRecent({ parent_id: 'a', proved_at: later }))
})

test('impersonated sessions are never recently authenticated', () => {
  for (const REAUTH_WINDOW of [window, 0]) assert.ok(!isRecent({ impersonated_by: 'a' }, { REAUTH_WINDOW }))
})
