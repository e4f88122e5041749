import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  call,
  loginAt,
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
} from '../nodes/nodes.ts'
import { type RaceRequest, raceRounds, releaseTogether } from '../support/races.ts'
import { base, fromBase32, totpOf, wrongCode } from '../two-factor/support.ts'

interface Enrolled extends Registered {
  seed: Buffer
  methodId: string
  recoveryCodes: string[]
}

describe('second factors under races on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { MODULES_AUTO_INSTALL: 'two-factor' })
  })
  after(() => nodes?.stop())
  afterEach(async () => {
    const met = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()'
    assert.deepEqual(await nodes.database.query(met), [{ deadlocks: 0 }])
  })

  const at = (index: number) => nodes.urls[index % 2]!
  const as = (sessionToken: string) => ({ 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() })
  const verifying = (sessionToken: string, index: number, body: object): RaceRequest => ({
    method: 'POST',
    url: `${at(index)}${base}/verify`,
    headers: as(sessionToken),
    body,
  })
  const evaluated = async ({ id }: Registered) =>
    nodes.database.query<{ event: string }>(
      "SELECT event FROM audit_events WHERE target_id = $1 AND event IN ('mfa_fail', 'mfa_success') AND NOT details ? 'reason'",
      [id],
    )
  /** The full sessions, excluding the one from registration. */
  const full = async ({ id }: Registered) =>
    nodes.database.query(
      "SELECT id FROM sessions WHERE user_id = $1 AND status = 'active' AND two_factor_verified AND proof <> 'registration'",
      [id],
    )

  async function enrolled(): Promise<Enrolled> {
    const ada = await registerAt(at(0))
    const headers = as(ada.sessionToken)
    const { json } = await call(`${at(0)}${base}/totp/setup`, { body: {}, headers })
    const seed = fromBase32(json.secret)
    // Uses an earlier time step's code so that the current code can be used later.
    const body = { action: 'setup', code: totpOf(seed, Date.now() - 30_000) }
    const done = await call(`${at(1)}${base}/verify`, { body, headers })
    assert.equal(done.status, 200, JSON.stringify(done.json))
    await nodes.database.query("DELETE FROM audit_events WHERE target_id = $1 AND event = 'mfa_success'", [ada.id])
    return { ...ada, seed, methodId: json.method_id, recoveryCodes: done.json.recovery_codes }
  }
  const pendingSessions = (ada: Enrolled, count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, async (_, index) => (await loginAt(at(index), ada)).json.sessionId))
  const codeNow = ({ seed }: Enrolled) => totpOf(seed, Date.now())

  test('of 50 wrong codes for one partial session five are looked at, and it is dead', async () => {
    for (let round = 0; round < raceRounds(2); round++) {
      const ada = await enrolled()
      const [sessionToken = ''] = await pendingSessions(ada, 1)
      const code = wrongCode(codeNow(ada))
      const replies = await releaseTogether(
        Array.from({ length: 50 }, (_, index) => verifying(sessionToken, index, { code })),
      )
      assert.deepEqual(tally(replies), { 400: 5, 401: 45 })
      assert.equal((await evaluated(ada)).length, 5)
      const late = await releaseTogether([verifying(sessionToken, round, { code: codeNow(ada) })])
      assert.equal(late[0]?.status, 401)
    }
  })

  test('of 50 wrong codes in ten partial sessions ten are looked at', async () => {
    const ada = await enrolled()
    const bearers = await pendingSessions(ada, 10)
    const code = wrongCode(codeNow(ada))
    const race = Array.from({ length: 50 }, (_, index) =>
      verifying(bearers[index % 10]!, Math.floor(index / 10), { code }),
    )
    const counts = tally(await releaseTogether(race))
    assert.equal((await evaluated(ada)).length, 10)
    assert.equal(counts[400], 10)
    assert.equal((counts[429] ?? 0) + (counts[401] ?? 0), 40)
    const [right] = await releaseTogether([verifying((await pendingSessions(ada, 1))[0]!, 0, { code: codeNow(ada) })])
    assert.equal(right?.status, 429)
  })

  test('of 50 right codes, for one partial session or for ten, one opens one full session', async () => {
    for (let round = 0; round < raceRounds(2); round++) {
      for (const sessions of [1, 10]) {
        const ada = await enrolled()
        const bearers = await pendingSessions(ada, sessions)
        const code = codeNow(ada)
        const race = Array.from({ length: 50 }, (_, index) =>
          verifying(bearers[index % sessions]!, Math.floor(index / sessions), { code }),
        )
        const counts = tally(await releaseTogether(race))
        assert.equal(counts[200], 1, JSON.stringify(counts))
        assert.ok(!Object.keys(counts).some((status) => Number(status) >= 500), JSON.stringify(counts))
        assert.equal((await full(ada)).length, 1)
      }
    }
  })

  test('a right code that is sent twelve times costs no try', async () => {
    for (let round = 0; round < raceRounds(3); round++) {
      const ada = await enrolled()
      const [sessionToken = '', next = ''] = await pendingSessions(ada, 2)
      const body = { action: 'login', code: codeNow(ada) }
      const replies = await releaseTogether(
        Array.from({ length: 12 }, (_, index) => verifying(sessionToken, index, body)),
      )
      assert.deepEqual(tally(replies), { 200: 1, 400: 11 })
      const late = await call(`${at(round)}${base}/verify`, { body, headers: as(sessionToken) })
      assert.deepEqual([late.json.code, late.json.attempts_remaining], ['INVALID_CODE', 10])
      const fresh = { code: totpOf(ada.seed, Date.now() + 30_000) }
      assert.equal((await releaseTogether([verifying(next, round, fresh)]))[0]?.status, 200)
    }
  })

  test('a recovery code has one winner', async () => {
    const ada = await enrolled()
    const bearers = await pendingSessions(ada, 8)
    const code = ada.recoveryCodes[0]!
    const race = Array.from({ length: 32 }, (_, index) => verifying(bearers[index % 8]!, index >> 3, { code }))
    const counts = tally(await releaseTogether(race))
    assert.equal(counts[200], 1, JSON.stringify(counts))
    assert.equal((await full(ada)).length, 1)
  })

  test('parallel beginnings leave one, which alone can be finished', async () => {
    const ada = await registerAt(at(0))
    const begin = (index: number) => ({
      method: 'POST',
      url: `${at(index)}${base}/totp/setup`,
      headers: as(ada.sessionToken),
      body: {},
    })
    const replies = await releaseTogether(Array.from({ length: 8 }, (_, index) => begin(index)))
    assert.deepEqual(tally(replies), { 200: 8 })
    const finish = replies.map(({ body }, index) => {
      const { secret, method_id } = JSON.parse(body)
      return verifying(ada.sessionToken, index, {
        action: 'setup',
        method_id,
        code: totpOf(fromBase32(secret), Date.now()),
      })
    })
    assert.deepEqual(tally(await releaseTogether(finish)), { 200: 1, 404: 7 })
    const active = "SELECT id FROM two_factor WHERE user_id = $1 AND status = 'active'"
    assert.equal((await nodes.database.query(active, [ada.id])).length, 1)
  })

  test('of two methods that remove each other one stays', async () => {
    const ada = await enrolled()
    const headers = as(ada.sessionToken)
    const { json } = await call(`${at(0)}${base}/totp/setup`, { body: {}, headers })
    const other = { seed: fromBase32(json.secret), methodId: json.method_id as string }
    const activation = { action: 'setup', code: totpOf(other.seed, Date.now() - 30_000) }
    assert.equal((await call(`${at(0)}${base}/verify`, { body: activation, headers })).status, 200)
    const removing = (id: string, by: { seed: Buffer; methodId: string }, index: number) => ({
      method: 'DELETE',
      url: `${at(index)}${base}/${id}`,
      headers: as(ada.sessionToken),
      body: { verification_method_id: by.methodId, verification_code: totpOf(by.seed, Date.now()) },
    })
    const replies = await releaseTogether([removing(ada.methodId, other, 0), removing(other.methodId, ada, 1)])
    assert.deepEqual(tally(replies), { 200: 1, 404: 1 })
    const left = 'SELECT two_factor FROM users WHERE id = $1'
    assert.deepEqual(await nodes.database.query(left, [ada.id]), [{ two_factor: true }])
  })
})
