import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before as beforeAll, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { sealEvents } from '../../src/audit/seal-events.ts'
import { verifySeals } from '../../src/audit/verify-seals.ts'
import { shippedObjects } from '../../src/db/migrate.ts'
import { findLost } from '../../src/db/sql-objects.ts'
import { hasUnpositioned } from '../../src/events/queries.ts'
import { loadModules } from '../../src/hub/load-modules.ts'
import { newId } from '../../src/lib/ids.ts'
import { minute } from '../../src/lib/time.ts'
import { shippedModules } from '../../src/modules/index.ts'
import { hasNewEvents } from '../../src/webhooks/delivery-queries.ts'
import { somebody } from '../modules/blog/support.ts'
import { administrator } from '../modules/post-types/support.ts'
import { drawn, keptFiles, pathOf, upload } from '../pictures/support.ts'
import { eventually } from '../support/eventually.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import type { TestApp } from '../support/test-app.ts'
import { type Enrolled, pending, verify, withTotp } from '../two-factor/support.ts'
import { backUp, newDirectory, openEmpty, restore, startFull, sumsOf } from './support.ts'

let app: TestApp
let ada: Enrolled
let picture: string
const body = 'Words, words.\n\n- one\n- two'
let postId: string
let before: Date
beforeAll(async () => {
  app = await startFull()
  ada = await withTotp(app)
  const writer = await somebody(app)
  postId = await writer.write({ title: 'Ærø "quoted" \\', body, status: 'published' })
  const kinds = await administrator(app)
  await kinds.define('recipe')
  const grace = await registered(app, 'grace', { name: "O'Brien \u{1f600}", last_name: 'back\\slash' })
  const uploaded = await upload(app, grace.sessionToken, await drawn(200, 200).jpeg().toBuffer())
  assert.equal(uploaded.status, 200, uploaded.text)
  picture = uploaded.json.data.picture_url
  // Converting to JSON numbers or nulls, or to times in milliseconds, would change these values.
  const metadata = '{"big": 12345678901234567890.123456789, "none": null, "text": "a\\\\b\\"c"}'
  await sql`UPDATE users SET metadata = ${metadata}::jsonb, created_at = '2024-02-29 23:59:59.123456+00' WHERE id = ${grace.id}`.execute(
    app.ctx.db,
  )
  await sql`INSERT INTO installation_facts (fact, since, value) VALUES ('far', 'infinity', '')`.execute(app.ctx.db)
  await sealEvents(app.ctx, 1_000)
  before = new Date(app.clock.now() + minute)
})
after(() => app?.stop())

test('a restored database equals the original, except for what a restore changes', async (t) => {
  const path = join(await newDirectory(t), 'backup')
  const target = await openEmpty(t)
  await sql`UPDATE outbox SET status = 'sent', payload = NULL WHERE status IN ('pending', 'queued')`.execute(app.ctx.db)
  // Events get their positions, and webhooks read them, shortly after the change.
  const { db } = app.ctx
  await eventually(async () => !(await hasUnpositioned(db)) && !(await hasNewEvents(db)))
  await backUp(app, path)
  const original = await sumsOf(app.database)
  await restore(app, target, path, { keepSessions: true })
  const restored = await sumsOf(target)
  const differing = Object.keys({ ...original, ...restored }).filter(
    (name) => JSON.stringify(original[name]) !== JSON.stringify(restored[name]),
  )
  // The differences are an additional event, skipped positions of events, the target server's transaction ids, and
  // incremented epochs.
  assert.deepEqual(differing.toSorted(), [
    'application_version',
    'audit_events',
    'event_positions',
    'oauth_version',
    'role_version',
    'session_revocations',
    'users',
  ])
  assert.equal(restored.audit_events?.rows, (original.audit_events?.rows ?? 0) + 1)
  assert.ok(Object.keys(original).length > 40)
  const everything = ({ db }: typeof target) =>
    sql<object>`SELECT to_jsonb(u) - 'session_epoch' AS row FROM users u ORDER BY id`
      .execute(db)
      .then(({ rows }) => rows)
  assert.deepEqual(await everything(target), await everything(app.database))
  const events = ({ db }: typeof target) =>
    sql<object>`SELECT to_jsonb(e) AS row FROM audit_events e WHERE event <> 'backup_restored' ORDER BY id`
      .execute(db)
      .then(({ rows }) => rows)
  assert.deepEqual(await events(target), await events(app.database))
})

