import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { backUp, newDirectory } from '../backup/support.ts'
import { needsPostgres } from '../nodes/nodes.ts'
import { registered } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'

describe('with row level security', needsPostgres, () => {
  test('a backup fails instead of leaving out rows', async (t) => {
    const app = await startTestApp()
    await registered(app)
    // Row security does not apply to superusers such as the owner of these tables, so another role reads them.
    const role = `reader_${process.pid}`
    await app.database.exec(`CREATE ROLE ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role};
      ALTER TABLE users ENABLE ROW LEVEL SECURITY`)
    t.after(async () => {
      await app.database.exec(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
      await app.stop()
    })
    const alone: typeof app.database.alone = (work) =>
      app.database.alone((db) =>
        db.connection().execute(async (connection) => {
          await sql.raw(`SET ROLE ${role}`).execute(connection)
          return work(connection)
        }),
      )
    const path = join(await newDirectory(t), 'backup')
    await assert.rejects(backUp({ ...app, database: { ...app.database, alone } }, path), /row-level security/)
  })
})
