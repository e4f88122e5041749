import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { releaseTogether } from '../support/races.ts'

describe('one unique value asked for by many at one instant', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(1)
  })
  after(() => nodes?.stop())

  for (const [member, values, code] of [
    ['user_name', (round: number) => [`prize_${round}`, `PRIZE_${round}`], 'USER_NAME_TAKEN'],
    ['phone', (round: number) => [`+4477009001${round}0`, `+44 7700 9001${round}0`], 'PHONE_TAKEN'],
  ] as const) {
    test(`${member}: one user gets it, the others hear that it is taken, in every round`, async () => {
      const url = nodes.urls[0]!
      const people = await Promise.all(Array.from({ length: 16 }, () => registerAt(url)))
      for (let round = 0; round < 5; round++) {
        const replies = await releaseTogether(
          people.map(({ sessionToken }, index) => ({
            method: 'PUT',
            url: `${url}/auth/profile`,
            headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
            body: { [member]: values(round)[index % 2], name: `${member} ${round}` },
          })),
        )
        assert.deepEqual(tally(replies), { 200: 1, 400: 15 })
        for (const { body } of replies.filter(({ status }) => status === 400)) assert.equal(JSON.parse(body).code, code)
        const changed = 'SELECT 1 FROM users WHERE name = $1'
        assert.equal((await nodes.database.query(changed, [`${member} ${round}`])).length, 1)
      }
    })
  }
})
