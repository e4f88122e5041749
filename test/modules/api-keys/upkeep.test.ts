import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { cleanUp } from '../../../src/jobs/clean-up.ts'
import { day, hour, iso } from '../../../src/lib/time.ts'
import { apiKeys } from '../../../src/modules/api-keys/manifest.ts'
import { mailsWith, mailWith } from '../../email-addresses/change-support.ts'
import { registered, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { recordedEvents } from '../../support/service-events.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { accountsPath, createAccount, createAccountKey, createKey, keyEnv, keysOf, path } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: keyEnv })
})
after(() => app.stop())

const run = () => cleanUp(app.ctx, apiKeys.cleanupJobs)

test('the end of a key is announced a week and a day before, and then recorded', async () => {
  const ada = await registered(app)
  const { id, hint } = await createKey(app, ada)
  const announced = () => mailsWith(app, ada.email, 'is valid until').length
  const at = async (days: number) => {
    app.clock.advance(days * day)
    await run()
  }
  await at(22)
  assert.equal(announced(), 0)
  await at(1)
  assert.match(await mailWith(app, ada.email, 'is valid until'), new RegExp(hint))
  await at(5)
  assert.equal(announced(), 1)
  await at(1)
  await mailWith(app, ada.email, 'is valid until', 1)
  await run()
  assert.equal(announced(), 2)
  await at(1)
  await mailWith(app, ada.email, 'it has expired')
  const [expired] = (await auditOf(app, 'api_key_expired')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual(expired?.details, { keys: [id] })
  assert.deepEqual(
    (await recordedEvents(app)).filter(({ type }) => type === 'key.expired').map(({ data }) => data),
    [{ key_id: id, user_id: ada.id, service_account_id: null }],
  )
})

test('a key that is valid for a week is announced only a day before', async () => {
  const ada = await registered(app)
  await createKey(app, ada, { ends_at: iso(app.clock.now() + 7 * day) })
  await run()
  assert.equal(mailsWith(app, ada.email, 'is valid until').length, 0)
  app.clock.advance(6 * day + hour)
  await run()
  await mailWith(app, ada.email, 'is valid until')
})

test('a key that was replaced ends without emails', async () => {
  const ada = await registered(app)
  const { id } = await createKey(app, ada)
  assert.equal((await app.post(`${path}/${id}/rotate`, {}, withSession(ada.sessionToken))).status, 200)
  await run()
  app.clock.advance(day)
  await run()
  const former = (await keysOf(app, ada)).find((one: { id: string }) => one.id === id)
  assert.deepEqual([former.status, former.end_reason], ['ended', 'rotated'])
  assert.equal(mailsWith(app, ada.email, former.hint).length, 1, 'only the email about its creation')
})

test('ended keys, their uses and deleted accounts are erased after 90 days', async () => {
  const [ada, root] = [await registered(app), await signedInAs(app, 'superadmin')]
  const { id } = await createKey(app, ada)
  const live = await createKey(app, ada, { ends_at: iso(app.clock.now() + 360 * day) })
  const account = await createAccount(app, root, [ada])
  const service = await createAccountKey(app, root, account.id)
  for (const key of [id, live.id])
    await sql`INSERT INTO api_key_uses VALUES (${key}, ${iso(app.clock.now()).slice(0, 10)}, 1)`.execute(app.ctx.db)
  await app.call('DELETE', `${path}/${id}`, withSession(ada.sessionToken))
  await app.call('DELETE', `${accountsPath}/${account.id}`, withSession(root.sessionToken))
  const left = async () => {
    const ids = [id, live.id, service.json.data.id, account.id]
    const { rows } = await sql<{ id: string }>`SELECT id FROM api_keys WHERE id = ANY(${ids}::uuid[])
      UNION ALL SELECT id FROM service_accounts WHERE id = ANY(${ids}::uuid[])
      UNION ALL SELECT key_id FROM api_key_uses WHERE key_id = ANY(${ids}::uuid[])`.execute(app.ctx.db)
    return rows.length
  }
  app.clock.advance(90 * day - hour)
  await run()
  assert.equal(await left(), 6)
  app.clock.advance(2 * day)
  await run()
  assert.equal(await left(), 1)
})
