import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { backUp, newDirectory, openEmpty, restore } from '../../backup/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { createAccount, createAccountKey, createKey, keyEnv, path } from './support.ts'

let app: TestApp
let ada: SignedIn
let revoked: string
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: keyEnv })
  ada = await registered(app)
  const root = await signedInAs(app, 'superadmin')
  revoked = (await createKey(app, ada)).id
  const account = await createAccount(app, root, [ada])
  assert.equal((await createAccountKey(app, root, account.id)).status, 200)
})
after(() => app.stop())

const restored = async (t: TestContext, keep: { keepSessions?: boolean; keepKeys?: boolean } = {}) => {
  const target = await openEmpty(t)
  const file = join(await newDirectory(t), 'backup')
  await backUp(app, file)
  const { keys } = await restore(app, target, file, keep)
  const { rows } = await sql<{ live: number; epoch: number }>`SELECT
    (SELECT count(*)::int FROM api_keys WHERE ended_at IS NULL) AS live,
    (SELECT min(epoch)::float8 FROM (SELECT epoch FROM api_keys UNION ALL SELECT epoch FROM service_accounts) e)
      AS epoch`.execute(target.db)
  return { keys, live: rows[0]?.live, epoch: rows[0]?.epoch ?? 0 }
}

test('a restore ends all keys, because they may have been revoked since, and raises all epochs', async (t) => {
  const { keys, live, epoch } = await restored(t)
  assert.deepEqual([keys, live], [2, 0])
  assert.ok(epoch > 1_000_000_000, 'later than any cached epoch')
})

test('a restore keeps keys with --keep-keys or --keep-sessions', async (t) => {
  for (const keep of [{ keepKeys: true }, { keepSessions: true }]) {
    const { keys, live, epoch } = await restored(t, keep)
    assert.deepEqual([keys, live], [0, 2])
    assert.ok(epoch > 1_000_000_000)
  }
})

test('all keys end together, with an event for each holder', async () => {
  assert.equal(await app.ctx.endModuleCredentials(), 2)
  assert.equal(await app.ctx.endModuleCredentials(), 0)
  const reply = await app.get(path, withSession(ada.sessionToken))
  assert.deepEqual(
    reply.json.data.keys.map((one: { id: string; end_reason: string }) => [one.id, one.end_reason]),
    [[revoked, 'all_ended']],
  )
  const events = (await auditOf(app, 'api_key_revoked')).filter(({ details }) => details.reason === 'all_ended')
  assert.deepEqual(events.map(({ target_id }) => target_id).toSorted(), [ada.id, null])
})
