import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { createByAdmin } from '../../src/admin/create-by-admin.ts'
import { endSessionsByAdmin } from '../../src/admin/end-by-admin.ts'
import { operator } from '../../src/admin/principal.ts'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { updateByAdmin } from '../../src/admin/update-by-admin.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeEach(async () => {
  await app?.stop()
  app = await startTestApp()
})
after(() => app?.stop())

const setRole = (targetId: string, user_type: string) =>
  updateByAdmin(app.ctx, { ...operator, targetId }, { user_type })

const roles = async () =>
  (await sql<{ user_type: string }>`SELECT user_type FROM users ORDER BY user_type`.execute(app.ctx.db)).rows.map(
    (row) => row.user_type,
  )

async function setUp(link: string | undefined) {
  const token = new URL(link ?? 'none:').searchParams.get('token')
  const { email, password } = person('grace')
  return app.post('/auth/setup', { token, email, password })
}

test('an operator who appoints the first superadmin makes the set-up link useless', async () => {
  const ada = await registered(app)
  const link = await createSetupLink(app.ctx)
  assert.ok(link)
  await setRole(ada.id, 'superadmin')
  assert.equal((await setUp(link)).status, 404)
  assert.equal(await createSetupLink(app.ctx), undefined)
  assert.deepEqual(await roles(), ['superadmin'])
})

test('an operator who creates the first superadmin makes the set-up link useless', async () => {
  const link = await createSetupLink(app.ctx)
  await createByAdmin(app.ctx, operator, { ...person(), user_type: 'superadmin' })
  assert.equal((await setUp(link)).status, 404)
  assert.deepEqual(await roles(), ['superadmin'])
})

test('an operator who appoints somebody else leaves the set-up link as it is', async () => {
  const ada = await registered(app)
  const link = await createSetupLink(app.ctx)
  await setRole(ada.id, 'admin')
  await createByAdmin(app.ctx, operator, { ...person(), user_type: 'admin' })
  assert.equal((await setUp(link)).status, 200)
})

test('operators demoting two superadmins at the same moment leave one', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  for (const { id } of [ada, grace]) await setRole(id, 'superadmin')
  const results = await Promise.allSettled([ada, grace].map(({ id }) => setRole(id, 'customer')))
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual(await roles(), ['customer', 'superadmin'])
  const [denied] = await auditOf(app, 'authz_denied')
  assert.deepEqual(
    [denied?.actor_id, denied?.actor_role, denied?.details],
    [null, 'command_line', { deed: 'change_role', code: 'LAST_SUPERADMIN' }],
  )
})

test('a change by an operator ends cached sessions at once and names the command line', async () => {
  const ada = await registered(app)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
  assert.equal(await endSessionsByAdmin(app.ctx, { ...operator, targetId: ada.id }), 1)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  const [ended] = await auditOf(app, 'session_ended')
  assert.deepEqual(
    [ended?.actor_id, ended?.actor_role, ended?.target_id, ended?.method, ended?.ip],
    [null, 'command_line', ada.id, null, null],
  )
})
