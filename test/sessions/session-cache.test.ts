import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { second } from '../../src/lib/time.ts'
import { hashOf } from '../../src/sessions/authenticate.ts'
import { eventually } from '../support/eventually.ts'
import { registered } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const asBackEnd = { headers: { 'x-bridge-secret': bridgeSecret } }
const validateAt = async (app: TestApp, sessionToken: string) =>
  app.post('/auth/bridge/validate', { session_id: sessionToken }, asBackEnd)
/** Changes the row with SQL so that no node is notified. */
const rename = (app: TestApp, id: string, name: string) =>
  sql`UPDATE users SET name = ${name} WHERE id = ${id}`.execute(app.ctx.db)

describe('a cached session', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
  })
  after(() => app.stop())
  const validate = async (sessionToken: string) => (await validateAt(app, sessionToken)).json

  test('is revalidated while it is used, and stays valid', async () => {
    const ada = await registered(app)
    await validate(ada.sessionToken)
    for (let half = 0; half < 8; half++) {
      assert.equal((await validate(ada.sessionToken)).cacheSource, 'memory', `after ${half * 2} seconds`)
      await revalidated(ada.sessionToken)
      app.clock.advance(2 * second)
    }
  })

  test('whose row was written is dropped when it is revalidated', async () => {
    const ada = await registered(app)
    await validate(ada.sessionToken)
    await rename(app, ada.id, 'Augusta')
    assert.notEqual((await validate(ada.sessionToken)).user.name, 'Augusta')
    app.clock.advance(3 * second)
    let reply = await validate(ada.sessionToken)
    await eventually(async () => {
      reply = await validate(ada.sessionToken)
      return reply.cacheSource !== 'memory'
    })
    assert.deepEqual([reply.user.name, reply.cacheSource], ['Augusta', 'database'])
  })

  test('that ran out is good again only when nobody has written to its rows', async () => {
    const ada = await registered(app)
    const { timestamp: _before, ...first } = await validate(ada.sessionToken)
    app.clock.advance(6 * second)
    const { timestamp: _after, ...again } = await validate(ada.sessionToken)
    assert.deepEqual(again, first)
    await rename(app, ada.id, 'Augusta')
    app.clock.advance(6 * second)
    assert.equal((await validate(ada.sessionToken)).user.name, 'Augusta')
    await sql`UPDATE sessions SET status = 'revoked' WHERE user_id = ${ada.id}`.execute(app.ctx.db)
    app.clock.advance(6 * second)
    assert.equal((await validateAt(app, ada.sessionToken)).status, 401)
  })

  test('of a user who was deleted or a session that is gone is not served once it ran out', async () => {
    const [ada, grace] = [await registered(app, 'ada'), await registered(app, 'grace')]
    await Promise.all([validate(ada.sessionToken), validate(grace.sessionToken)])
    await sql`UPDATE users SET deleted_at = now() WHERE id = ${ada.id}`.execute(app.ctx.db)
    await sql`DELETE FROM sessions WHERE user_id = ${grace.id}`.execute(app.ctx.db)
    app.clock.advance(6 * second)
    for (const { sessionToken } of [ada, grace]) assert.equal((await validateAt(app, sessionToken)).status, 401)
  })

  test('whose use was written stays valid with the new time', async () => {
    const ada = await registered(app)
    await validate(ada.sessionToken)
    const now = await useLater(ada.sessionToken)
    await eventually(async () => {
      const { cacheSource, session } = await validate(ada.sessionToken)
      assert.equal(cacheSource, 'memory')
      return session.lastUsedAt === now
    })
    app.clock.advance(3 * second)
    await validate(ada.sessionToken)
    await revalidated(ada.sessionToken)
    app.clock.advance(3 * second)
    assert.equal((await validate(ada.sessionToken)).cacheSource, 'memory', 'revalidated, and not read again')
  })

  test('is read again when its row was written before its use was', async () => {
    const ada = await registered(app)
    await validate(ada.sessionToken)
    const now = await useLater(ada.sessionToken)
    await sql`UPDATE sessions SET ip_address = '192.0.2.9' WHERE user_id = ${ada.id}`.execute(app.ctx.db)
    await eventually(async () => (await lastUse(ada.id)) === now)
    app.clock.advance(3 * second)
    await eventually(async () => (await validate(ada.sessionToken)).session.ipAddress === '192.0.2.9')
  })

  /**
   * Uses the session for the first time in more than a minute. The service records this use within a second. Returns
   * the time of the use.
   */
  const useLater = async (sessionToken: string): Promise<string> => {
    app.clock.advance(62 * second)
    const { cacheSource } = await validate(sessionToken)
    assert.equal(cacheSource, 'database')
    return new Date(app.clock.now()).toISOString()
  }
  const lastUse = async (userId: string): Promise<string | undefined> => {
    const { rows } = await sql<{ at: Date }>`SELECT last_used_at AS at FROM sessions WHERE user_id = ${userId}`.execute(
      app.ctx.db,
    )
    return rows[0]?.at.toISOString()
  }
  const revalidated = (sessionToken: string) =>
    eventually(() => app.ctx.sessions.recallYoung(hashOf(sessionToken)) !== undefined)
})

describe('without a lifetime for cached sessions', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp({ env: { SESSION_VALIDATION_CACHE_TTL: '0s' } })
  })
  after(() => app.stop())

  test('every answer is asked for, and shows what was written a moment ago', async () => {
    const ada = await registered(app)
    for (const name of ['Augusta', 'Ada King', 'Zoë 李 🦉 "cached":false']) {
      await rename(app, ada.id, name)
      const { json } = await validateAt(app, ada.sessionToken)
      assert.deepEqual([json.user.name, json.cached, json.cacheSource], [name, false, 'database'])
      assert.equal((await validateAt(app, ada.sessionToken)).json.user.name, name)
    }
  })

  test('a session that somebody ended is refused at once', async () => {
    const ada = await registered(app)
    assert.equal((await validateAt(app, ada.sessionToken)).status, 200)
    await sql`UPDATE sessions SET status = 'revoked' WHERE user_id = ${ada.id}`.execute(app.ctx.db)
    assert.equal((await validateAt(app, ada.sessionToken)).status, 401)
  })
})
