import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { lockNumber } from '../../src/db/advisory-locks.ts'
import { startService } from '../support/child.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { call, needsPostgres, newDatabase, newDeployment, startNodes } from './nodes.ts'

const migrations = readdirSync(new URL('../../src/db/migrations/', import.meta.url)).sort()
const admin = { ADMIN_EMAIL: 'grace@example.com', ADMIN_PASSWORD: 'moths around the relay' }

describe('nodes that start together on an empty database', needsPostgres, () => {
  for (const count of [2, 5]) {
    test(`${count} of them: every migration once, one superadmin, all ready within 15 s`, async (t) => {
      const started = performance.now()
      const nodes = await startNodes(count, admin, await newDatabase())
      t.after(nodes.stop)
      for (const url of nodes.urls) assert.equal((await call(`${url}/health/ready`)).status, 200)
      const took = performance.now() - started
      t.diagnostic(`${count} nodes ready after ${Math.round(took)} ms`)
      assert.ok(took < 15_000)
      const { query } = nodes.database
      const applied = await query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY version')
      assert.deepEqual(
        applied.map(({ name }) => name),
        migrations,
      )
      const events = await query("SELECT 1 FROM audit_events WHERE event = 'migration_applied'")
      assert.ok(events.length >= 1)
      assert.equal((await query("SELECT 1 FROM users WHERE user_type = 'superadmin'")).length, 1)
      assert.equal((await query("SELECT 1 FROM audit_events WHERE event = 'first_admin_created'")).length, 1)
    })
  }
})

describe('a node that starts', needsPostgres, () => {
  const startOn = async (t: TestContext, settings: Record<string, string> = {}) => {
    const database = await newDatabase()
    t.after(database.drop)
    return { database, start: () => startService({ ...newDeployment(), DATABASE_URL: database.url, ...settings }) }
  }

  test('after one that was killed between the migrations and the job queue finishes its work', async (t) => {
    const { database, start } = await startOn(t)
    await (await start()).stop()
    await database.query('DROP SCHEMA jobs CASCADE')
    const service = await start()
    assert.equal((await call(`${service.url}/health/ready`)).status, 200)
    await service.stop()
  })

  test('waits for the migrations of another one, however long they take', async (t) => {
    const { database, start } = await startOn(t)
    const other = await database.connect()
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockNumber('migrations')})`)
    const starting = start()
    const isWaiting = await Promise.race([
      starting.then(() => false),
      fixedWait(5_500, 'the start must not finish').then(() => true),
    ])
    await other.query('ROLLBACK')
    assert.equal(isWaiting, true)
    await (await starting).stop()
  })

  test('refuses to start while migrations are pending and AUTO_MIGRATE is false, and says what to do', async (t) => {
    const { database, start } = await startOn(t, { AUTO_MIGRATE: 'false' })
    await assert.rejects(start(), /ended with code 1:\n.*AUTO_MIGRATE is false: run "wardenry migrate" first/)
    assert.deepEqual(await database.query("SELECT 1 FROM pg_class WHERE relname = 'users'"), [])
  })
})
