import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nodes, needsPostgres, newAddress, startNodes, tally } from '../nodes/nodes.ts'
import { person } from '../support/people.ts'
import { type RaceReply, releaseTogether } from '../support/races.ts'

describe('registrations at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2)
  })
  after(() => nodes?.stop())

  const register = (body: object, index: number) => ({
    method: 'POST',
    url: `${nodes.urls[index % 2]}/auth/register/public`,
    headers: { 'x-forwarded-for': newAddress() },
    body,
  })
  const codesOf = (replies: RaceReply[]) =>
    new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => JSON.parse(body).code))

  test('of one address in many spellings: one user, and the others are told that it is taken', async () => {
    for (let round = 0; round < 3; round++) {
      const { email, password } = person()
      const spellings = [
        email,
        email.toUpperCase(),
        ` ${email}`,
        email.replace('@', '@EXAMPLE.com').replace('.comexample', ''),
        email.replace('example', 'ｅxample'),
      ]
      const bodies = Array.from({ length: 20 }, (_, index) => ({
        email: spellings[index % spellings.length],
        password,
      }))
      const replies = await releaseTogether(bodies.map(register))
      assert.deepEqual(tally(replies), { 200: 1, 400: 19 })
      assert.deepEqual(codesOf(replies), new Set(['EMAIL_TAKEN']))
      const rows = await nodes.database.query('SELECT 1 FROM users WHERE lower(email) = $1', [email])
      assert.equal(rows.length, 1)
    }
  })

  test('of one user name in any case: one user, and no session or mail for the others', async () => {
    const name = person().user_name
    const bodies = Array.from({ length: 20 }, (_, index) => ({
      ...person(),
      user_name: index % 3 ? name : name.toUpperCase(),
    }))
    const replies = await releaseTogether(bodies.map(register))
    assert.deepEqual(tally(replies), { 200: 1, 400: 19 })
    assert.deepEqual(codesOf(replies), new Set(['USER_NAME_TAKEN']))
    const [left] = await nodes.database.query<Record<string, number>>(
      `SELECT (SELECT count(*) FROM users WHERE lower(user_name) = lower($1))::int AS users,
        (SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE lower(u.user_name) = lower($1))::int AS sessions,
        (SELECT count(*) FROM one_time_secrets)::int - (SELECT count(*) FROM users)::int AS spare_secrets`,
      [name],
    )
    assert.deepEqual(left, { users: 1, sessions: 1, spare_secrets: 2 })
  })
})
