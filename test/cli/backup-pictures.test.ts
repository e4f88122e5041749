import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import { openInstallation } from './installation.ts'

test('a backup without the pictures that the database refers to says so, and fails', async (t) => {
  const { run, env } = await openInstallation(t)
  const { db, close } = await connectDatabase({
    url: undefined,
    poolMax: 1,
    dataDir: env.DATA_DIR,
    archive: undefined,
    onDown: () => {},
  })
  await sql`INSERT INTO pictures (name, user_id, created_at)
    SELECT ${`${'a'.repeat(32)}.webp`}, id, now() FROM users`.execute(db)
  await close()
  const made = await run(['backup', 'b'], { env })
  assert.equal(made.code, 1)
  assert.match(made.stderr, /Missing: 1 pictures that the database refers to/)
  const allowed = await run(['backup', 'c', '--allow-missing-pictures'], { env })
  assert.equal(allowed.code, 0, allowed.stderr)
})
