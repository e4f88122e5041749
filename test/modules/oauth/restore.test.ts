import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { backUp, newDirectory, openEmpty, restore } from '../../backup/support.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  addResource,
  isPublished,
  kidOf,
  oauthEnv,
  rotate,
  signed,
  startOAuth,
  superadmin,
  verifies,
} from './key-support.ts'

let app: TestApp
let jwt: string
before(async () => {
  app = await startOAuth()
  const root = await superadmin(app)
  await addResource(app)
  jwt = await signed(app)
  await rotate(app, root)
  await sql`INSERT INTO oauth_revoked_tokens (token_id, expires_at)
    VALUES (gen_random_uuid(), now() + interval '1 hour')`.execute(app.ctx.db)
  await sql`INSERT INTO oauth_clients (application_id, client_id, type, name, auth_method)
    SELECT application_id, 'files', 'resource_server', 'Files', 'client_secret' FROM oauth_resources`.execute(
    app.ctx.db,
  )
  await sql`INSERT INTO oauth_client_secrets (client_id, secret_hash, hint)
    SELECT id, '\\x01', 'wcs_…' FROM oauth_clients`.execute(app.ctx.db)
  await sql`INSERT INTO oauth_access_tokens (token_hash, client_id, client_epoch, expires_at)
    SELECT '\\x02', id, epoch, now() + interval '1 hour' FROM oauth_clients`.execute(app.ctx.db)
  await sql`INSERT INTO oauth_logouts (client_id, user_id, sid)
    SELECT id, gen_random_uuid(), 'a session' FROM oauth_clients`.execute(app.ctx.db)
})
after(() => app.stop())

const restored = async (t: TestContext, keep: { keepSessions?: boolean; keepKeys?: boolean } = {}) => {
  const database = await openEmpty(t)
  const file = join(await newDirectory(t), 'backup')
  await backUp(app, file)
  await restore(app, database, file, keep)
  const { rows } = await sql<{ tokens: number; revoked: number; secrets: number; logouts: number }>`SELECT
    (SELECT count(*)::int FROM oauth_access_tokens) AS tokens,
    (SELECT count(*)::int FROM oauth_revoked_tokens) AS revoked,
    (SELECT count(*)::int FROM oauth_client_secrets WHERE revoked_at IS NULL) AS secrets,
    (SELECT count(*)::int FROM oauth_logouts) AS logouts`.execute(database.db)
  const keys = await sql<{ status: string; sealed_private: string }>`SELECT status, sealed_private
    FROM oauth_keys`.execute(database.db)
  return { database, counts: rows[0], keys: keys.rows }
}

for (const keep of [{}, { keepKeys: true }, { keepSessions: true }])
  test(`a restore with ${JSON.stringify(keep)} withdraws all signing keys of the backup`, async (t) => {
    const { database, counts, keys } = await restored(t, keep)
    const left = 'keepSessions' in keep ? 1 : 0
    assert.deepEqual(counts, { tokens: left, revoked: left, secrets: 1, logouts: 0 })
    assert.deepEqual(keys, [
      { status: 'removed', sealed_private: '' },
      { status: 'removed', sealed_private: '' },
    ])
    const copy = await startTestApp({ database, clock: app.clock, env: oauthEnv })
    t.after(() => copy.stop())
    assert.equal(await isPublished(copy, jwt), false)
    assert.equal(await verifies(copy, jwt), false)
    const fresh = await signed(copy)
    assert.notEqual(kidOf(fresh), kidOf(jwt))
    assert.ok((await isPublished(copy, fresh)) && (await verifies(copy, fresh)))
  })
