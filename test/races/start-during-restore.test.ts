import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { restoreTables } from '../../src/backup/restore.ts'
import { verifyBackup } from '../../src/backup/restore-backup.ts'
import { waitForLock } from '../../src/db/advisory-locks.ts'
import { withdrawRestore } from '../../src/db/installation-marks.ts'
import { bringUpToDate } from '../../src/db/open-database.ts'
import { backUp, loaded, newDirectory, openEmpty, restore } from '../backup/support.ts'
import { needsPostgres } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { registered } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'

describe('during a restore', needsPostgres, () => {
  test('a service that starts waits, and refuses the database that is not completely restored', async (t) => {
    const app = await startTestApp()
    t.after(() => app.stop())
    await registered(app)
    const path = join(await newDirectory(t), 'backup')
    await backUp(app, path)
    const target = await openEmpty(t)
    const file = { path, passphrase: undefined }
    const verified = await verifyBackup(file)
    const exists = async (query: string) => (await sql.raw(query).execute(target.db)).rows.length > 0

    let restoring: Promise<unknown> = Promise.resolve()
    let starting: Promise<unknown> = Promise.resolve()
    await target.alone((db) =>
      db.transaction().execute(async (tx) => {
        // The restore waits until this transaction ends because it creates a table with the same name.
        await sql`CREATE TABLE users (id integer)`.execute(tx)
        restoring = restoreTables(target, { modules: loaded(), now: new Date(), onProgress: () => {}, file, verified })
        // `pg_locks` shows these locks without a database, and tests in other databases wait for them as well.
        await eventually(() =>
          exists(`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
            WHERE locktype = 'transactionid' AND NOT granted AND datname = current_database()`),
        )
        await assert.rejects(bringUpToDate(app.ctx.config, app.ctx.log, target), /is being restored or moved/)
        // Removes the restore marker so that the next start does not detect the restore in its first check.
        await withdrawRestore(target.db)
        starting = bringUpToDate(app.ctx.config, app.ctx.log, target)
        starting.catch(() => {})
        await eventually(() =>
          exists(`SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND query LIKE '%pg_try_advisory_xact_lock%' AND state LIKE 'idle in transaction%'`),
        )
        await sql`DROP TABLE users`.execute(tx)
      }),
    )
    await restoring
    await assert.rejects(starting, /not completely restored/)
  })

  test('a second restore of the same backup is refused', async (t) => {
    const app = await startTestApp()
    t.after(() => app.stop())
    const path = join(await newDirectory(t), 'backup')
    await backUp(app, path)
    const target = await openEmpty(t)
    await target.alone((db) =>
      db.transaction().execute(async (tx) => {
        await waitForLock(tx, 'restore')
        await assert.rejects(restore(app, target, path), /Another restore or move is running/)
      }),
    )
    await restore(app, target, path)
  })
})
