import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../src/lib/ids.ts'
import {
  call,
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
} from '../nodes/nodes.ts'
import { person } from '../support/people.ts'
import { type RaceReply, type RaceRequest, raceRounds, releaseTogether } from '../support/races.ts'

const verifyPath = '/auth/email-change/verify'
const cancelPath = '/auth/email-change/cancel'

describe('changes of address at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_REGISTRATION: '1000/1h', MAIL_CAP: '1000/1h' })
  })
  after(() => nodes?.stop())

  type Purpose = 'email_change_current' | 'email_change_new' | 'email_change_cancel'

  /**
   * Inserts a pending change as the service would, and returns the secrets from its links. `confirmed` is the inbox
   * that has already confirmed the change.
   */
  async function pendingChange(user: Registered, email: string, confirmed: 'none' | 'current' = 'none') {
    await nodes.database.query(
      "UPDATE email_changes SET status = 'replaced', ended_at = now() WHERE user_id = $1 AND status = 'pending'",
      [user.id],
    )
    const id = newId()
    await nodes.database.query(
      `INSERT INTO email_changes
        (id, user_id, session_id, old_email, new_email, created_at, expires_at, current_confirmed_at)
        SELECT $1, u.id, s.id, u.email, $3, now(), now() + interval '1 hour', ${confirmed === 'none' ? 'NULL' : 'now()'}
        FROM users u JOIN sessions s ON s.token_hash = $4 WHERE u.id = $2`,
      [id, user.id, email, sha256(user.sessionToken)],
    )
    const secret = async (purpose: Purpose): Promise<string> => {
      const token = randomBytes(32).toString('base64url')
      await nodes.database.query(
        `INSERT INTO one_time_secrets (id, purpose, secret_hash, user_id, target, created_at, expires_at)
          VALUES ($1, $2, $3, $4, $5, now(), now() + interval '1 hour')`,
        [newId(), purpose, sha256(token), user.id, id],
      )
      return token
    }
    const [current, fresh] = [await secret('email_change_current'), await secret('email_change_new')]
    return { id, current, fresh, cancel: await secret('email_change_cancel') }
  }

  let turn = 0
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): RaceRequest => ({
    method: 'POST',
    url: `${nodes.urls[turn++ % 2]}${path}`,
    headers: { 'x-forwarded-for': newAddress(), ...headers },
    body,
  })
  const times = (count: number, request: () => RaceRequest) => Array.from({ length: count }, request)

  const emailOf = async ({ id }: { id: string }): Promise<string> =>
    (await nodes.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [id]))[0]?.email ?? ''
  const ownersOf = (email: string) => nodes.database.query('SELECT id FROM users WHERE email = $1', [email])
  const statusOf = async (id: string): Promise<string> =>
    (await nodes.database.query<{ status: string }>('SELECT status FROM email_changes WHERE id = $1', [id]))[0]
      ?.status ?? ''
  const eventsOf = async (event: string, changeId: string): Promise<number> => {
    const count = "SELECT count(*)::int AS n FROM audit_events WHERE event = $1 AND details->>'change' = $2"
    return (await nodes.database.query<{ n: number }>(count, [event, changeId]))[0]?.n ?? 0
  }
  const codes = (replies: RaceReply[]) => replies.map(({ body }) => JSON.parse(body).code ?? JSON.parse(body).status)

  test('32 parallel uses of both halves: each acts once, and exactly one of them completes the change', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    for (let round = 0; round < raceRounds(20); round++) {
      const email = person().email
      const { id, current, fresh } = await pendingChange(ada, email)
      const replies = await releaseTogether([
        ...times(16, () => post(verifyPath, { token: current })),
        ...times(16, () => post(verifyPath, { token: fresh })),
      ])
      assert.deepEqual(tally(replies), { 200: 2, 400: 30 })
      const won = replies.filter(({ status }) => status === 200)
      assert.deepEqual(codes(won).toSorted(), ['completed', 'pending'])
      assert.equal(await emailOf(ada), email)
      assert.deepEqual([await eventsOf('email_change_half', id), await eventsOf('email_change_completed', id)], [2, 1])
    }
  })

  test('the last confirmation and cancelling, by link and by session: exactly one wins', async (t) => {
    const ada = await registerAt(nodes.urls[0]!)
    const outcomes: Record<string, number> = {}
    for (let round = 0; round < raceRounds(30); round++) {
      const [before, email] = [await emailOf(ada), person().email]
      const { id, fresh, cancel } = await pendingChange(ada, email, 'current')
      const confirm = () => post(verifyPath, { token: fresh })
      const byLink = () => post(cancelPath, { token: cancel })
      const bySession = () => post(cancelPath, {}, { 'x-session-id': ada.sessionToken })
      // Every second round sends the cancellations first so that both confirmations and cancellations sometimes
      // succeed.
      const sides = [...times(12, confirm), ...times(10, byLink), ...times(10, bySession)]
      const replies = await releaseTogether(round % 2 ? sides : sides.toReversed())
      const won = replies.filter(({ status }) => status === 200)
      assert.equal(won.length, 1)
      const [word] = codes(won)
      assert.equal(await statusOf(id), word)
      assert.equal(await emailOf(ada), word === 'completed' ? email : before)
      assert.equal((await eventsOf('email_change_completed', id)) + (await eventsOf('email_change_cancelled', id)), 1)
      outcomes[word] = (outcomes[word] ?? 0) + 1
      assert.ok(replies.every(({ status }) => [200, 400, 404].includes(status)))
    }
    t.diagnostic(`who won: ${JSON.stringify(outcomes)}`)
  })

  test('an answer of the new inbox and one of the present inbox: a change that is declined stays cancelled', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    for (let round = 0; round < raceRounds(20); round++) {
      const [before, email] = [await emailOf(ada), person().email]
      const isLast = round % 4 < 2
      const { id, current, fresh } = await pendingChange(ada, email, isLast ? 'current' : 'none')
      const confirm = () => post(verifyPath, { token: isLast ? fresh : current })
      const decline = () => post(verifyPath, { token: fresh, answer: 'not_me' })
      const sides = [...times(16, confirm), ...times(16, decline)]
      const replies = await releaseTogether(round % 2 ? sides : sides.toReversed())
      assert.ok(replies.every(({ status }) => status === 200 || status === 400))
      const won = codes(replies.filter(({ status }) => status === 200))
      assert.equal(won.filter((word) => word !== 'pending').length, 1)
      assert.equal(await statusOf(id), won.includes('completed') ? 'completed' : 'cancelled')
      assert.equal(await emailOf(ada), won.includes('completed') ? email : before)
      assert.equal((await eventsOf('email_change_completed', id)) + (await eventsOf('email_change_cancelled', id)), 1)
    }
  })

  test('two users who change to one address: one gets it, the other is told that it is taken', async () => {
    const [ada, grace] = [await registerAt(nodes.urls[0]!), await registerAt(nodes.urls[1]!, 'grace')]
    for (let round = 0; round < raceRounds(20); round++) {
      const email = person().email
      const [hers, other] = [await pendingChange(ada, email, 'current'), await pendingChange(grace, email, 'current')]
      const replies = await releaseTogether([
        post(verifyPath, { token: hers.fresh }),
        post(verifyPath, { token: other.fresh }),
      ])
      assert.deepEqual(codes(replies).toSorted(), ['EMAIL_TAKEN', 'completed'])
      assert.equal((await ownersOf(email)).length, 1)
      assert.deepEqual([await statusOf(hers.id), await statusOf(other.id)].toSorted(), ['cancelled', 'completed'])
    }
  })

  test('the last confirmation and registrations of the address: one of them gets it', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    for (let round = 0; round < raceRounds(10); round++) {
      const [before, newcomer] = [await emailOf(ada), person('grace')]
      const { id, fresh } = await pendingChange(ada, newcomer.email, 'current')
      const register = (index: number) =>
        post('/auth/register/public', { ...newcomer, user_name: `${newcomer.user_name}_${index}` })
      const replies = await releaseTogether([
        ...times(8, () => post(verifyPath, { token: fresh })),
        ...Array.from({ length: 8 }, (_, index) => register(index)),
      ])
      const [confirmations, registrations] = [replies.slice(0, 8), replies.slice(8)]
      const completed = codes(confirmations).filter((code) => code === 'completed').length
      const registered = registrations.filter(({ status }) => status === 200).length
      assert.equal(completed + registered, 1)
      assert.equal((await ownersOf(newcomer.email)).length, 1)
      assert.equal(await emailOf(ada), completed === 1 ? newcomer.email : before)
      assert.equal(await statusOf(id), completed === 1 ? 'completed' : 'cancelled')
      assert.ok(replies.every(({ status }) => status === 200 || status === 400))
    }
  })

  test('a profile update with a newer address and the last confirmation: one change at most comes true', async () => {
    for (let round = 0; round < raceRounds(20); round++) {
      const ada = await registerAt(nodes.urls[0]!)
      const [before, email, newer] = [await emailOf(ada), person().email, person().email]
      const { id, fresh } = await pendingChange(ada, email, 'current')
      const update = () => ({
        ...post('/auth/profile', { name: `Ada ${round}`, email: newer }, { 'x-session-id': ada.sessionToken }),
        method: 'PUT',
      })
      const confirm = () => post(verifyPath, { token: fresh })
      const sides = [...times(4, confirm), ...times(4, update)]
      const replies = await releaseTogether(round % 2 ? sides : sides.toReversed())
      const updates = replies.filter(({ body }) => body.includes('Profile updated'))
      assert.equal(updates.length, 4)
      const completed = replies.filter(({ body }) => body.includes('"completed"')).length
      assert.equal(await statusOf(id), completed === 1 ? 'completed' : 'replaced')
      assert.equal(await emailOf(ada), completed === 1 ? email : before)
      const { json } = await call(`${nodes.urls[0]}/auth/email-change`, {
        headers: { 'x-session-id': ada.sessionToken },
      })
      assert.equal(json.email_change.new_email, newer)
      const [user] = await nodes.database.query('SELECT name FROM users WHERE id = $1', [ada.id])
      assert.deepEqual(user, { name: `Ada ${round}` })
    }
  })

  test('32 requests for different addresses: five are taken, one change is pending, and it is one of them', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    const asked = Array.from({ length: 32 }, () => person().email)
    const replies = await releaseTogether(
      asked.map((new_email) => post('/auth/email-change/request', { new_email }, { 'x-session-id': ada.sessionToken })),
    )
    assert.deepEqual(tally(replies), { 200: 5, 429: 27 })
    const pending = "SELECT new_email FROM email_changes WHERE user_id = $1 AND status = 'pending'"
    const rows = await nodes.database.query<{ new_email: string }>(pending, [ada.id])
    assert.equal(rows.length, 1)
    assert.ok(asked.includes(rows[0]?.new_email ?? ''))
  })
})

const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest()
