import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
let ada: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
  admin = await signedInAs(app, 'admin')
  ada = await registered(app)
  await app.post('/auth/login', { email: ada.email, password: 'not the password' })
  await app.post(`/auth/admin/users/${ada.id}/block`, { reason: 'Spam' }, withSession(admin.sessionToken))
})
after(() => app.stop())

const url = '/auth/admin/audit'
const list = async (query: Record<string, string>) => {
  const { status, json, text } = await app.get(url, { ...withSession(admin.sessionToken), query })
  assert.equal(status, 200, text)
  return json.data as {
    events: { event: string; actor_id: string; target_id: string; outcome: string; details: object }[]
    pagination: { total: number; pages: number }
  }
}
const namesOf = async (query: Record<string, string>) => (await list(query)).events.map(({ event }) => event).toSorted()

test('actor and target each match only their own side of an event', async () => {
  assert.ok((await namesOf({ target_id: ada.id })).includes('user_blocked'))
  assert.ok(!(await namesOf({ actor_id: ada.id })).includes('user_blocked'))
  assert.ok((await namesOf({ actor_id: admin.id })).includes('user_blocked'))
  assert.deepEqual(await namesOf({ actor_id: admin.id, target_id: ada.id }), ['session_ended', 'user_blocked'])
})

test('the outcome narrows the list', async () => {
  assert.deepEqual(await namesOf({ target_id: ada.id, outcome: 'failure' }), ['login_fail'])
  assert.ok(!(await namesOf({ target_id: ada.id, outcome: 'success' })).includes('login_fail'))
})

test('an invalid filter is refused by name', async () => {
  for (const [name, value] of [
    ['actor_id', 'ada'],
    ['target_id', `${ada.id} OR true`],
    ['outcome', 'maybe'],
    ['count_limit', '0'],
  ]) {
    const query = { [`${name}`]: `${value}` }
    const { status, json } = await app.get(url, { ...withSession(admin.sessionToken), query })
    assert.deepEqual([status, json.details.map(({ field }: { field: string }) => field)], [400, [name]])
  }
})

test('counting stops at the limit, and pages beyond it can still be read', async () => {
  const all = (await list({ user_id: ada.id })).pagination.total
  assert.ok(all > 2)
  assert.deepEqual((await list({ user_id: ada.id, count_limit: '2' })).pagination.total, 2)
  const second = await list({ user_id: ada.id, count_limit: '2', limit: '2', page: '2' })
  assert.ok(second.events.length > 0)
})

test('the end of a block records the block that ended', async () => {
  const grace = await registered(app)
  const session = withSession(admin.sessionToken)
  await app.post(`/auth/admin/users/${grace.id}/block`, { reason: 'Chargeback' }, session)
  await app.post(`/auth/admin/users/${grace.id}/unblock`, {}, session)
  const [ended] = (await list({ target_id: grace.id, event: 'user_unblocked' })).events
  assert.ok(ended)
  const { block } = ended.details as { block: { from: { reason: string; until: null }; to: null } }
  assert.deepEqual([block.from.reason, block.from.until, block.to], ['Chargeback', null, null])
})
