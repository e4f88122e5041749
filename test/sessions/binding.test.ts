import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { day, minute } from '../../src/lib/time.ts'
import { eventually } from '../support/eventually.ts'
import { person } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const home = { ip: '203.0.113.7', user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
const moved = { ...home, ip: '198.51.100.9' }
const thief = { ip: '198.51.100.9', user_agent: 'curl/8.0' }
const gateway = '10.0.0.1'
type EndUser = Partial<typeof home>
type Use = (app: TestApp, sessionToken: string, endUser: EndUser) => Promise<boolean>

const accepts = ({ status, json }: { status: number; json: { code?: string; error?: string } }): boolean => {
  if (status === 200) return true
  assert.deepEqual([status, json.code], [401, 'INVALID_SESSION'])
  return false
}
const secret = { 'x-bridge-secret': bridgeSecret }
const present = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** Doors that a back end or gateway uses for an end user, with the text that the log must contain. */
const doors: Record<string, { use: Use; needs: RegExp }> = {
  'single validation': {
    needs: /POST \/auth\/bridge\/validate did not .* ip and user_agent/,
    use: async (app, session_id, endUser) =>
      accepts(await app.post('/auth/bridge/validate', { session_id, ...endUser }, { headers: secret })),
  },
  'batch validation': {
    needs: /validate with session_ids did not .* end_users/,
    async use(app, token, endUser) {
      const body = { session_ids: [token], ...(Object.keys(endUser).length > 0 && { end_users: [endUser] }) }
      const { status, json } = await app.post('/auth/bridge/validate', body, { headers: secret })
      assert.equal(status, 200)
      return accepts({ status: json.results[0].success ? 200 : 401, json: json.results[0] })
    },
  },
  'a gateway': {
    needs: /GET \/auth\/verify did not .* X-Forwarded-For/,
    use: async (app, token, { ip, user_agent }) =>
      accepts(
        await app.get('/auth/verify', {
          from: gateway,
          headers: present({ ...secret, 'x-session-id': token, 'x-forwarded-for': ip, 'user-agent': user_agent }),
        }),
      ),
  },
  'a route for back ends': {
    needs: /GET \/auth\/user\/me did not .* X-End-User-IP/,
    use: async (app, token, { ip, user_agent }) =>
      accepts(
        await app.get('/auth/user/me', {
          headers: present({
            ...secret,
            'x-session-id': token,
            'x-end-user-ip': ip,
            'x-end-user-agent': user_agent,
          }),
        }),
      ),
  },
}
const direct: Use = async (app, token, { ip, user_agent = '' }) =>
  accepts(await app.get('/auth/me', { from: ip!, headers: { 'x-session-id': token, 'user-agent': user_agent } }))

async function signedIn(app: TestApp): Promise<string> {
  const call = { from: home.ip, headers: { 'user-agent': home.user_agent } }
  return (await app.post('/auth/register/public', person(), call)).json.sessionId
}
const start = (mode: string) =>
  startTestApp({
    env: {
      SESSION_BINDING: mode,
      TRUSTED_PROXIES: gateway,
      ALLOWED_REDIRECTS: 'https://shop.example.com',
      CLIENT_COMPAT: 'false',
      RATE_LIMIT_REGISTRATION: '1000/1m',
    },
  })

interface Recorded {
  outcome: string
  ip: string
  user_agent: string
  details: { changed: string[] }
}
async function recorded(app: TestApp): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`SELECT outcome, ip, user_agent, details FROM audit_events
    WHERE event = 'session_context_changed' ORDER BY time, id`.execute(app.ctx.db)
  return rows
}

