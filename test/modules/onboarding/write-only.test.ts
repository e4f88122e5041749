import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mailWith, tokenAfter } from '../../email-addresses/change-support.ts'
import { assertError, declaredRoutes } from '../../http/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../../support/test-app.ts'
import { downloadPath } from '../privacy/support.ts'
import { acquisition, asPerson, keptOf } from './support.ts'

// test/support/watch-leaks.ts searches the responses to `app.call`, the log and, at the end, the database for values of
// write-only members. The tests in this file exercise every function that could reveal them.

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['onboarding', 'privacy'],
    env: { LOG_REQUESTS: 'all', CLIENT_COMPAT: 'true', RATE_LIMIT_EXPORT: '1000/1h' },
  })
})
after(() => app.stop())

const canary = 'canary-Hq7vTz2m'
const members = { ...acquisition(canary), team_size_range: '501-1000' }

test('no route shows it to anybody: neither to the owner, nor to administrators, nor to back ends', async () => {
  const ada = await registered(app)
  const boss = await signedInAs(app, 'superadmin')
  assert.equal((await asPerson(app, ada).complete(members)).status, 200)
  assert.deepEqual(await keptOf(app, ada), members)
  assert.equal((await exportedBy(ada)).onboarding.status, 'completed')
  const routes = declaredRoutes(app).filter(({ method }) => method === 'GET')
  assert.ok(routes.length > 20)
  let shown = 0
  for (const { url } of routes) {
    for (const { sessionToken } of [ada, boss]) {
      const headers = { 'x-session-id': sessionToken, 'x-bridge-secret': bridgeSecret }
      const { status } = await app.get(url.replace(/:\w+/g, ada.id), { headers })
      if (status === 200) shown++
    }
  }
  assert.ok(shown > 20, `${shown} routes showed something`)
})

/** The data export behind the link that the user receives by email. */
async function exportedBy({ sessionToken, email }: SignedIn) {
  assert.equal((await app.post('/auth/user/me/privacy/exports', {}, withSession(sessionToken))).status, 200)
  const token = tokenAfter(await mailWith(app, email, downloadPath), downloadPath)
  return (await app.get(`${downloadPath}?token=${token}&format=json`)).json
}

test('no rejection, no conflict and no failure shows it, and no log of them', async () => {
  const ada = await registered(app)
  const { complete, post } = asPerson(app, ada)
  await app.post(`/api/v1/onboarding/complete?acquisition_source=${canary}-query`, members)
  assertError(await complete({ ...members, biz_country: 'x', name: 5 }), 400, 'VALIDATION_ERROR')
  assertError(
    await complete(`${JSON.stringify(members).slice(0, -1)}, "acquisition_source": "${canary} twice"}`),
    400,
    'VALIDATION_ERROR',
  )
  assertError(await complete(JSON.stringify(members).slice(0, -1)), 400, 'VALIDATION_ERROR')
  assertError(await post('/steps/one/complete', { deep: members }), 400, 'VALIDATION_ERROR')
  await app.database.query(
    'ALTER TABLE user_acquisition ADD CONSTRAINT refuses_all CHECK (acquired_at IS NULL) NOT VALID',
    [],
  )
  assertError(await complete(members), 500, 'INTERNAL_ERROR')
  await app.database.query('ALTER TABLE user_acquisition DROP CONSTRAINT refuses_all', [])
  await app.database.query('ALTER TABLE user_acquisition RENAME TO lost', [])
  assertError(await complete(members), 500, 'INTERNAL_ERROR')
  await app.database.query('ALTER TABLE lost RENAME TO user_acquisition', [])
  assert.deepEqual(await keptOf(app, ada), {})
  assert.equal((await asPerson(app, ada).me()).first_time, true)
})

test('no log holds it in any writing', () => {
  const log = app.logged()
  assert.ok(log.includes('"msg":"request"') && log.includes('request failed'), 'the log is a real one')
  for (const value of Object.values(members).filter((one) => one.includes(canary)))
    for (const written of [encodeURIComponent(value), Buffer.from(value).toString('base64').replace(/=+$/, '')])
      assert.ok(!log.includes(written), value)
  assert.ok(!log.includes(canary))
})
