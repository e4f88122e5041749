import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deleteOldUsage } from '../../src/admin/usage-queries.ts'
import { day, hour } from '../../src/lib/time.ts'
import { signedInBrowser } from '../screens/account/support.ts'
import { handedOver } from '../support/handover.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

let app: TestApp
let root: Superadmin
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '1000/1h' } })
  root = await superadminOf(app)
})
after(() => app.stop())

const overview = async () => {
  const support = await signedInAs(app, 'support')
  const { json } = await app.get('/auth/admin/overview', withSession(support.sessionToken))
  return json.data.applications
}
const usesOf = async (id: string) => {
  const { last_sign_in_at, sign_ins_last_day, sign_ins_last_month } = (await root.call('GET', `/${id}`)).json.data
  return [last_sign_in_at, sign_ins_last_day, sign_ins_last_month]
}

test('sign-ins are counted for each application, and the overview names those with the most', async () => {
  const [busy, quiet, unused] = [await create('busy'), await create('quiet'), await create('unused')]
  const ada = await registered(app)
  for (const key of ['busy', 'busy', 'quiet']) await handedOver(app, ada.sessionToken, `https://${key}.test/`)
  await handedOver(app, ada.sessionToken, 'https://shop.example/')
  await app.ctx.usage.flush()
  const at = new Date(app.clock.now()).toISOString()
  assert.deepEqual(await usesOf(busy), [at, 2, 2])
  assert.deepEqual(await usesOf(unused), [null, 0, 0])
  assert.deepEqual(await overview(), [
    { application_id: busy, key: 'busy', name: 'Name of busy', sign_ins: 2 },
    { application_id: quiet, key: 'quiet', name: 'Name of quiet', sign_ins: 1 },
  ])
  app.clock.advance(2 * day)
  const again = await superadminOf(app)
  const { sign_ins_last_day, sign_ins_last_month } = (await again.call('GET', `/${busy}`)).json.data
  assert.deepEqual([sign_ins_last_day, sign_ins_last_month, await overview()], [0, 2, []])
})

test('browsers that return to an application with the cookie of the service are counted', async () => {
  // The session of an earlier test may have expired.
  root = await superadminOf(app)
  const [gateway, other] = [await create('gateway'), await create('gateway-other')]
  const ada = await registered(app)
  const visitor = await signedInBrowser(app, ada)
  const open = async (query: Record<string, string>) =>
    (await visitor.open(`/login?${new URLSearchParams(query)}`)).headers.location
  assert.equal(await open({ return_to: 'https://gateway.test/private' }), 'https://gateway.test/private')
  assert.match(String(await open({ return_to: 'https://elsewhere.test/' })), /^(?!https:\/\/elsewhere)/)
  const code = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256', state: 's' }
  assert.match(String(await open({ return_to: 'https://gateway-other.test/', ...code })), /[?&]code=/)
  await app.ctx.usage.flush()
  const at = new Date(app.clock.now()).toISOString()
  assert.deepEqual(await usesOf(gateway), [at, 1, 1])
  assert.deepEqual(await usesOf(other), [null, 0, 0], 'the code was not redeemed')
})

test('the counts of applications that were erased are removed, the last use of the others stays', async () => {
  await app.ctx.db.deleteFrom('applications').where('key', '=', 'quiet').execute()
  const later = new Date(app.clock.now() + 40 * day + hour)
  assert.equal(await deleteOldUsage(app.ctx.db, later, 1_000), 1)
  assert.equal(await deleteOldUsage(app.ctx.db, later, 1_000), 0)
})

async function create(key: string): Promise<string> {
  const { id } = await root.create(key, { name: `Name of ${key}`, return_addresses: [`https://${key}.test`] })
  return id
}
