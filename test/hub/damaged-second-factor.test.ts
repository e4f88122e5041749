import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { install } from '../support/modules.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { requireSecondFactor } from '../support/second-factor.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const env = { TWO_FACTOR_REQUIRED_FOR: 'admin,superadmin' }
let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'], env })
})
after(() => app?.stop())
beforeEach(() => install(app, 'two-factor', { repair_missing: true }))

const damage = async () => {
  await sql`ALTER TABLE two_factor DROP COLUMN IF EXISTS last_step`.execute(app.ctx.db)
  await app.hub.installed.refresh()
}
const codeOfLogin = async (somebody: SignedIn) => {
  const { status, json } = await app.post('/auth/login', somebody)
  return [status, json.code ?? json.requires_2fa]
}

test('whoever must confirm is not let in without, and the others are', async () => {
  const [admin, owner, ada] = [await signedInAs(app, 'admin'), await registered(app), await registered(app)]
  await requireSecondFactor(app, owner.id)
  await damage()
  assert.deepEqual(await codeOfLogin(admin), [503, 'UNAVAILABLE'])
  assert.deepEqual(await codeOfLogin(owner), [503, 'UNAVAILABLE'])
  assert.deepEqual(await codeOfLogin(ada), [200, false])
  const { rows } = await sql`SELECT id FROM sessions WHERE user_id IN (${admin.id}, ${owner.id})`.execute(app.ctx.db)
  assert.equal(rows.length, 2, 'the sessions of their registrations, and no others')
})

test('a session that nobody confirmed stays no way to what an administrator may do', async () => {
  const admin = await signedInAs(app, 'admin')
  await damage()
  const refused = await app.get('/auth/users', withSession(admin.sessionToken))
  assert.deepEqual([refused.status, refused.json.code], [401, 'TWO_FACTOR_REQUIRED'])
})

test('a module that was installed in another scope is missed as well', async () => {
  const admin = await signedInAs(app, 'admin')
  await sql`UPDATE module_hub_registry SET runtime_scope = 'elsewhere'`.execute(app.ctx.db)
  await damage()
  assert.deepEqual(await codeOfLogin(admin), [503, 'UNAVAILABLE'])
})

test('after the repair they confirm again', async () => {
  const admin = await signedInAs(app, 'admin')
  await damage()
  await install(app, 'two-factor', { repair_missing: true })
  assert.deepEqual(await codeOfLogin(admin), [200, true])
})

test('switched off, the module asks nobody, damaged or not', async () => {
  const off = await startTestApp({ modules: ['two-factor'], env: { ...env, TWO_FACTOR_ENABLED: 'false' } })
  try {
    const admin = await signedInAs(off, 'admin')
    await sql`ALTER TABLE two_factor DROP COLUMN last_step`.execute(off.ctx.db)
    await off.hub.installed.refresh()
    assert.equal((await off.post('/auth/login', admin)).json.requires_2fa, false)
  } finally {
    await off.stop()
  }
})