describe('SESSION_BINDING=enforce', () => {
  let app: TestApp
  before(async () => {
    app = await start('enforce')
  })
  after(() => app.stop())

  for (const [name, { use, needs }] of [...Object.entries(doors), ['the service itself', { use: direct }] as const].map(
    ([name, door]) => [name, { needs: undefined, ...door }] as const,
  )) {
    test(`${name} accepts a session only from where it was created`, async () => {
      const token = await signedIn(app)
      const before = (await recorded(app)).length
      // Twice: from the database and from memory.
      for (const endUser of [home, home]) assert.equal(await use(app, token, endUser), true)
      for (const endUser of [thief, moved, { ...home, user_agent: 'curl/8.0' }])
        assert.equal(await use(app, token, endUser), false, JSON.stringify(endUser))
      app.clock.advance(minute)
      assert.equal(await use(app, token, thief), false)
      assert.equal(await use(app, token, home), true)
      const events = (await recorded(app)).slice(before)
      assert.deepEqual(
        events.map(({ outcome, ip, details }) => [outcome, ip, details.changed]),
        [
          ['failure', thief.ip, ['ip', 'user_agent']],
          ['failure', moved.ip, ['ip']],
          ['failure', home.ip, ['user_agent']],
        ],
      )
    })

    if (needs)
      test(`${name} refuses a session without a description of the user, and logs what is missing`, async () => {
        const token = await signedIn(app)
        const logged = app.logged().length
        for (const _ of [1, 2]) assert.equal(await use(app, token, {}), false)
        const lines = app
          .logged()
          .slice(logged)
          .split('\n')
          .filter((line) => line.includes('SESSION_BINDING=enforce'))
        assert.equal(lines.length, 1)
        assert.match(lines[0]!, needs)
        app.clock.advance(minute)
      })
  }

  test('half of a description is refused, unless the back end states that it knows only the user agent', async () => {
    const token = await signedIn(app)
    for (const name of ['single validation', 'batch validation', 'a route for back ends']) {
      const logged = app.logged().length
      for (const half of [{ ip: home.ip }, { user_agent: home.user_agent }])
        assert.equal(await doors[name]!.use(app, token, half), false, `${name} ${JSON.stringify(half)}`)
      assert.match(app.logged().slice(logged), doors[name]!.needs)
    }
    for (const name of ['single validation', 'batch validation']) {
      const only = { user_agent: home.user_agent, compare: 'user_agent' }
      assert.equal(await doors[name]!.use(app, token, only), true, name)
      assert.equal(await doors[name]!.use(app, token, { ...only, user_agent: 'curl/8.0' }), false, name)
      assert.equal(await doors[name]!.use(app, token, { ip: home.ip, compare: 'user_agent' } as EndUser), false, name)
    }
    app.clock.advance(minute)
  })

  test('a gateway that is not trusted cannot state the address, and one without a user agent states none', async () => {
    const token = await signedIn(app)
    const headers = { ...secret, 'x-session-id': token, 'x-forwarded-for': home.ip }
    const agent = { 'user-agent': home.user_agent }
    assert.equal(accepts(await app.get('/auth/verify', { from: '10.0.0.2', headers: { ...headers, ...agent } })), false)
    assert.equal(
      accepts(await app.get('/auth/verify', { from: gateway, headers: { ...headers, 'user-agent': '' } })),
      false,
    )
  })

  test('headers about an end user count only with the bridge secret', async () => {
    const token = await signedIn(app)
    const headers = { 'x-end-user-ip': home.ip, 'x-end-user-agent': home.user_agent }
    const reply = await app.get('/auth/me', { from: thief.ip, headers: { ...headers, 'x-session-id': token } })
    assert.equal(accepts(reply), false)
  })

  test('a stolen cookie is not handed over to an application', async () => {
    const token = await signedIn(app)
    const search = new URLSearchParams({
      return_to: 'https://shop.example.com/callback',
      state: 'a-state',
      code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const locationFor = async ({ ip, user_agent }: typeof home) => {
      const headers = { cookie: `session_id=${token}`, 'user-agent': user_agent, accept: 'text/html' }
      const reply = await app.get(`/login?${search}`, { from: ip, headers })
      return new URL(String(reply.headers.location), 'https://login.example.com')
    }
    for (const endUser of [thief, moved]) assert.equal((await locationFor(endUser)).searchParams.get('code'), null)
    assert.equal((await locationFor(home)).hostname, 'shop.example.com')
  })

  test('a list needs one end user for each session', async () => {
    const body = { session_ids: [await signedIn(app)], end_users: [home, home] }
    const { status, json } = await app.post('/auth/bridge/validate', body, { headers: secret })
    assert.equal(status, 400)
    assert.equal(json.details[0].field, 'end_users')
  })

  test('a list returns keyed hashes of the values for caches', async () => {
    const token = await signedIn(app)
    const body = { session_ids: [token], end_users: [home] }
    const { json } = await app.post('/auth/bridge/validate', body, { headers: secret })
    const key = createHash('sha256').update(token).digest('hex')
    const hashed = (name: string, value: string) =>
      createHmac('sha256', key).update(`${name}\0${value}`).digest('base64url')
    assert.deepEqual(json.results[0].binding, {
      ip: hashed('ip', home.ip),
      user_agent: hashed('user_agent', home.user_agent),
    })
  })

  test('a session can be ended from everywhere', async () => {
    const token = await signedIn(app)
    const reply = await app.post('/auth/logout', {}, { headers: { 'x-session-id': token } })
    assert.equal(reply.status, 200)
  })
})

describe('SESSION_BINDING=log', () => {
  let app: TestApp
  before(async () => {
    app = await start('log')
  })
  after(() => app.stop())

  for (const [name, use] of [
    ...Object.entries(doors).map(([name, door]) => [name, door.use] as const),
    ['the service itself', direct] as const,
  ])
    test(`${name} accepts the session, and records each change once a day`, async () => {
      const token = await signedIn(app)
      const before = (await recorded(app)).length
      const events = async () => (await recorded(app)).slice(before).map(({ outcome, ip }) => [outcome, ip])
      for (const endUser of [home, thief, thief]) assert.equal(await use(app, token, endUser), true)
      if (name.includes('validation')) assert.equal(await use(app, token, {}), true)
      await eventually(async () => (await events()).length === 1)
      assert.deepEqual(await events(), [['success', thief.ip]])
      app.clock.advance(day)
      await use(app, token, thief)
      await eventually(async () => (await events()).length === 2)
    })

  test('a stolen token cannot fill the audit trail', async () => {
    const token = await signedIn(app)
    const before = (await recorded(app)).length
    for (let round = 0; round < 15; round++) await direct(app, token, { ...thief, user_agent: `curl/${round}` })
    await eventually(async () => (await recorded(app)).length >= before + 10)
    await direct(app, token, home)
    assert.equal((await recorded(app)).length, before + 10)
  })
})

test('SESSION_BINDING=off records nothing', async () => {
  const app = await start('off')
  const token = await signedIn(app)
  for (const use of [direct, ...Object.values(doors).map((door) => door.use)])
    assert.equal(await use(app, token, thief), true)
  assert.deepEqual(await recorded(app), [])
  await app.stop()
})
