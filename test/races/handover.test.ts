import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256Bytes } from '../../src/lib/hash.ts'
import {
  bridgeSecret,
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
  validateAt,
} from '../nodes/nodes.ts'
import { returnTo, storedCode } from '../support/handover.ts'
import { type RaceReply, raceRounds, releaseTogether } from '../support/races.ts'

describe('hand-overs under races on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    const limits = { RATE_LIMIT_TOKEN_VALIDATE: '1000/1m', RATE_LIMIT_REGISTRATION: '1000/1m' }
    nodes = await startNodes(2, { ...limits, ALLOWED_REDIRECTS: new URL(returnTo).origin })
  })
  after(() => nodes?.stop())

  // PostgreSQL resolves a deadlock after a second, and the service retries, so a deadlock shows up only as a delay.
  afterEach(async () => {
    const met = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()'
    assert.deepEqual(await nodes.database.query(met), [{ deadlocks: 0 }])
  })

  const at = (index: number) => nodes.urls[index % 2]!

  const issue = (sessionToken: string) => storedCode(nodes.database, sessionToken)
  const redeem = ({ code, verifier }: { code: string; verifier: string }, index: number) => ({
    method: 'POST',
    url: `${at(index)}/auth/bridge/redeem`,
    headers: { 'x-bridge-secret': bridgeSecret },
    body: { code, code_verifier: verifier, return_to: returnTo },
  })
  const logout = (sessionToken: string, index: number) => ({
    method: 'POST',
    url: `${at(index)}/auth/logout`,
    headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
  })
  const childrenOf = ({ id }: Registered) =>
    nodes.database.query<{ status: string; end_reason: string | null }>(
      'SELECT status, end_reason FROM sessions WHERE user_id = $1 AND parent_id IS NOT NULL',
      [id],
    )
  const openedBy = (replies: RaceReply[]): string[] =>
    replies.filter(({ status }) => status === 200).map(({ body }) => JSON.parse(body).sessionId)
  /** Validates on every node until all of them reject the session, which must happen within the revocation bound. */
  async function assertEnded(sessionToken: string): Promise<void> {
    const started = performance.now()
    for (const node of [0, 1]) {
      while ((await validateAt(at(node), sessionToken)).status !== 401) {
        assert.ok(performance.now() - started < 2_000, 'the session outlives its end')
        await sleep(20)
      }
    }
  }

  test('of 32 who redeem one code, one gets a session, and the others end it', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const ada = await registerAt(at(round))
      const code = await issue(ada.sessionToken)
      const replies = await releaseTogether(Array.from({ length: 32 }, (_, index) => redeem(code, index)))
      assert.deepEqual(tally(replies), { 200: 1, 400: 31 })
      assert.deepEqual(await childrenOf(ada), [{ status: 'revoked', end_reason: 'code_reused' }])
      await assertEnded(openedBy(replies)[0]!)
      assert.equal((await validateAt(at(round), ada.sessionToken)).status, 200)
    }
  })

  test('a sign-out that meets a hand-over leaves no session of an application alive', async (t) => {
    const outcomes = { before: 0, after: 0 }
    for (let round = 0; round < raceRounds(30); round++) {
      const ada = await registerAt(at(round))
      const codes = [await issue(ada.sessionToken), await issue(ada.sessionToken), await issue(ada.sessionToken)]
      const redeems = codes.map((code, index) => redeem(code, round + index))
      const order =
        round % 2 ? [logout(ada.sessionToken, round), ...redeems] : [...redeems, logout(ada.sessionToken, round)]
      const replies = await releaseTogether(order)
      const isEnded = replies.at(round % 2 ? 0 : -1)!
      assert.equal(isEnded.status, 200)
      const opened = openedBy(replies.filter((reply) => reply !== isEnded))
      outcomes.before += opened.length
      outcomes.after += codes.length - opened.length
      assert.deepEqual(
        (await childrenOf(ada)).filter(({ status }) => status !== 'revoked'),
        [],
      )
      for (const sessionToken of [ada.sessionToken, ...opened]) await assertEnded(sessionToken)
      for (const code of codes) assert.equal((await releaseTogether([redeem(code, round)]))[0]!.status, 400)
    }
    t.diagnostic(`${outcomes.before} codes were redeemed before the sign-out, ${outcomes.after} after it`)
    assert.ok(outcomes.before > 0 && outcomes.after > 0)
  })

  test('the end of all other sessions that meets a hand-over leaves no session of an application alive', async () => {
    for (let round = 0; round < raceRounds(20); round++) {
      const ada = await registerAt(at(round))
      const codes = [await issue(ada.sessionToken), await issue(ada.sessionToken), await issue(ada.sessionToken)]
      const end = { ...logout(ada.sessionToken, round), method: 'DELETE', url: `${at(round)}/auth/sessions` }
      const redeems = codes.map((code, index) => redeem(code, round + index))
      const replies = await releaseTogether(round % 2 ? [end, ...redeems] : [...redeems, end])
      assert.equal(replies.at(round % 2 ? 0 : -1)!.status, 200)
      assert.deepEqual(
        (await childrenOf(ada)).filter(({ status }) => status !== 'revoked'),
        [],
      )
      for (const code of codes) assert.equal((await releaseTogether([redeem(code, round)]))[0]!.status, 400)
      assert.equal((await validateAt(at(round), ada.sessionToken)).status, 200)
    }
  })

  test('a session that is ended by hand meanwhile, in either order, leaves no session of an application alive', async () => {
    for (let round = 0; round < raceRounds(20); round++) {
      const ada = await registerAt(at(round))
      const code = await issue(ada.sessionToken)
      const client = await nodes.database.connect()
      await client.query('BEGIN')
      // Ends the session without locking the user first, as the service would.
      const end = () =>
        client.query("UPDATE sessions SET status = 'revoked', ended_at = now() WHERE token_hash = $1", [
          sha256Bytes(ada.sessionToken),
        ])
      let redeeming: Promise<RaceReply[]>
      if (round % 2) {
        await end()
        redeeming = releaseTogether([redeem(code, round)])
        await sleep(60)
      } else {
        redeeming = releaseTogether([redeem(code, round)])
        await sleep(round)
        await end()
      }
      await client.query('COMMIT')
      await client.end()
      const [reply] = await redeeming
      if (round % 2) assert.equal(reply!.status, 400)
      assert.deepEqual(
        (await childrenOf(ada)).filter(({ status }) => status !== 'revoked'),
        [],
      )
    }
  })

  test('hand-overs of many windows never leave an application more sessions than it may have', async () => {
    const ada = await registerAt(at(0))
    for (let round = 0; round < 4; round++) {
      const codes = await Promise.all(Array.from({ length: 8 }, () => issue(ada.sessionToken)))
      const replies = await releaseTogether(codes.map((code, index) => redeem(code, index)))
      assert.deepEqual(tally(replies), { 200: 8 })
      assert.equal((await childrenOf(ada)).filter(({ status }) => status === 'active').length, 5)
    }
  })

  test('validations, refreshes and sign-outs of a family of sessions do not block each other', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const ada = await registerAt(at(round))
      const children: string[] = []
      for (const code of [await issue(ada.sessionToken), await issue(ada.sessionToken)])
        children.push(...openedBy(await releaseTogether([redeem(code, round)])))
      const refresh = (sessionToken: string, index: number) => ({
        ...logout(sessionToken, index),
        url: `${at(index)}/auth/refresh`,
      })
      const all = [ada.sessionToken, ...children]
      const replies = await releaseTogether([
        ...all.map((sessionToken, index) => refresh(sessionToken, index)),
        logout(children[0]!, round),
        logout(ada.sessionToken, round + 1),
        ...all.map((sessionToken, index) => refresh(sessionToken, index + 1)),
      ])
      assert.deepEqual(
        replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 401),
        [],
      )
      for (const sessionToken of all) await assertEnded(sessionToken)
    }
  })
})
