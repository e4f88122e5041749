import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { sealEvents } from '../../src/audit/seal-events.ts'
import { verifySeals } from '../../src/audit/verify-seals.ts'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { newId } from '../../src/lib/ids.ts'
import { day, hour } from '../../src/lib/time.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { AUDIT_RETENTION: '365d', AUDIT_IP_FULL: '30d', DELETED_RETENTION: '1d' } })
})
after(() => app.stop())

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.ctx.db)
const verify = (dataKeys = app.ctx.dataKeys, keptSince = new Date(app.clock.now() - 365 * day)) =>
  verifySeals(app.ctx.db, { dataKeys, keptSince, sealedUntil: new Date(app.clock.now() - hour), newest: 1_000 })
const broken = async () => (await verify()).broken

/** Creates three seals of four events each. */
beforeEach(async () => {
  await run(sql`DELETE FROM audit_events`)
  await run(sql`DELETE FROM audit_seals`)
  await run(sql`DELETE FROM audit_seals_removed`)
  await run(sql`INSERT INTO audit_events (id, time, event, outcome, actor_id, ip, user_agent, node, details)
    SELECT gen_random_uuid(), ${new Date(app.clock.now())}::timestamptz + i * interval '1 ms', 'login_success', 'success', gen_random_uuid(),
      '198.18.7.' || i, E'An "agent"\n' || i, 'node', jsonb_build_object('b', i, 'a', ARRAY['ü', NULL])
    FROM generate_series(1, 12) AS i`)
  for (let count = 0; count < 3; count++) assert.equal(await sealEvents(app.ctx, 4), 4)
  assert.deepEqual(await verify(), { seals: 3, checked: 3, broken: [], withoutKey: 0, unsealed: 0 })
})

const anEvent = (seal: number) => sql`(SELECT id FROM audit_events WHERE seal = ${seal} ORDER BY id LIMIT 1)`
/** Changes events as an attacker with full access to the database would, including disabling the trigger. */
const asOwner = async (statement: ReturnType<typeof sql>) => {
  await run(sql`ALTER TABLE audit_events DISABLE TRIGGER audit_events_stay`)
  await run(statement)
  await run(sql`ALTER TABLE audit_events ENABLE TRIGGER audit_events_stay`)
}

test('any change to an event is detected by its seal', async () => {
  const changes: Record<string, ReturnType<typeof sql>> = {
    event: sql`event = 'logout'`,
    outcome: sql`outcome = 'failure'`,
    time: sql`time = time + interval '1 microsecond'`,
    actor: sql`actor_id = NULL`,
    role: sql`actor_role = 'admin'`,
    target: sql`target_id = actor_id`,
    address: sql`ip = '198.19.7.1'`,
    agent: sql`user_agent = ''`,
    request: sql`request_id = 'x'`,
    details: sql`details = details || '{"b": 0}'`,
  }
  for (const [what, change] of Object.entries(changes)) {
    await run(sql`CREATE TABLE kept AS SELECT * FROM audit_events WHERE seal = 2`)
    await asOwner(sql`UPDATE audit_events SET ${change} WHERE id = ${anEvent(2)}`)
    assert.deepEqual(await broken(), [{ seal: 2, what: 'changed events' }], what)
    await run(sql`DELETE FROM audit_events WHERE seal = 2`)
    await run(sql`INSERT INTO audit_events SELECT * FROM kept`)
    await run(sql`DROP TABLE kept`)
    assert.deepEqual(await broken(), [], what)
  }
})

test('removed, added and moved events are detected', async () => {
  await run(sql`DELETE FROM audit_events WHERE id = ${anEvent(3)}`)
  assert.deepEqual(await broken(), [{ seal: 3, what: 'changed events' }])
  await run(
    sql`INSERT INTO audit_events (id, time, event, outcome, node, seal) VALUES (${newId()}, now(), 'logout', 'success', 'node', 1)`,
  )
  await asOwner(sql`UPDATE audit_events SET seal = 1 WHERE id = ${anEvent(2)}`)
  assert.deepEqual(
    (await broken()).map(({ seal }) => seal),
    [1, 2, 3],
  )
})

test('a forged, exchanged or removed seal breaks the chain', async () => {
  await asOwner(sql`UPDATE audit_events SET event = 'logout' WHERE id = ${anEvent(2)}`)
  await run(sql`UPDATE audit_seals SET digest = audit_digest(2) WHERE number = 2`)
  assert.deepEqual(await broken(), [{ seal: 2, what: 'forged' }])
  // Replacing a seal's value also invalidates the next seal. Matching values cannot be computed without the key.
  await run(sql`UPDATE audit_seals SET mac = (SELECT mac FROM audit_seals WHERE number = 1) WHERE number = 2`)
  assert.deepEqual(await broken(), [
    { seal: 2, what: 'forged' },
    { seal: 3, what: 'forged' },
  ])
  await run(sql`DELETE FROM audit_seals WHERE number = 2`)
  assert.deepEqual(await broken(), [{ seal: 2, what: 'missing' }])
})

test('events are not changed by way of the service', async () => {
  for (const change of [
    sql`event = 'logout'`,
    sql`details = '{}'`,
    sql`seal = 1`,
    sql`ip = '203.0.113.1'`,
    sql`ip = NULL`,
  ])
    await assert.rejects(
      run(sql`UPDATE audit_events SET ${change} WHERE id = ${anEvent(2)}`),
      /audit events are not changed/,
    )
  assert.deepEqual(await broken(), [])
})

