import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { countInPart } from '../../src/backup/format.ts'
import { verifyBackup } from '../../src/backup/restore-backup.ts'
import { backUp, newDirectory } from '../backup/support.ts'
import { needsPostgres } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { registered } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'

describe('while a migration rewrites a table', needsPostgres, () => {
  test('a backup waits, and contains all rows of the table', async (t) => {
    const app = await startTestApp()
    await registered(app)
    const migration = new pg.Client({ connectionString: app.ctx.config.DATABASE_URL })
    await migration.connect()
    t.after(async () => {
      await migration.end()
      await app.stop()
    })
    await migration.query('BEGIN')
    await migration.query('ALTER TABLE users ADD COLUMN twice text GENERATED ALWAYS AS (email || email) STORED')
    const path = join(await newDirectory(t), 'backup')
    const backup = backUp(app, path)
    const isWaiting = async () =>
      (await migration.query("SELECT FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted")).rowCount === 1
    await eventually(isWaiting)
    await migration.query('COMMIT')
    await backup
    const { end } = await verifyBackup({ path, passphrase: undefined })
    assert.equal(countInPart(end, 'tables/users'), 1)
  })
})
