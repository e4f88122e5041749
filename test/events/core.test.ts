import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eraseUsers } from '../../src/profile/delete-user.ts'
import { confirm, emailOf, startedChange } from '../email-addresses/change-support.ts'
import { type OidcServer, startOidcServer } from '../social/oidc-server.ts'
import { jsonSignIn } from '../social/support.ts'
import { issued, redeemed } from '../support/handover.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { eventsDuring, recordedEvents } from '../support/service-events.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

describe('events of the core', () => {
  let server: OidcServer
  let app: TestApp
  let root: SignedIn
  before(async () => {
    server = await startOidcServer()
    app = await startTestApp({
      env: { ...server.env, RATE_LIMIT_ADMIN: '10000/1h', ALLOWED_REDIRECTS: 'https://shop.example/callback' },
    })
    root = await signedInAs(app, 'superadmin')
  })
  after(async () => {
    await app?.stop()
    await server?.stop()
  })

  const asAdmin = (method: string, path: string, body?: unknown) =>
    app.call(method, `/auth/admin/users${path}`, { body, ...withSession(root.sessionToken) })
  const typesDuring = async (work: () => Promise<unknown>) => (await eventsDuring(app, work)).map(({ type }) => type)
  /** The response must be successful. */
  const ok = async (call: Promise<{ status: number; text: string }>) => {
    const { status, text } = await call
    assert.equal(status, 200, text)
  }
  const mailed = async ({ email }: { email: string }, pattern: RegExp): Promise<string> => {
    for (let count = 0; ; count++) {
      const found = pattern.exec((await app.mailTo(email, count)).text)?.[1]
      if (found) return found
    }
  }

  test('verifying an email address', async () => {
    const ada = await registered(app)
    const token = await mailed(ada, /token=([\w-]{43})/)
    const events = await eventsDuring(app, () => ok(app.post('/auth/token/verify', { token })))
    assert.deepEqual(events, [{ type: 'user.verified', data: { user_id: ada.id } }])
  })

  test('profile changes name the changed members only', async () => {
    const ada = await registered(app)
    const change = () =>
      ok(app.call('PUT', '/auth/profile', { body: { name: 'Ada', title: 'Dr' }, ...withSession(ada.sessionToken) }))
    assert.deepEqual(await eventsDuring(app, change), [
      { type: 'user.updated', data: { user_id: ada.id, changed: ['name', 'title'] } },
    ])
    assert.deepEqual(await eventsDuring(app, change), [], 'nothing has changed')
  })

  test('changes by administrators', async () => {
    const { json } = await asAdmin('POST', '', { ...person('alan'), is_verified: false })
    const { id } = json.data.user
    const events = (method: string, path: string, body?: unknown) =>
      eventsDuring(app, () => ok(asAdmin(method, `/${id}${path}`, body)))
    const user_id = id
    assert.deepEqual(await events('PUT', '', { title: 'Dr', is_verified: true }), [
      { type: 'user.updated', data: { user_id, changed: ['title', 'is_verified'] } },
      { type: 'user.verified', data: { user_id } },
    ])
    assert.deepEqual(await events('PUT', '', { user_type: 'writer' }), [
      { type: 'user.role_changed', data: { user_id, from: 'customer', to: 'writer' } },
    ])
    const until = '2035-01-01T00:00:00.000Z'
    assert.deepEqual(await events('POST', '/block', { reason: 'Spam from 10.1.2.3', until }), [
      { type: 'user.blocked', data: { user_id, until } },
    ])
    assert.deepEqual(await events('POST', '/unblock', {}), [{ type: 'user.unblocked', data: { user_id } }])
    assert.deepEqual(await events('DELETE', ''), [{ type: 'user.deleted', data: { user_id } }])
    assert.deepEqual(await events('POST', '/restore', {}), [{ type: 'user.restored', data: { user_id } }])
  })

  test('sessions: one for each start and end, with the reason', async () => {
    const ada = await registered(app)
    const { email, password } = ada
    const started = await eventsDuring(app, () => ok(app.post('/auth/login', { email, password })))
    assert.deepEqual([started.length, started[0]?.type, started[0]?.data.user_id], [1, 'session.created', ada.id])
    const others = await eventsDuring(app, () =>
      ok(app.call('DELETE', '/auth/sessions', withSession(ada.sessionToken))),
    )
    assert.deepEqual(
      others.map((event) => [event.type, event.data.session_id]),
      [['session.ended', started[0]?.data.session_id]],
    )
    const [own, ...more] = await eventsDuring(app, () =>
      ok(app.post('/auth/logout', {}, withSession(ada.sessionToken))),
    )
    assert.deepEqual([own?.type, own?.data.reason, more.length], ['session.ended', 'logout', 0])
  })

  test('application sessions name their application and their parent', async () => {
    const ada = await registered(app)
    const { code, verifier, returnTo } = await issued(app, ada.sessionToken)
    const events = await eventsDuring(app, async () => ok(redeemed(app, { code, verifier, returnTo })))
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.application, data.impersonated]),
      [['session.created', 'https://shop.example', false]],
    )
    const parents = (await recordedEvents(app)).filter(({ data }) => data.user_id === ada.id)
    assert.equal(events[0]?.data.parent_id, parents.find(({ type }) => type === 'session.created')?.data.session_id)
  })

  test('impersonation', async () => {
    const ada = await registered(app)
    const events = await eventsDuring(app, async () => {
      const reply = await asAdmin('POST', `/${ada.id}/impersonate`, { reason: 'Asked for help' })
      assert.equal(reply.status, 200, reply.text)
      await ok(app.post('/auth/impersonation/stop', {}, withSession(reply.json.sessionId)))
    })
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.user_id, data.impersonated ?? data.reason]),
      [
        ['session.created', ada.id, true],
        ['session.ended', ada.id, 'impersonation_ended'],
      ],
    )
  })

  test('passwords and email addresses, without values', async () => {
    const ada = await registered(app)
    const body = { current_password: ada.password, new_password: 'moths around the relay' }
    const changed = await typesDuring(() =>
      ok(app.post('/auth/password-change/self', body, withSession(ada.sessionToken))),
    )
    assert.ok(changed.includes('user.password_changed'))
    const change = await startedChange(app, ada)
    const events = await eventsDuring(app, async () => {
      await ok(confirm(app, change.current))
      await ok(confirm(app, change.fresh))
    })
    assert.equal(await emailOf(app, ada.sessionToken), change.newEmail)
    assert.deepEqual(events, [
      { type: 'user.verified', data: { user_id: ada.id } },
      { type: 'user.email_changed', data: { user_id: ada.id } },
    ])
    const reset = await eventsDuring(app, async () => {
      await ok(app.post('/auth/password-reset/request', { email: change.newEmail }))
      const token = await mailed({ email: change.newEmail }, /reset-password\S*token=([\w-]{43})/)
      await ok(app.post('/auth/password-reset/complete', { token, password: 'a tape without an end' }))
    })
    assert.deepEqual(
      reset.filter(({ type }) => type.startsWith('user.')),
      [{ type: 'user.password_changed', data: { user_id: ada.id } }],
    )
  })

  test('a reset that proves an address also verifies it, and removes what came before', async () => {
    const ada = await registered(app, 'ada', { phone: '+447700900123' })
    const types = await typesDuring(async () => {
      await ok(app.post('/auth/password-reset/request', { email: ada.email }))
      const token = await mailed(ada, /reset-password\S*token=([\w-]{43})/)
      await ok(app.post('/auth/password-reset/complete', { token, password: 'a tape without an end' }))
    })
    assert.deepEqual(
      types.filter((type) => type.startsWith('user.')),
      ['user.updated', 'user.verified', 'user.password_changed'],
    )
  })

  test('an identity at registration', async () => {
    const email = person().email
    server.people.set('subject-of-events', { sub: 'subject-of-events', email, email_verified: true })
    const events = await eventsDuring(app, () => jsonSignIn(app, server, 'subject-of-events'))
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.provider]),
      [
        ['user.created', undefined],
        ['identity.linked', 'oidc'],
        ['session.created', undefined],
      ],
    )
  })

  test('an erased user leaves ids only', async () => {
    const somebody = { ...person(), name: 'Euphemia', last_name: 'Haberdasher', phone: '+447700900456' }
    const from = '198.51.100.201'
    const reply = await app.call('POST', '/auth/register/public', { body: somebody, from })
    const { id } = reply.json.data
    await ok(app.get('/auth/user/me/export', { ...withSession(reply.json.sessionId), from }))
    await ok(app.post('/auth/login', somebody, { from }))
    await ok(asAdmin('POST', `/${id}/block`, { reason: 'Euphemia asked for it' }))
    await ok(asAdmin('DELETE', `/${id}`))
    const erased = await eventsDuring(app, () => eraseUsers(app.ctx, new Date(app.clock.now() + 1), 100))
    assert.deepEqual(
      erased.filter(({ data }) => data.user_id === id),
      [{ type: 'user.erased', data: { user_id: id } }],
    )
    const { rows } = { rows: await app.database.query<{ text: string }>('SELECT events::text AS text FROM events', []) }
    const all = rows.map(({ text }) => text).join('\n')
    assert.ok(all.includes(id))
    for (const personal of [somebody.email, somebody.user_name, 'Euphemia', 'Haberdasher', '7700900456', from])
      assert.ok(!all.includes(personal), personal)
    assert.ok(!all.includes(bridgeSecret))
  })

  test('every event has the declared type and members', async () => {
    const { eventTypes } = await import('../../src/events/types.ts')
    for (const { type, data } of await recordedEvents(app)) {
      const schema = eventTypes().get(type)
      assert.ok(schema, type)
      assert.deepEqual(Object.keys(data).sort(), Object.keys(schema.properties).sort(), type)
    }
  })
})