test('shortened addresses, purged events and erased users keep the chain valid', async () => {
  const admin = await signedInAs(app, 'admin')
  const ada = await registered(app)
  await app.call('DELETE', `/auth/users/${ada.id}`, withSession(admin.sessionToken))
  await cleanUp(app.ctx)
  app.clock.advance(31 * day)
  await cleanUp(app.ctx)
  const { rows } = await sql<{ ip: string | null }>`SELECT DISTINCT ip FROM audit_events WHERE ip IS NOT NULL`.execute(
    app.ctx.db,
  )
  assert.ok(rows.length > 0 && rows.every(({ ip }) => ip?.endsWith('/24')))
  const found = await verify()
  assert.deepEqual([found.broken, found.seals, found.checked], [[], 4, 4])

  app.clock.advance(340 * day)
  await cleanUp(app.ctx)
  const later = await verify()
  assert.deepEqual([later.broken, later.seals, later.checked], [[], 4, 0])
  app.clock.advance(31 * day)
  await cleanUp(app.ctx)
  assert.deepEqual(await verify(), { seals: 0, checked: 0, broken: [], withoutKey: 0, unsealed: 0 })
})

const addEvent = () =>
  run(sql`INSERT INTO audit_events (id, time, event, outcome, node)
  VALUES (${newId()}, ${new Date(app.clock.now())}, 'logout', 'success', 'node')`)

test('a removed beginning is detected, even if its events were removed too', async () => {
  await run(sql`DELETE FROM audit_events WHERE seal <= 2`)
  await run(sql`DELETE FROM audit_seals WHERE number <= 2`)
  assert.deepEqual(await broken(), [{ seal: 1, what: 'missing' }])
})

test('the removal of all seals is detected while events are left', async () => {
  await run(sql`DELETE FROM audit_seals`)
  assert.deepEqual(await broken(), [{ seal: 1, what: 'missing' }])
  await asOwner(sql`UPDATE audit_events SET seal = NULL`)
  app.clock.advance(2 * hour)
  assert.equal((await verify()).unsealed, 12)
})

test('a removed end is detected while its events are left', async () => {
  await run(sql`DELETE FROM audit_seals WHERE number = 3`)
  assert.deepEqual(await broken(), [{ seal: 3, what: 'missing' }])
})

test('the chain continues from the last seal removed by retention, and only from there', async () => {
  app.clock.advance(370 * day)
  await addEvent()
  assert.equal(await sealEvents(app.ctx, 100), 1)
  app.clock.advance(30 * day)
  await cleanUp(app.ctx)
  const kept = await verify()
  assert.deepEqual([kept.broken, kept.seals], [[], 1])
  await run(sql`UPDATE audit_seals_removed SET number = 4, last_mac = (SELECT mac FROM audit_seals WHERE number = 4)`)
  await run(sql`DELETE FROM audit_seals`)
  assert.deepEqual(await broken(), [{ seal: 4, what: 'forged' }])
  await run(sql`DELETE FROM audit_seals_removed`)
  assert.deepEqual(await broken(), [{ seal: 4, what: 'missing' }])
})

test('after a time without events, the numbers continue', async () => {
  app.clock.advance(400 * day)
  await cleanUp(app.ctx)
  await addEvent()
  await sealEvents(app.ctx, 100)
  const found = await verify()
  assert.deepEqual([found.broken, found.seals], [[], 1])
  const { rows } = await sql<{ number: unknown }>`SELECT number FROM audit_seals`.execute(app.ctx.db)
  assert.equal(Number(rows[0]?.number), 4)
})

test('retention cannot be made to remove what is not old', async () => {
  await run(sql`UPDATE audit_seals SET sealed_at = sealed_at - interval '2 years', first_time = first_time - interval '2 years'
    WHERE number <= 2`)
  await cleanUp(app.ctx)
  assert.match(app.logged(), /"seal":2,"msg":"an audit seal does not verify: no seals were removed"/)
  assert.deepEqual(
    (await broken()).map(({ seal, what }) => `${seal} ${what}`),
    ['1 forged', '2 forged'],
  )
})

test('the retention record is signed again with a new key', async () => {
  app.clock.advance(400 * day)
  await cleanUp(app.ctx)
  const next = { id: 'next', key: Buffer.alloc(32, 9) }
  assert.deepEqual((await verify([next])).broken, [{ seal: 3, what: 'forged' }])
  await cleanUp({ ...app.ctx, dataKeys: [next, ...app.ctx.dataKeys] })
  assert.deepEqual((await verify([next])).broken, [])
})

test('the chain continues with a new key, and seals of a missing key are counted, not reported as invalid', async () => {
  const [old] = app.ctx.dataKeys
  const next = { id: 'next', key: Buffer.alloc(32, 9) }
  await run(
    sql`INSERT INTO audit_events (id, time, event, outcome, node) VALUES (${newId()}, now(), 'logout', 'success', 'node')`,
  )
  assert.equal(await sealEvents({ ...app.ctx, dataKeys: [next, ...(old ? [old] : [])] }, 100), 1)
  assert.deepEqual((await verify([next, ...app.ctx.dataKeys])).broken, [])
  const withoutOld = await verify([next])
  assert.deepEqual([withoutOld.broken, withoutOld.withoutKey], [[], 3])
  const stranger = await verify([{ id: 'next', key: Buffer.alloc(32, 8) }, ...app.ctx.dataKeys])
  assert.deepEqual(stranger.broken, [{ seal: 4, what: 'forged' }])
})

test('the end of the chain is also in the log', () => {
  assert.match(app.logged(), /"seal":3,"events":4,"mac":"[\w-]{16}"/)
})
