import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { sha256 } from '../../src/lib/hash.ts'
import { endSessionsOfApplications } from '../../src/sessions/end-of-applications.ts'
import { eventually } from '../support/eventually.ts'
import { handedOver, issued, redeemed } from '../support/handover.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

const withSecret = { headers: { 'x-bridge-secret': bridgeSecret } }

let app: TestApp
let superadmin: Superadmin
before(async () => {
  app = await startTestApp({
    env: {
      RATE_LIMIT_ADMIN: '1000/1h',
      RATE_LIMIT_TOKEN_VALIDATE: '1000/5m',
      ALLOWED_REDIRECTS: 'https://shop.example,https://blog.example,https://partly.test/app',
    },
  })
  superadmin = await superadminOf(app)
})
after(() => app.stop())

/** A user who is signed in to a new application. */
async function signedInTo(key: string) {
  const origin = `https://${key}.test`
  const { id } = await superadmin.create(key, { return_addresses: [origin] })
  const ada = await registered(app)
  return { id, origin, ada, sessionToken: await handedOver(app, ada.sessionToken, `${origin}/callback`) }
}

const validate = (session_id: string) => app.post('/auth/bridge/validate', { session_id }, withSecret)
const verify = (sessionToken: string, query = '', headers: Record<string, string> = {}) =>
  app.call('GET', `/auth/verify${query}`, {
    headers: { ...withSecret.headers, 'x-session-id': sessionToken, ...headers },
  })

/** The responses of every route that checks a session. */
async function statusesOf(sessionToken: string, origin: string): Promise<Record<string, unknown>> {
  const list = await app.post('/auth/bridge/validate', { session_ids: [sessionToken] }, withSecret)
  return {
    validate: (await validate(sessionToken)).status,
    list: list.json.results?.[0].success ?? list.text,
    verify: (await verify(sessionToken, `?application=${origin}`)).status,
    own: (await app.call('GET', '/auth/profile', withSession(sessionToken))).status,
  }
}
const accepted = { validate: 200, list: true, verify: 200, own: 200 }
const rejected = { validate: 401, list: false, verify: 401, own: 401 }

interface StoredSession {
  status: string
  end_reason: string | null
}
const rowOf = async (sessionToken: string): Promise<StoredSession | undefined> =>
  (
    await sql<StoredSession>`SELECT status, end_reason FROM sessions
      WHERE token_hash = decode(${sha256(sessionToken)}, 'hex')`.execute(app.ctx.db)
  ).rows[0]

describe('a session of a stored application', () => {
  test('names it wherever it names its origin', async () => {
    const { id, origin, ada } = await signedInTo('named')
    const reply = await redeemed(app, await issued(app, ada.sessionToken, `${origin}/`))
    assert.deepEqual([reply.json.application, reply.json.application_id], [origin, id])
    const { sessionId } = reply.json
    const { json } = await validate(sessionId)
    assert.deepEqual([json.session.application, json.session.application_id], [origin, id])
    assert.deepEqual(json.owners, [ada.id, id])
    const current = (
      await app.call('GET', '/auth/session/current', { headers: { ...withSecret.headers, 'x-session-id': sessionId } })
    ).json
    assert.deepEqual([current.application_id, current.session.application_id], [id, id])
    const { data } = (await app.call('GET', '/auth/sessions', withSession(ada.sessionToken))).json
    assert.deepEqual(
      data.sessions.map((each: { applicationId: string | null }) => each.applicationId),
      [id, id, null],
    )
    for (const event of ['handover_issued', 'handover_redeemed'])
      assert.equal((await auditOf(app, event)).at(-1)?.details.application_id, id)
    const created = await sql<{ data: { application_id: string } }>`SELECT data FROM events
      WHERE type = 'session.created' ORDER BY seq DESC LIMIT 1`.execute(app.ctx.db)
    assert.equal(created.rows[0]?.data.application_id, id)
  })

  test('is counted in the metrics by the application’s key, and without one by the settings', async () => {
    const { ada } = await signedInTo('measured')
    await handedOver(app, ada.sessionToken)
    const { body } = await app.ctx.metrics.render()
    assert.match(body, /^wardenry_application_sessions_total\{application="measured"\} 1$/m)
    assert.match(body, /^wardenry_application_sessions_total\{application="\(settings\)"\} \d+$/m)
  })

  test('counts as one of its live sessions', async () => {
    const { id } = await signedInTo('counted')
    const shown = async () => (await superadmin.call('GET', `/${id}`)).json.data.live_sessions
    assert.equal(await shown(), 1)
    await superadmin.call('POST', `/${id}/disable`)
    assert.equal(await shown(), 0)
  })

  test('is unknown to the bridge’s response for an application that the settings declare', async () => {
    const ada = await registered(app)
    const { json } = await validate(await handedOver(app, ada.sessionToken))
    assert.deepEqual(
      Object.keys(json.session).filter((name) => name.startsWith('application')),
      ['application'],
    )
    assert.equal(json.owners, undefined)
  })
})

