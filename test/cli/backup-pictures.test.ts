// Setup: embedded database
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import { openInstallation } from './installation.ts'

const picture = `${'a'.repeat(32)}.webp`

async function openWithPicture(t: TestContext) {
  const { run, runProcess, env, at, settings } = await openInstallation(t)
  const { db, close } = await connectDatabase({
    url: undefined,
    poolMax: 1,
    dataDir: env.DATA_DIR,
    archive: undefined,
    onDown: () => {},
  })
  await sql`INSERT INTO pictures (name, user_id, created_at)
    SELECT ${picture}, id, now() FROM users`.execute(db)
  await close()
  return { run, runProcess, env, at, settings }
}

test('a backup without the pictures that the database refers to says so, and fails', async (t) => {
  const { run, env } = await openWithPicture(t)
  const made = await run(['backup', 'b'], { env })
  assert.equal(made.code, 1)
  assert.match(made.stderr, /Missing: 1 pictures that the database refers to/)
  const allowed = await run(['backup', 'c', '--allow-missing-pictures'], { env })
  assert.equal(allowed.code, 0, allowed.stderr)
})

test('a move to a directory copies the pictures that the database refers to, or does not happen', async (t) => {
  const { run, runProcess, env, at, settings } = await openWithPicture(t)
  const refused = await run(['move', '--to', at('new')], { env })
  assert.equal(refused.code, 1, refused.stdout)
  assert.match(refused.stderr, /Missing: 1 pictures(.|\n)*--allow-missing-pictures\. The original was not changed/)
  assert.equal((await run(['user', 'list'], { env })).code, 0, 'the original is in use')

  await writeFile(join(env.DATA_DIR, 'files', picture), 'RIFF')
  await writeFile(join(env.DATA_DIR, 'files', picture.replaceAll('a', 'b')), 'RIFF')
  const moved = await runProcess(['move', '--to', at('new')], { env })
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(moved.stdout, /Copied 1 files of pictures/)
  assert.deepEqual(await readdir(join(at('new'), 'files')), [picture])
  assert.equal((await run(['user', 'list'], { env: settings('new') })).code, 0)
})

test('a backup with pictures is not restored where pictures are off', async (t) => {
  const { run, env, at, settings } = await openWithPicture(t)
  await mkdir(join(env.DATA_DIR, 'files'), { recursive: true })
  await writeFile(join(env.DATA_DIR, 'files', picture), 'RIFF')
  const withPhrase = { BACKUP_PASSPHRASE: 'moss on the northern wall' }
  const made = await run(['backup', 'b', '--encrypt'], { env: { ...env, ...withPhrase } })
  assert.equal(made.code, 0, made.stderr)
  const refused = await run(['restore', 'b'], { env: { ...settings('new'), ...withPhrase, STORAGE_URL: 'off' } })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /contains pictures, but STORAGE_URL is off/)
  assert.deepEqual(readdirSync(at('new')), ['postgres'])
})
