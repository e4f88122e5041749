import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'
import { createHasher } from '../../src/passwords/hash.ts'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).sort()

async function hashOf(app: TestApp, id: string): Promise<string> {
  const { rows } = await sql<{ hash: string }>`SELECT password_hash AS hash FROM users WHERE id = ${id}`.execute(
    app.ctx.db,
  )
  return rows[0]!.hash
}

/** Stores a hash with other parameters, as if the user had registered under other settings. */
async function setOldHash(app: TestApp, id: string, password: string, ARGON2_TIME: number): Promise<void> {
  const { hash } = createHasher({ ...app.ctx.config, ARGON2_TIME }, await createMetrics())
  await sql`UPDATE users SET password_hash = ${await hash(password)} WHERE id = ${id}`.execute(app.ctx.db)
}

test('a sign-in hashes the password anew when the parameters have risen, also when several come at once', async (t) => {
  const app = await startTestApp({ env: { ARGON2_TIME: '3' } })
  t.after(app.stop)
  const ada = await registered(app)
  const login = () => app.post('/auth/login', { email: ada.email, password: ada.password })
  for (const count of [1, 4]) {
    await setOldHash(app, ada.id, ada.password, 1)
    const replies = await Promise.all(Array.from({ length: count }, login))
    assert.deepEqual(statuses(replies), Array(count).fill(200))
    const stored = await hashOf(app, ada.id)
    assert.match(stored, /,t=3,/)
    assert.equal((await login()).status, 200)
    assert.equal(await hashOf(app, ada.id), stored)
  }
})

test('a node with lower parameters leaves a stronger hash as it is', async (t) => {
  const app = await startTestApp({ env: { ARGON2_TIME: '1' } })
  t.after(app.stop)
  const ada = await registered(app)
  await setOldHash(app, ada.id, ada.password, 2)
  const stored = await hashOf(app, ada.id)
  assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password })).status, 200)
  assert.equal(await hashOf(app, ada.id), stored)
})

test('when too many hashes wait the answer is 503, and what we could not check counts against nobody', async (t) => {
  const app = await startTestApp({
    env: { HASH_CONCURRENCY: '1', HASH_QUEUE: '0', ARGON2_TIME: '4', ARGON2_MEMORY_KIB: '65536' },
  })
  t.after(app.stop)
  const ada = await registered(app)
  const credentials = { email: ada.email, password: ada.password }
  for (let round = 0; round < 4; round++) {
    const logins = Array.from({ length: 8 }, (_, index) =>
      app.post('/auth/login', index % 2 ? credentials : person('alan')),
    )
    const refused = (await Promise.all(logins)).filter(({ status }) => status === 503)
    assert.ok(refused.length >= 4, `${refused.length} of 8 were refused`)
    for (const { json, headers } of refused) {
      assert.equal(json.code, 'UNAVAILABLE')
      assert.ok(Number(headers['retry-after']) > 0)
    }
  }
  assert.equal((await app.post('/auth/login', credentials)).status, 200)
})
