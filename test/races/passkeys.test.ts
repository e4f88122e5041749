import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

const home = 'http://localhost:3000'
const scheduledJobs = raceRounds(5)

describe('passkeys at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  const authenticator = createAuthenticator(home)
  before(async () => {
    nodes = await startNodes(2, {
      PUBLIC_URL: home,
      MODULES_AUTO_INSTALL: 'two-factor',
      RATE_LIMIT_LOGIN: '100000/5m',
      RATE_LIMIT_REGISTRATION: '1000/1h',
    })
    const { sessionToken } = await registerAt(nodes.urls[0]!)
    const headers = { 'x-session-id': sessionToken }
    const setup = await call(`${nodes.urls[0]}/auth/two_factor/passkey/setup`, { body: {}, headers })
    const response = authenticator.create(setup.json.options)
    const body = { action: 'setup', method_id: setup.json.method_id, response }
    const made = await call(`${nodes.urls[0]}/auth/two_factor/verify`, { body, headers })
    assert.equal(made.status, 200, JSON.stringify(made.json))
  })
  after(() => nodes?.stop())

  const challenge = async () => (await call(`${nodes.urls[0]}/auth/passkey/login/options`, { body: {} })).json
  const login = (index: number, body: unknown) => ({
    method: 'POST',
    url: `${nodes.urls[index % 2]}/auth/passkey/login`,
    headers: { 'x-forwarded-for': newAddress() },
    body,
  })
  const sessions = async () => (await nodes.database.query('SELECT 1 FROM sessions')).length

  test('one answer, 16 times in parallel, opens one session', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const { challenge_id, options } = await challenge()
      // The signature counter is 0, as with most authenticators, so only the challenge prevents reuse.
      const body = { challenge_id, response: authenticator.get(options, { signCount: 0 }) }
      const earlier = await sessions()
      const replies = await releaseTogether(Array.from({ length: 16 }, (_, index) => login(index, body)))
      assert.deepEqual(tally(replies), { 200: 1, 401: 15 }, `round ${round}`)
      assert.equal(await sessions(), earlier + 1)
    }
  })

  test('of an authenticator and its copy, with one count and a challenge each, one gets in', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const signCount = 1_000 * (round + 1)
      const bodies = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const { challenge_id, options } = await challenge()
          return { challenge_id, response: authenticator.get(options, { signCount }) }
        }),
      )
      const replies = await releaseTogether(bodies.map((body, index) => login(index, body)))
      assert.deepEqual(tally(replies), { 200: 1, 401: 7 }, `round ${round}`)
    }
  })
})