test('a restored installation serves users with their old password and authenticator, posts and pictures', async (t) => {
  const { again } = await restored(t)
  const old = await again.get('/auth/me', withSession(ada.sessionToken))
  assert.equal(old.status, 401)
  again.clock.advance(minute)
  const partial = await pending(again, ada)
  const signedIn = await verify(again, partial.sessionToken, { code: ada.code() })
  assert.equal(signedIn.status, 200, signedIn.text)
  const post = await again.get(`/api/v1/posts/id/${postId}`, withSession(signedIn.json.sessionId))
  assert.equal(post.json.data.body, body)
  const image = await again.http.inject({ method: 'GET', url: pathOf(app, picture) })
  const original = await app.http.inject({ method: 'GET', url: pathOf(app, picture) })
  assert.equal(image.statusCode, 200)
  assert.deepEqual(image.rawPayload, original.rawPayload)
  assert.equal(keptFiles(again).length, 2, 'the picture and its thumbnail')
})

test('a restore ends all sessions and invalidates links, codes and messages by default', async (t) => {
  const alan = await registered(app, 'alan')
  await app.post('/auth/password/reset/request', { email: alan.email })
  const message = newId()
  await sql`INSERT INTO outbox (id, channel, message, payload, status, created_at)
    VALUES (${message}, 'mail', 'reset', 'sealed', 'queued', now() - interval '1 hour')`.execute(app.ctx.db)
  t.after(() => sql`DELETE FROM outbox WHERE id = ${message}`.execute(app.ctx.db))
  const { again } = await restored(t)
  assert.equal((await again.get('/auth/me', withSession(alan.sessionToken))).status, 401)
  const { rows: messages } = await sql`SELECT status, payload FROM outbox WHERE id = ${message}`.execute(again.ctx.db)
  assert.deepEqual(messages, [{ status: 'expired', payload: null }])
  const { rows } = await sql<Record<string, number>>`SELECT
    (SELECT count(*)::int FROM sessions WHERE status IN ('pending', 'active')) AS sessions,
    (SELECT count(*)::int FROM one_time_secrets WHERE used_at IS NULL AND created_at < ${before}) AS secrets,
    (SELECT count(*)::int FROM outbox WHERE status IN ('pending', 'queued') AND created_at < ${before}) AS messages,
    (SELECT count(*)::int FROM social_flows) AS visits,
    (SELECT count(*)::int FROM users WHERE session_epoch < 1000000000) AS epochs`.execute(again.ctx.db)
  assert.deepEqual(rows, [{ sessions: 0, secrets: 0, messages: 0, visits: 0, epochs: 0 }])
  const [event] = await auditOf(again, 'backup_restored')
  assert.deepEqual([event?.actor_role, event?.details.sessions], ['command_line', 'ended'])
})

test('with --keep-sessions, users stay signed in and caches still notice', async (t) => {
  const alan = await registered(app, 'alan')
  const { again } = await restored(t, true)
  assert.equal((await again.get('/auth/me', withSession(alan.sessionToken))).status, 200)
  const { rows } = await sql`SELECT FROM users WHERE session_epoch < 1000000000`.execute(again.ctx.db)
  assert.equal(rows.length, 0)
})

test('the restored schema is complete, and the audit seals verify', async (t) => {
  const { target, again } = await restored(t)
  const objects = [
    ...shippedObjects(),
    ...loadModules(shippedModules).flatMap(({ components }) => components.flatMap((one) => one.furtherObjects)),
  ]
  assert.deepEqual(await findLost(target.db, objects), [])
  const keys = ({ db }: typeof target) =>
    sql<object>`SELECT conrelid::regclass::text AS "table", conname, convalidated, pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`
      .execute(db)
      .then(({ rows }) => rows)
  assert.deepEqual(await keys(target), await keys(app.database))
  const verified = await verifySeals(target.db, {
    dataKeys: again.ctx.dataKeys,
    keptSince: new Date(0),
    sealedUntil: new Date(0),
    newest: 1_000,
  })
  assert.ok(verified.checked > 0)
  assert.deepEqual(verified.broken, [])
})

async function restored(t: TestContext, keepSessions = false) {
  const directory = await newDirectory(t)
  let again: TestApp | undefined
  // The handlers run in reverse order of registration: the application is stopped before its database is dropped.
  t.after(() => again?.stop())
  const target = await openEmpty(t)
  await backUp(app, join(directory, 'backup'))
  await restore(app, target, join(directory, 'backup'), { keepSessions, dataDir: directory })
  again = await startFull({ DATA_DIR: directory }, { database: target, clock: app.clock })
  return { target, again }
}
