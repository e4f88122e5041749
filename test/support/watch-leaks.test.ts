import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onboarding } from '../../src/modules/onboarding/manifest.ts'
import { startTestApp, type TestApp } from './test-app.ts'
import { watchLeaks } from './watch-leaks.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

// This module registers the names of write-only members.
assert.deepEqual(onboarding.writeOnlyNames, ['acquisition*', 'team_size_range'])

const sent = 'canary of a source'
const watching = () => {
  const watch = watchLeaks()
  watch.sent('/a?acquisitionTerm=canary%20of%20a%20query', { deep: [{ acquisition_source: sent, other: 'harmless' }] })
  return watch
}

test('a reply that shows what was sent as write-only is noticed, and so is a member of such a name, and a password', () => {
  const watch = watching()
  watch.replied('{"a":"harmless"}', 'GET /a')
  watch.replied('{"properties":{"acquisition_source":{}}}', 'GET /openapi.json')
  for (const text of [
    `{"a":"${sent}"}`,
    '{"a":"canary of a query"}',
    '{"acquisitionSource":null}',
    '{"a":"nine harbour bells at dawn"}',
    '{"teamSizeRange":"1"}',
  ])
    assert.throws(() => watch.replied(text, 'GET /a'), /never should/)
})

test('a line of the log that shows it is noticed at the end', async () => {
  const watch = watching()
  watch.logged('{"msg":"harmless"}')
  await watch.end(app)
  watch.logged(`{"msg":"${sent}"}`)
  await assert.rejects(watch.end(app), /logs show/)
})

test('a row that keeps it is noticed, wherever it is, and so is a message that waits', async () => {
  const watch = watching()
  const keep = (text: string) => app.database.query('INSERT INTO installation_facts VALUES ($1, now())', [text])
  await keep('harmless')
  await watch.end(app)
  await keep(`a fact with ${sent} in it`)
  await assert.rejects(watch.end(app), /installation_facts keeps/)
  await app.database.query("DELETE FROM installation_facts WHERE fact LIKE '%canary%'", [])
  await watch.end(app)
  await app.database.query('INSERT INTO social_tokens_used VALUES ($1, now())', [Buffer.from(`${sent} in bytes`)])
  await assert.rejects(watch.end(app), /social_tokens_used keeps/)
  await app.database.query('DELETE FROM social_tokens_used', [])
})