test('a verification compares the age of the applications once', async (t) => {
  const { origin, sessionToken } = await signedInTo('compared')
  assert.equal((await verify(sessionToken, `?application=${origin}`)).status, 200)
  const current = t.mock.method(app.ctx.applications, 'current')
  const whenCurrent = t.mock.method(app.ctx.applications, 'whenCurrent')
  assert.equal((await verify(sessionToken, `?application=${origin}`)).status, 200)
  assert.deepEqual([whenCurrent.mock.callCount(), current.mock.callCount()], [1, 0])
})

describe('when an application is disabled or deleted', () => {
  for (const [key, disable, enable] of [
    ['disabled', 'POST /disable', 'POST /enable'],
    ['deleted', 'DELETE ', 'POST /restore'],
  ] as const)
    test(`its sessions are rejected at once, and enabling it again revives none: ${key}`, async () => {
      const { id, origin, ada, sessionToken } = await signedInTo(key)
      const act = (action: string) => superadmin.call(action.split(' ')[0]!, `/${id}${action.split(' ')[1]}`)
      assert.deepEqual(await statusesOf(sessionToken, origin), accepted)
      assert.equal((await act(disable)).status, 200)
      assert.deepEqual(await statusesOf(sessionToken, origin), rejected)
      assert.equal((await act(enable)).status, 200)
      assert.deepEqual(await statusesOf(sessionToken, origin), rejected)
      assert.equal((await validate(ada.sessionToken)).status, 200, 'the user stays signed in elsewhere')
      const again = await handedOver(app, ada.sessionToken, `${origin}/callback`)
      assert.deepEqual(await statusesOf(again, origin), accepted)
    })

  test('the same holds for a change that was made by hand, even for a moment', async () => {
    const { id, origin, sessionToken } = await signedInTo('by-hand')
    assert.deepEqual(await statusesOf(sessionToken, origin), accepted)
    for (const isEnabled of [false, true])
      await sql`UPDATE applications SET is_enabled = ${isEnabled} WHERE id = ${id}`.execute(app.ctx.db)
    const { rows } = await sql<{ epoch: number }>`SELECT max(epoch) AS epoch FROM session_revocations
      WHERE user_id = ${id}`.execute(app.ctx.db)
    assert.equal(rows[0]?.epoch, 3)
    // The revocation feed of another node, or the end of the cache's lifetime.
    app.clock.advance(60_000)
    assert.deepEqual(await statusesOf(sessionToken, origin), rejected)
  })

  test('the sessions of an application whose row was removed by hand are rejected', async () => {
    const { id, origin, sessionToken } = await signedInTo('erased')
    await sql`DELETE FROM applications WHERE id = ${id}`.execute(app.ctx.db)
    assert.deepEqual(await statusesOf(sessionToken, origin), rejected)
  })

  test('the rows of its sessions end afterwards, with events, and no user’s epoch rises', async () => {
    const { id, ada, sessionToken } = await signedInTo('rows')
    const epochs = () => sql`SELECT id, session_epoch FROM users ORDER BY id`.execute(app.ctx.db)
    const before = await epochs()
    await sql`UPDATE applications SET is_enabled = false WHERE id = ${id}`.execute(app.ctx.db)
    assert.equal((await rowOf(sessionToken))?.status, 'active')
    assert.ok((await endSessionsOfApplications(app.ctx)) > 0)
    assert.equal(await endSessionsOfApplications(app.ctx), 0)
    assert.deepEqual(await rowOf(sessionToken), { status: 'revoked', end_reason: 'application_disabled' })
    assert.equal((await rowOf(ada.sessionToken))?.status, 'active')
    const ended = (await auditOf(app, 'session_ended')).at(-1)!
    assert.deepEqual([ended.target_id, ended.details.reason], [ada.id, 'application_disabled'])
    assert.deepEqual((await epochs()).rows, before.rows)
  })

  test('sessions from when the settings declared the address end, too, unless they still do', async () => {
    const tokens: string[] = []
    for (const [key, address] of [
      ['former', 'https://former.test'],
      ['app', 'test.former.app://'],
      ['still', 'https://blog.example'],
      ['partly', 'https://partly.test'],
    ] as const) {
      await superadmin.create(key, { return_addresses: [address] })
      const ada = await registered(app)
      const sessionToken = await handedOver(app, ada.sessionToken, `${address}/`)
      await sql`UPDATE sessions SET application_id = NULL, application_epoch = NULL
        WHERE token_hash = decode(${sha256(sessionToken)}, 'hex')`.execute(app.ctx.db)
      tokens.push(sessionToken)
    }
    const validated = () => Promise.all(tokens.map(async (session_id) => (await validate(session_id)).status))
    assert.deepEqual(await validated(), [200, 200, 200, 200])
    await sql`UPDATE applications SET is_enabled = false WHERE key IN ('former', 'app', 'still', 'partly')`.execute(
      app.ctx.db,
    )
    assert.equal(await endSessionsOfApplications(app.ctx), 2)
    assert.deepEqual(await validated(), [401, 401, 200, 200])
  })

  test('the API ends the rows by a job', async () => {
    const { id, sessionToken } = await signedInTo('job')
    await superadmin.call('POST', `/${id}/disable`)
    await eventually(async () => (await rowOf(sessionToken))?.status === 'revoked')
  })

  test('the rows end in batches, however many users there are', async () => {
    const { id, sessionToken } = await signedInTo('many')
    await sql`WITH people AS (
        INSERT INTO users (id, email, user_name, user_type, created_at, updated_at)
        SELECT gen_random_uuid(), 'many' || n || '@example.com', 'many' || n, 'customer', now(), now()
        FROM generate_series(1, 450) AS n RETURNING id)
      INSERT INTO sessions (id, user_id, created_at, started_at, last_used_at, proved_at, token_hash, status, application,
        application_id, application_epoch)
      SELECT gen_random_uuid(), id, now(), now(), now(), now(), sha256((id::text || n)::bytea), 'active', 'https://many.test', ${id}, 1
      FROM people, generate_series(1, 2) AS n`.execute(app.ctx.db)
    await sql`UPDATE applications SET is_enabled = false WHERE id = ${id}`.execute(app.ctx.db)
    assert.equal(await endSessionsOfApplications(app.ctx), 901)
    assert.equal((await rowOf(sessionToken))?.status, 'revoked')
  })
})

