import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { type OidcServer, startOidcServer } from '../social/oidc-server.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

const scheduledJobs = raceRounds(5)
const publicUrl = 'http://localhost:3000'

describe('sign-in with a provider at one instant on two nodes', needsPostgres, () => {
  let server: OidcServer
  let nodes: Nodes
  before(async () => {
    server = await startOidcServer(`${publicUrl}/auth/social/oidc/callback`)
    nodes = await startNodes(2, {
      PUBLIC_URL: publicUrl,
      ...server.env,
      GITHUB_CLIENT_ID: 'never asked',
      GITHUB_CLIENT_SECRET: 'never asked',
      RATE_LIMIT_REGISTRATION: '1000/1h',
    })
  })
  after(async () => {
    await nodes?.stop()
    await server?.stop()
  })

  const node = (index: number): string => nodes.urls[index % 2] ?? ''

  /** Signs in at the provider, up to the redirect to the callback. */
  async function visited(index: number, subject: string) {
    const { json } = await call(`${node(index)}/auth/social/oidc/login?format=json`)
    const back = await server.signIn(json.url, subject)
    return { path: `${back.pathname}${back.search}`, flow: json.flow as string }
  }
  const visitCallback = (index: number, { path, flow }: { path: string; flow: string }) => ({
    method: 'GET',
    url: `${node(index)}${path}`,
    headers: { 'x-forwarded-for': newAddress(), 'x-oauth-flow': flow },
  })
  const usersWith = (email: string) =>
    nodes.database.query<{ id: string; identities: number }>(
      `SELECT id, (SELECT count(*)::int FROM social_accounts a WHERE a.user_id = users.id) AS identities
       FROM users WHERE email = $1`,
      [email],
    )

  test('one way back 32 times: one sign-in, and the code is brought to the provider once', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const subject = `once-${round}`
      server.people.set(subject, { sub: subject, email: `${subject}@example.com`, email_verified: true })
      const visit = await visited(round, subject)
      const asked = server.tokenRequests()
      const replies = await releaseTogether(Array.from({ length: 32 }, (_, index) => visitCallback(index, visit)))
      assert.deepEqual(tally(replies), { 200: 1, 400: 31 }, `round ${round}`)
      assert.equal(server.tokenRequests(), asked + 1)
      const [user] = await usersWith(`${subject}@example.com`)
      const sessions = await nodes.database.query('SELECT 1 FROM sessions WHERE user_id = $1', [user?.id])
      assert.equal(sessions.length, 1)
    }
  })

  test('eight first sign-ins of one identity make one user with one identity, and let all of them in', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const subject = `first-${round}`
      server.people.set(subject, { sub: subject, email: `${subject}@example.com`, email_verified: true })
      const visits = await Promise.all(Array.from({ length: 8 }, (_, index) => visited(index, subject)))
      const replies = await releaseTogether(visits.map((visit, index) => visitCallback(index, visit)))
      assert.deepEqual(tally(replies), { 200: 8 }, `round ${round}: ${replies.map(({ body }) => body)}`)
      const users = new Set(replies.map(({ body }) => JSON.parse(body).user.id))
      assert.equal(users.size, 1)
      const rows = await usersWith(`${subject}@example.com`)
      assert.deepEqual(
        rows.map(({ identities }) => identities),
        [1],
      )
    }
  })

  for (const isVerified of [true, false]) {
    test(`the same where the address has a user already, ${isVerified ? 'proven' : 'not proven'}`, async () => {
      for (let round = 0; round < scheduledJobs; round++) {
        const ada = await registerAt(node(round))
        await nodes.database.query('UPDATE users SET is_verified = $2 WHERE id = $1', [ada.id, isVerified])
        const subject = `known-${isVerified}-${round}`
        server.people.set(subject, { sub: subject, email: ada.email, email_verified: true })
        const visits = await Promise.all(Array.from({ length: 8 }, (_, index) => visited(index, subject)))
        const replies = await releaseTogether(visits.map((visit, index) => visitCallback(index, visit)))
        assert.deepEqual(tally(replies), { 200: 8 }, `round ${round}: ${replies.map(({ body }) => body)}`)
        assert.deepEqual(await usersWith(ada.email), [{ id: ada.id, identities: 1 }])
        const { status } = await call(`${node(0)}/auth/me`, { headers: { 'x-session-id': ada.sessionToken } })
        assert.equal(status, 401)
      }
    })
  }

  test('one ID token that an app brings 32 times signs in once', async () => {
    const subject = 'app'
    server.people.set(subject, { sub: subject, email: 'app@example.com', email_verified: true })
    await releaseTogether([visitCallback(0, await visited(0, subject))])
    for (let round = 0; round < scheduledJobs; round++) {
      // The nonce makes the tokens unique. Without it, tokens issued in the same second would be identical.
      const nonce = `round-${round}`
      const id_token = await server.idToken(subject, nonce)
      const replies = await releaseTogether(
        Array.from({ length: 32 }, (_, index) => ({
          method: 'POST',
          url: `${node(index)}/auth/social/oidc/login-api`,
          headers: { 'x-forwarded-for': newAddress() },
          body: { id_token, nonce },
        })),
      )
      assert.deepEqual(tally(replies), { 200: 1, 401: 31 }, `round ${round}`)
    }
  })

  test('two identities with one new address: one gets it, and the other is told', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const email = `shared-${round}@example.com`
      const subjects = ['a', 'b'].map((name) => `shared-${name}-${round}`)
      for (const sub of subjects) server.people.set(sub, { sub, email, email_verified: true })
      const visits = await Promise.all(subjects.map((subject, index) => visited(index, subject)))
      const replies = await releaseTogether(visits.map((visit, index) => visitCallback(index, visit)))
      assert.deepEqual(tally(replies), { 200: 1, 400: 1 }, `round ${round}`)
      assert.equal((await usersWith(email)).length, 1)
    }
  })

  test('of two ways in that are removed at once, the last one stays', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const subject = `last-${round}`
      server.people.set(subject, { sub: subject, email: `${subject}@example.com`, email_verified: false })
      const [reply] = await releaseTogether([visitCallback(0, await visited(0, subject))])
      const { sessionId, user } = JSON.parse(reply?.body ?? '{}')
      await nodes.database.query(
        `INSERT INTO social_accounts (id, user_id, provider, issuer, subject, linked_at, last_used_at)
         VALUES ($1, $1, 'github', 'https://github.com', $2, now(), now())`,
        [user.id, subject],
      )
      const removals = ['oidc', 'github'].map((provider, index) => ({
        method: 'DELETE',
        url: `${node(index)}/auth/social/accounts/${provider}`,
        headers: { 'x-session-id': sessionId, 'x-forwarded-for': newAddress() },
      }))
      assert.deepEqual(tally(await releaseTogether(removals)), { 200: 1, 400: 1 }, `round ${round}`)
      assert.deepEqual(
        (await usersWith(`${subject}@example.com`)).map(({ identities }) => identities),
        [1],
      )
    }
  })
})
