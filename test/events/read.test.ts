import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { positionEvents } from '../../src/events/assign-positions.ts'
import { skipPositions } from '../../src/events/queries.ts'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { day } from '../../src/lib/time.ts'
import { eventually } from '../support/eventually.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('GET /auth/admin/events', () => {
  let app: TestApp
  let staff: SignedIn
  before(async () => {
    app = await startTestApp({ env: { ADMIN_SESSION_IDLE_TTL: '90d', ADMIN_SESSION_ABSOLUTE_TTL: '90d' } })
    staff = await signedInAs(app, 'support')
  })
  after(() => app.stop())

  const read = async (query: Record<string, string> = {}) => {
    await positionEvents(app.ctx)
    return app.get('/auth/admin/events', { ...withSession(staff.sessionToken), query })
  }

  test('returns the events of a registration in order, with ids only', async () => {
    const { next } = (await read()).json.data
    const ada = await registered(app)
    const { events } = (await read({ after: next })).json.data
    assert.deepEqual(
      events.map(({ type, version, data }: { type: string; version: number; data: unknown }) => ({
        type,
        version,
        data,
      })),
      [
        { type: 'user.created', version: 1, data: { user_id: ada.id } },
        {
          type: 'session.created',
          version: 1,
          data: {
            user_id: ada.id,
            session_id: events[1].data.session_id,
            parent_id: null,
            application: null,
            application_id: null,
            impersonated: false,
          },
        },
      ],
    )
  })

  test('pages through all events without gaps or repetitions', async () => {
    await registered(app)
    await registered(app)
    const all = (await read()).json.data
    assert.equal(all.has_more, false)
    const paged: unknown[] = []
    for (let after: string | undefined; ; ) {
      const { events, next, has_more } = (await read({ ...(after && { after }), limit: '2' })).json.data
      assert.ok(events.length <= 2)
      paged.push(...events)
      after = next
      if (!has_more) break
    }
    assert.deepEqual(paged, all.events)
    assert.deepEqual((await read({ after: all.next })).json.data, { events: [], next: all.next, has_more: false })
  })

  test('is numbered in the background', async () => {
    const { next } = (await read()).json.data
    await registered(app)
    await eventually(async () => {
      const reply = await app.get('/auth/admin/events', { ...withSession(staff.sessionToken), query: { after: next } })
      return reply.json.data.events.length === 2
    })
  })

  test('refuses a cursor that is not a number or does not exist yet', async () => {
    for (const after of ['x', '-1', '1e3', '9'.repeat(20)]) {
      const { status, json } = await read({ after })
      assert.deepEqual([status, json.details[0].field], [400, 'after'])
    }
    const { status, json } = await read({ after: '999999' })
    assert.deepEqual([status, json.code], [410, 'EVENTS_EXPIRED'])
    assert.equal((await read({ limit: '0' })).status, 400)
  })

  test('is refused to users and to sessions of other roles', async () => {
    const ada = await registered(app)
    assert.equal((await app.get('/auth/admin/events', withSession(ada.sessionToken))).status, 403)
    assert.equal((await app.get('/auth/admin/events')).status, 401)
  })

  test('only superadmins see the sessions of superadmins, and everyone gets the same cursor', async () => {
    const { next: after } = (await read()).json.data
    const owner = await signedInAs(app, 'superadmin')
    const admin = await signedInAs(app, 'admin')
    const seenBy = async ({ sessionToken }: SignedIn) => {
      await positionEvents(app.ctx)
      const { data } = (await app.get('/auth/admin/events', { ...withSession(sessionToken), query: { after } })).json
      const of = ({ id }: SignedIn) =>
        data.events
          .filter((event: { data: { user_id: string } }) => event.data.user_id === id)
          .map(({ type }: { type: string }) => type)
      return { ownTypes: of(admin), ownerTypes: of(owner), next: data.next }
    }
    const all = await seenBy(owner)
    const limited = await seenBy(admin)
    assert.ok(all.ownerTypes.includes('session.created'))
    assert.deepEqual(limited, {
      ...all,
      ownerTypes: all.ownerTypes.filter((type: string) => type.startsWith('user.')),
    })
    assert.ok(limited.ownerTypes.includes('user.created'))
    assert.ok(limited.ownTypes.includes('session.created'))
  })

  test('the API description has a schema for each event', async () => {
    const { webhooks } = (await app.get('/openapi.json')).json
    for (const type of ['user.created', 'session.ended', 'module.installed']) {
      const { properties } = webhooks[type].post.requestBody.content['application/json'].schema
      assert.deepEqual([properties.type.const, properties.version.const], [type, 1])
      assert.equal(properties.data.type, 'object')
    }
  })

  test('an event of a failed change does not exist', async () => {
    const { next } = (await read()).json.data
    const { status } = await app.post('/auth/register/public', { email: staff.email, password: 'nine harbour bells' })
    assert.notEqual(status, 200)
    assert.deepEqual((await read({ after: next })).json.data.events, [])
  })

  test('a cursor from before a restore expires at the place of the restore', async () => {
    const { next: before } = (await read()).json.data
    await registered(app)
    const { next: atRestore } = (await read()).json.data
    await skipPositions(app.ctx.db)
    await registered(app)
    assert.equal((await read({ after: before })).json.data.next, atRestore)
    assert.equal((await read({ after: atRestore })).json.code, 'EVENTS_EXPIRED')
    await app.ctx.db.deleteFrom('events').where('position', '<=', Number(atRestore)).execute()
    assert.equal((await read()).json.data.events.length, 2)
  })

  test('old events are deleted, and a cursor before them expires', async () => {
    const { next } = (await read()).json.data
    await registered(app)
    await positionEvents(app.ctx)
    app.clock.advance(31 * day)
    await registered(app)
    await positionEvents(app.ctx)
    await cleanUp(app.ctx)
    assert.equal((await read({ after: next })).json.code, 'EVENTS_EXPIRED')
    const { events } = (await read()).json.data
    assert.equal(events[0].type, 'user.created')
  })
})
