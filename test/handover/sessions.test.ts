// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { day, minute, second } from '../../src/lib/time.ts'
import { handedOver, sessionOf } from '../support/handover.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  const env = { MAIL_NEW_DEVICE: 'true', RATE_LIMIT_LOGIN: '1000/1h', SESSION_MAX_PER_USER: '3' }
  const shops = Array.from({ length: 12 }, (_, index) => `https://shop-${index}.example`)
  app = await startTestApp({
    env: { ...env, ALLOWED_REDIRECTS: ['https://shop.example', 'shopapp://', ...shops].join() },
  })
})
after(() => app.stop())

const validate = (sessionToken: string) =>
  app.post('/auth/bridge/validate', { session_id: sessionToken }, { headers: { 'x-bridge-secret': bridgeSecret } })
const list = async (sessionToken: string) =>
  (await app.get('/auth/sessions', withSession(sessionToken))).json.data.sessions
async function usedAt(sessionToken: string, at: number): Promise<void> {
  const deadline = Date.now() + 20 * second
  for (;;) {
    assert.ok(Date.now() < deadline, 'the use of the session was not written')
    const { id } = await sessionOf(app, sessionToken)
    const { rows } = await sql`SELECT 1 FROM sessions WHERE id = ${id} AND last_used_at = ${new Date(at)}`.execute(
      app.ctx.db,
    )
    if (rows.length > 0) return
    await sleep(50)
  }
}

test('lists name the application and the session that it depends on', async () => {
  const ada = await registered(app)
  const parent = await sessionOf(app, ada.sessionToken)
  app.clock.advance(second)
  const shop = await handedOver(app, ada.sessionToken)
  await handedOver(app, ada.sessionToken, 'shopapp://back')
  const admin = await signedInAs(app, 'admin')
  const ofAdmin = (await app.get(`/auth/admin/users/${ada.id}`, withSession(admin.sessionToken))).json.data
  const exported = (await app.get('/auth/user/me/export', withSession(ada.sessionToken))).json.data
  for (const sessions of [await list(ada.sessionToken), ofAdmin.sessions, exported.sessions]) {
    const shown = sessions.map(({ application, parentId }: Record<string, unknown>) => [application, parentId])
    assert.deepEqual(shown.slice(0, 2).toSorted(), [
      ['https://shop.example', parent.id],
      ['shopapp:', parent.id],
    ])
    assert.deepEqual(shown[2], [null, null])
  }
  const current = (await list(shop)).find((entry: { current: boolean }) => entry.current)
  assert.equal(current.application, 'https://shop.example')
})

test('many applications never push a browser out of the list', async () => {
  const ada = await registered(app)
  for (let count = 0; count < 60; count++) {
    app.clock.advance(1)
    await handedOver(app, ada.sessionToken, `https://shop-${Math.floor(count / 5)}.example/`)
  }
  const sessions = await list(ada.sessionToken)
  assert.equal(sessions.length, 61)
  assert.equal(sessions.at(-1).current, true)
})

test('the account page shows an application below its browser', async () => {
  const ada = await registered(app)
  await handedOver(app, ada.sessionToken)
  for (const [lang, words] of [
    ['en', /Applications that were signed in from this session.*>shop\.example</s],
    ['es', /Aplicaciones en las que se inició sesión desde esta sesión.*>shop\.example</s],
  ] as const) {
    const headers = { cookie: `session_id=${ada.sessionToken}`, accept: 'text/html', 'accept-language': lang }
    const page = await app.get('/account/sessions', { headers })
    assert.match(page.text, words)
    assert.doesNotMatch(page.text, /Firefox/, 'the browser is named once, by its own session')
  }
})

test('an application has no longer a session than its parent, and use of it keeps the parent alive', async () => {
  const ada = await registered(app)
  const signedInAt = app.clock.now()
  app.clock.advance(day)
  const shop = await handedOver(app, ada.sessionToken)
  for (let days = 1; days < 25; days += 6) {
    app.clock.advance(6 * day)
    assert.equal((await validate(shop)).status, 200)
    await usedAt(shop, app.clock.now())
    await usedAt(ada.sessionToken, app.clock.now())
  }
  assert.equal((await validate(ada.sessionToken)).status, 200)
  app.clock.advance(signedInAt + 30 * day - app.clock.now() - 1)
  assert.equal((await validate(shop)).status, 200)
  app.clock.advance(1)
  for (const sessionToken of [shop, ada.sessionToken]) assert.equal((await validate(sessionToken)).status, 401)
})

test('a refresh of an application’s session restarts the idle time of its parent too', async () => {
  const ada = await registered(app)
  const shop = await handedOver(app, ada.sessionToken)
  app.clock.advance(6 * day)
  assert.equal((await app.post('/auth/refresh', undefined, withSession(shop))).status, 200)
  app.clock.advance(6 * day)
  assert.equal((await validate(ada.sessionToken)).status, 200)
})

test('fresh proof in one session is none in the others', async () => {
  const ada = await registered(app)
  const before = await handedOver(app, ada.sessionToken)
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + minute)
  const provedAt = async (sessionToken: string) =>
    ((await sessionOf(app, sessionToken)) as unknown as { proved_at: Date }).proved_at
  const first = await provedAt(ada.sessionToken)
  const body = { password: ada.password }
  assert.equal((await app.post('/auth/reauthenticate', body, withSession(ada.sessionToken))).status, 200)
  assert.deepEqual(await provedAt(before), first)
  const after_ = await handedOver(app, ada.sessionToken)
  assert.deepEqual(await provedAt(after_), await provedAt(ada.sessionToken))
  assert.equal((await app.post('/auth/reauthenticate', body, withSession(before))).status, 200)
  assert.notDeepEqual(await provedAt(before), first)
})

test('a hand-over sends no mail about a new device', async () => {
  const ada = await registered(app)
  await handedOver(app, ada.sessionToken)
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM outbox
    WHERE message = 'new_device'`.execute(app.ctx.db)
  assert.equal(rows[0]!.count, 0)
})

test('an inherited proof is not of the future, whatever the clock of the node that noted it', async () => {
  const ada = await registered(app)
  const { id } = await sessionOf(app, ada.sessionToken)
  const ahead = new Date(app.clock.now() + 30 * second)
  await sql`UPDATE sessions SET proved_at = ${ahead}, started_at = ${ahead} WHERE id = ${id}`.execute(app.ctx.db)
  const row = (await sessionOf(app, await handedOver(app, ada.sessionToken))) as unknown as Record<string, Date>
  assert.deepEqual(row.proved_at, row.created_at)
  assert.deepEqual(row.started_at, row.created_at)
})
