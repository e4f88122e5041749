import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  bridgeSecret,
  loginAt,
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
  validateAt,
} from '../nodes/nodes.ts'
import { releaseTogether } from '../support/races.ts'

describe('sessions under races on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { SESSION_MAX_PER_USER: '3' })
  })
  after(() => nodes?.stop())

  // PostgreSQL resolves a deadlock after a second, and the service retries, so a deadlock shows up only as a delay.
  afterEach(async () => {
    const met = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()'
    assert.deepEqual(await nodes.database.query(met), [{ deadlocks: 0 }])
  })

  const at = (index: number) => nodes.urls[index % 2]!
  const live = async (user: Registered) =>
    (
      await nodes.database.query("SELECT id FROM sessions WHERE user_id = $1 AND status IN ('pending', 'active')", [
        user.id,
      ])
    ).length
  const login = ({ email, password }: Registered, index: number, cookie?: string) => ({
    method: 'POST',
    url: `${at(index)}/auth/login`,
    headers: { 'x-forwarded-for': newAddress(), ...(cookie && { cookie: `session_id=${cookie}` }) },
    body: { email, password },
  })
  const validate = (sessionToken: string, index: number) => ({
    method: 'POST',
    url: `${at(index)}/auth/bridge/validate`,
    headers: { 'x-bridge-secret': bridgeSecret },
    body: { session_id: sessionToken },
  })

  test('a logout among 50 validations: afterwards both nodes refuse, and no late answer brings the session back', async () => {
    for (let round = 0; round < 5; round++) {
      const { sessionToken } = await registerAt(at(round))
      await Promise.all([0, 1].map((node) => validateAt(at(node), sessionToken)))
      const logout = { method: 'POST', url: `${at(round)}/auth/logout`, headers: { 'x-session-id': sessionToken } }
      const [ended] = await releaseTogether([
        logout,
        ...Array.from({ length: 50 }, (_, index) => validate(sessionToken, index)),
      ])
      assert.equal(ended?.status, 200)
      assert.equal((await validateAt(at(round), sessionToken)).status, 401)
      const started = performance.now()
      while ((await validateAt(at(round + 1), sessionToken)).status !== 401)
        assert.ok(performance.now() - started < 6_000)
      const later = await releaseTogether(Array.from({ length: 20 }, (_, index) => validate(sessionToken, index)))
      assert.deepEqual(tally(later), { 401: 20 })
    }
  })

  test('sign-ins with a password that is changed at that moment leave no session behind', async (t) => {
    const [ada, grace] = [await registerAt(at(0)), await registerAt(at(1), 'grace')]
    const { query } = nodes.database
    const hashes = await query<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id',
      [[ada.id, grace.id]],
    )
    const [first, second] = [
      { password: ada.password, hash: hashes[0]!.password_hash },
      { password: grace.password, hash: hashes[1]!.password_hash },
    ]
    const outcomes = { 200: 0, 401: 0 }
    let delay = 30
    for (let round = 0; round < 40; round++) {
      const [old, next] = round % 2 ? [second, first] : [first, second]
      const logins = releaseTogether([0, 1, 2, 3].map((index) => login({ ...ada, password: old.password }, index)))
      await sleep(delay)
      await changePassword(ada, next.hash)
      const replies = tally(await logins)
      // The change's delay varies between rounds so that on any machine some changes coincide with sign-ins.
      delay = Math.max(0, delay + ((replies[200] ?? 0) > (replies[401] ?? 0) ? -3 : 3))
      outcomes[200] += replies[200] ?? 0
      outcomes[401] += replies[401] ?? 0
      assert.deepEqual(
        Object.keys(replies).filter((status) => !(status in outcomes)),
        [],
      )
      assert.equal(await live(ada), 0)
      await query('DELETE FROM account_counters')
    }
    t.diagnostic(`${outcomes[200]} sign-ins came before the change, ${outcomes[401]} after it`)
    assert.ok(outcomes[200] > 0 && outcomes[401] > 0)
  })

  /**
   * Changes the password in the same order as the service: first the user, then the sessions and other data that depend
   * on the password.
   */
  async function changePassword({ id }: Registered, hash: string): Promise<void> {
    const client = await nodes.database.connect()
    await client.query('BEGIN')
    await client.query('UPDATE users SET password_hash = $2, session_epoch = session_epoch + 1 WHERE id = $1', [
      id,
      hash,
    ])
    await client.query(
      "UPDATE sessions SET status = 'revoked', ended_at = now() WHERE user_id = $1 AND ended_at IS NULL",
      [id],
    )
    await client.query('COMMIT')
    await client.end()
  }

  test('parallel sign-ins never leave more sessions alive than a user may have', async () => {
    const ada = await registerAt(at(0))
    let most = 0
    const done = new AbortController()
    const watching = (async () => {
      while (!done.signal.aborted) most = Math.max(most, await live(ada))
    })()
    for (let round = 0; round < 10; round++) {
      const replies = await releaseTogether([0, 1, 2, 3].map((index) => login(ada, index)))
      assert.deepEqual(tally(replies), { 200: 4 })
      assert.equal(await live(ada), 3)
    }
    done.abort()
    await watching
    assert.equal(most, 3)
  })

  test('two people who sign in with the session of the other in their browser do not block each other', async () => {
    const [ada, grace] = [await registerAt(at(0)), await registerAt(at(1), 'grace')]
    const bearers = [grace.sessionToken, ada.sessionToken]
    for (let round = 0; round < 20; round++) {
      const replies = await releaseTogether([login(ada, round, bearers[0]), login(grace, round + 1, bearers[1])])
      assert.deepEqual(tally(replies), { 200: 2 })
      const opened = replies.map(({ body }) => JSON.parse(body).sessionId)
      for (const sessionToken of bearers) assert.equal((await validateAt(at(round), sessionToken)).status, 401)
      bearers.splice(0, 2, opened[1], opened[0])
    }
  })

  test('a sign-in in a browser whose session is refreshed and logged out at that moment opens the new one', async () => {
    const ada = await registerAt(at(0))
    for (let round = 0; round < 20; round++) {
      const sessionToken: string = (await loginAt(at(round), ada)).json.sessionId
      const headers = { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() }
      const replies = await releaseTogether([
        login(ada, round, sessionToken),
        { method: 'POST', url: `${at(round)}/auth/logout`, headers },
        { method: 'POST', url: `${at(round + 1)}/auth/logout`, headers },
        { method: 'POST', url: `${at(round + 1)}/auth/refresh`, headers },
      ])
      const [opened, ...others] = replies.map(({ status }) => status)
      assert.equal(opened, 200)
      assert.deepEqual(
        others.filter((status) => status !== 200 && status !== 401),
        [],
      )
      const present = JSON.parse(replies[0]!.body).sessionId
      for (const node of [0, 1]) assert.equal((await validateAt(at(node), present)).status, 200)
    }
  })
})
