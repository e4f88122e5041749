import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../src/lib/ids.ts'
import {
  loginAt,
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
} from '../nodes/nodes.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

const scheduledJobs = raceRounds(10)
const authSecret = randomBytes(32).toString('base64url')
const code = '271828'

describe('codes and links of one mail at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  let ada: Registered
  before(async () => {
    nodes = await startNodes(2, { AUTH_SECRET: authSecret, RATE_LIMIT_REGISTRATION: '1000/1h', HASH_QUEUE: '256' })
    ada = await registerAt(nodes.urls[0]!)
  })
  after(() => nodes?.stop())
  // A round's rejected requests count as wrong guesses, so the counters are reset.
  beforeEach(() => nodes.database.query('DELETE FROM account_counters'))

  /** Inserts a link and a code as the service would. The database contains only their hashes. */
  async function mailed(purpose: 'verify_email' | 'password_reset'): Promise<{ id: string; token: string }> {
    const [id, token] = [newId(), randomBytes(32).toString('base64url')]
    const codeHash = createHmac('sha256', authSecret).update(`one-time-code\0${id}.${code}`).digest()
    await nodes.database.query('DELETE FROM account_counters')
    await nodes.database.query(
      `INSERT INTO one_time_secrets
        (id, purpose, secret_hash, user_id, target, created_at, expires_at, code_hash, code_expires_at)
        VALUES ($1, $2, $3, $4, $5, now(), now() + interval '1 hour', $6, now() + interval '10 minutes')`,
      [id, purpose, createHash('sha256').update(token).digest(), ada.id, ada.email, codeHash],
    )
    return { id, token }
  }

  const post = (path: string, body: object, index: number) => ({
    method: 'POST',
    url: `${nodes.urls[index % 2]}${path}`,
    headers: { 'x-forwarded-for': newAddress() },
    body,
  })
  const shown = (token: string, index: number) => (index % 4 < 2 ? { token } : { email: ada.email, code })
  const eventsOf = async (event: string) =>
    (await nodes.database.query('SELECT 1 FROM audit_events WHERE event = $1 AND target_id = $2', [event, ada.id]))
      .length

  test('16 by the link and 16 by the code verify an address: one 200 in every round', async () => {
    const before = await eventsOf('verify_ok')
    for (let round = 0; round < scheduledJobs; round++) {
      const { token } = await mailed('verify_email')
      const requests = Array.from({ length: 32 }, (_, index) => post('/auth/token/verify', shown(token, index), index))
      assert.deepEqual(tally(await releaseTogether(requests)), { 200: 1, 400: 31 }, `round ${round}`)
    }
    assert.equal(await eventsOf('verify_ok'), before + scheduledJobs)
  })

  test('16 by the link and 16 by the code set different passwords: one is set, and that one signs in', async () => {
    const before = await eventsOf('reset_completed')
    for (let round = 0; round < scheduledJobs; round++) {
      const { token } = await mailed('password_reset')
      const password = (index: number) => `a tape without end ${round} ${index}`
      const replies = await releaseTogether(
        Array.from({ length: 32 }, (_, index) =>
          post('/auth/password-reset/complete', { ...shown(token, index), password: password(index) }, index),
        ),
      )
      assert.deepEqual(tally(replies), { 200: 1, 400: 31 }, `round ${round}`)
      const winner = replies.findIndex(({ status }) => status === 200)
      assert.equal((await loginAt(nodes.urls[round % 2]!, { ...ada, password: password(winner) })).status, 200)
    }
    assert.equal(await eventsOf('reset_completed'), before + scheduledJobs)
  })

  test('wrong codes in parallel, asked and used, get five tries and not one more', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const { id } = await mailed('password_reset')
      const guesses = Array.from({ length: 32 }, (_, index) => {
        const wrong = { email: ada.email, code: String(300_000 + index) }
        return index % 4 < 2
          ? post('/auth/password-reset/validate', wrong, index)
          : post('/auth/password-reset/complete', { ...wrong, password: 'a tape without end' }, index)
      })
      assert.deepEqual(tally(await releaseTogether(guesses)), { 200: 16, 400: 16 })
      const rows = await nodes.database.query('SELECT guesses, used_at FROM one_time_secrets WHERE id = $1', [id])
      assert.deepEqual(rows, [{ guesses: 5, used_at: null }])
      await nodes.database.query('DELETE FROM account_counters')
      const right = post('/auth/password-reset/complete', { email: ada.email, code, password: 'a tape without end' }, 0)
      assert.equal((await releaseTogether([right]))[0]?.status, 400)
    }
  })
})
