import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { sealEvents } from '../../src/audit/seal-events.ts'
import { newId } from '../../src/lib/ids.ts'
import { hour, minute } from '../../src/lib/time.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let support: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
  support = await signedInAs(app, 'support')
})
after(() => app.stop())

const state = async () => {
  const { status, json, text } = await app.get('/auth/admin/audit/seals', withSession(support.sessionToken))
  assert.equal(status, 200, text)
  return json.data
}
const anEvent = () =>
  sql`INSERT INTO audit_events (id, time, event, outcome, node)
    VALUES (${newId()}, ${new Date(app.clock.now())}, 'logout', 'success', 'node')`.execute(app.ctx.db)

test('without a seal, nothing is verified', async () => {
  const { state: word, newest, age_seconds: age, checked_seals: checked } = await state()
  assert.deepEqual([word, newest, age, checked], ['none', null, null, 0])
})

test('the newest seals are verified, as many as the bound allows', async () => {
  await sealEvents(app.ctx, 1_000)
  for (let count = 0; count < 104; count++) {
    await anEvent()
    assert.equal(await sealEvents(app.ctx, 1_000), 1)
  }
  app.clock.advance(5 * minute)
  const verified = await state()
  assert.equal(verified.state, 'verified')
  assert.equal(verified.newest.number, 105)
  assert.equal(verified.newest.events, 1)
  assert.equal(verified.age_seconds, 300)
  assert.deepEqual([verified.checked_seals, verified.checked_with_events], [100, 3])
})

test('a forged seal and a changed event are found among the newest', async () => {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(app.ctx.db)
  await run(sql`UPDATE audit_seals SET digest = digest || 'x' WHERE number = 50`)
  assert.deepEqual((await state()).broken, [{ seal: 50, what: 'forged' }])
  assert.equal((await state()).state, 'broken')
  await run(sql`UPDATE audit_seals SET digest = rtrim(digest, 'x') WHERE number = 50`)
  await run(sql`DELETE FROM audit_seals WHERE number = 60`)
  assert.deepEqual((await state()).broken, [{ seal: 60, what: 'missing' }])
})

test('events that stay without a seal make the trail incomplete', async () => {
  const fresh = await startTestApp()
  try {
    const admin = await signedInAs(fresh, 'admin')
    fresh.clock.advance(2 * hour)
    const again = await signedInAs(fresh, 'admin')
    const { json } = await fresh.get('/auth/admin/audit/seals', withSession(again.sessionToken))
    assert.equal(json.data.state, 'incomplete')
    assert.ok(json.data.unsealed_over_an_hour > 0)
    assert.ok(json.data.oldest_unsealed_at !== null && admin.id !== '')
  } finally {
    await fresh.stop()
  }
})