describe('behind a gateway', () => {
  const visited = (page: string) => ({ 'x-original-url': page })

  test('the pages of a disabled application are forbidden, while the visitor stays signed in elsewhere', async () => {
    const { sessionToken } = await registered(app)
    const { id } = await superadmin.create('wiki', { kind: 'gateway', return_addresses: ['https://wiki.test/docs'] })
    const page = 'https://wiki.test/docs/start'
    assert.equal((await verify(sessionToken, '', visited(page))).status, 200)
    await superadmin.call('POST', `/${id}/disable`)
    const refused = await verify(sessionToken, '?redirect=true', { ...visited(page), accept: 'text/html' })
    assert.deepEqual([refused.status, refused.json.code], [403, 'FORBIDDEN'])
    const forwarded = { 'x-forwarded-host': 'wiki.test', 'x-forwarded-uri': '/docs/start' }
    assert.equal((await verify(sessionToken, '', forwarded)).status, 403)
    for (const other of ['https://wiki.test/', 'https://other.test/docs/'])
      assert.equal((await verify(sessionToken, '', visited(other))).status, 200, other)
    await superadmin.call('POST', `/${id}/enable`)
    assert.equal((await verify(sessionToken, '', visited(page))).status, 200)
  })

  test('a visitor cannot hide that a page is one of a disabled application', async () => {
    const { sessionToken } = await registered(app)
    const { id } = await superadmin.create('hidden', {
      kind: 'gateway',
      return_addresses: ['https://hidden.test/docs'],
    })
    await superadmin.create('open', {
      kind: 'gateway',
      return_addresses: ['https://open.test', 'https://hidden.test:8443'],
    })
    await superadmin.call('POST', `/${id}/disable`)
    const forwarded = (host: string, uri: string, proto = 'https') => ({
      'x-forwarded-host': host,
      'x-forwarded-uri': uri,
      'x-forwarded-proto': proto,
    })
    const long = `?${'a'.repeat(3_000)}`
    for (const headers of [
      visited(`https://hidden.test/docs${long}`),
      forwarded('hidden.test', `/docs${long}`),
      visited('http://hidden.test/docs'),
      visited('https://hidden.test:1234/docs'),
      visited('https://hidden.test./docs'),
      visited('wss://hidden.test/docs'),
      visited('https://hidden.test:99999/docs'),
      visited('https://hidden.test//docs'),
      forwarded('hidden.test, hidden.test', '/docs', 'https,https'),
      forwarded('hidden.test', 'https://hidden.test/docs'),
      { ...forwarded('hidden.test', '/docs'), 'x-original-url': 'https://nowhere.test/' },
      { ...forwarded('hidden.test', '/docs'), 'x-original-url': 'x' },
    ])
      assert.equal((await verify(sessionToken, '', headers)).status, 403, JSON.stringify(headers).slice(0, 200))
    const byPath = await app.call('GET', `/auth/verify/for/docs${long}`, {
      headers: { ...withSecret.headers, 'x-session-id': sessionToken, 'x-forwarded-host': 'hidden.test' },
    })
    assert.equal(byPath.status, 403)
    for (const headers of [
      visited(`https://open.test/docs${long}`),
      visited('wss://open.test/docs'),
      visited('https://hidden.test:8443/docs'),
      visited('https://hidden.test/'),
      {},
    ])
      assert.equal((await verify(sessionToken, '', headers)).status, 200, JSON.stringify(headers).slice(0, 200))
  })
})
