import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { watchStaffRoles } from '../../src/roles/watch-roles.ts'
import { signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
  const root = await signedInAs(app, 'superadmin')
  const body = { key: 'moderator', name: 'Moderator', permissions: ['users:read'] }
  const { status } = await app.call('POST', '/auth/admin/roles', { body, ...withSession(root.sessionToken) })
  assert.equal(status, 200)
})
after(() => app.stop())

const watch = (...USER_TYPES: string[]) => watchStaffRoles({ ...app.ctx, config: { USER_TYPES } }, [])

test('the service does not start if a user type of the settings has the name of a role', async () => {
  await assert.rejects(watch('partner', 'moderator'), /USER_TYPES contains moderator: there are roles with this name/)
  const { customRoles, may, stop } = await watch('partner')
  stop()
  assert.deepEqual(
    customRoles().map(({ key }) => key),
    ['moderator'],
  )
  assert.deepEqual([may('moderator', 'users:read'), may('partner', 'users:read')], [true, false])
})

test('a role keeps a permission that nothing declares any more, but the permission opens nothing', async () => {
  await app.ctx.db
    .updateTable('roles')
    .set({ permissions: ['users:read', 'shop:manage'] })
    .execute()
  const { may, permissionsOf, stop } = await watch()
  stop()
  assert.deepEqual(permissionsOf('moderator'), ['users:read'])
  assert.equal(may('moderator', 'shop:manage' as 'users:read'), false)
})
