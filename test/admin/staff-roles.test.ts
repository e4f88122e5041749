import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corePermissions, type DeclaredPermissions } from '../../src/config/staff-permissions.ts'
import { createStaffRoles } from '../../src/http/access/staff-roles.ts'
import { routesOf } from '../../src/http/server/create-server.ts'
import { startTestApp } from '../support/test-app.ts'

const config = { USER_TYPES: ['partner'] }
const staff = createStaffRoles(config, [])

test('each built-in role has the permissions of the ones before it, and other types have none', () => {
  assert.deepEqual(staff.typesWith('users:read'), ['support', 'admin', 'superadmin'])
  assert.deepEqual(staff.typesWith('users:delete'), ['admin', 'superadmin'])
  assert.deepEqual(staff.typesWith('settings:write'), ['superadmin'])
  for (const type of ['customer', 'writer', 'partner', 'former', '', 'constructor', '__proto__'])
    for (const permission of Object.keys(corePermissions) as (keyof typeof corePermissions)[])
      assert.equal(staff.may(type, permission), false, `${type} ${permission}`)
})

test('an added role has its permissions, and nothing by the name of a user type in a setting', () => {
  const added = createStaffRoles(config, [], [{ key: 'moderator', name: 'Moderator', permissions: ['users:read'] }])
  assert.equal(added.admits({ permission: 'users:read' }, 'moderator'), true)
  assert.equal(added.admits({ roles: ['moderator', 'admin'] }, 'moderator'), false)
  assert.equal(staff.admits({ roles: ['partner', 'admin'] }, 'partner'), true)
})

test('types cover those that may do no more', () => {
  const types = ['customer', 'support', 'admin', 'superadmin']
  for (const [rank, type] of types.entries())
    for (const [other, otherType] of types.entries()) assert.equal(staff.covers(type, otherType), other <= rank)
})

test('unknown types count as staff, so that their sessions are short', () => {
  assert.deepEqual(
    ['customer', 'writer', 'partner', 'support', 'former', ''].map((type) => staff.isStaff(type)),
    [false, false, false, true, true, true],
  )
})

test('a module cannot redefine a permission, or give one to a role that does not exist', () => {
  const withModule = (permissions: object) => createStaffRoles(config, [permissions as DeclaredPermissions])
  assert.throws(() => withModule({ 'users:read': 'support' }), /users:read is declared twice/)
  for (const role of ['admni', 'customer', '', undefined, 'constructor'])
    assert.throws(() => withModule({ 'shop:manage': role }), /shop:manage is given to/, String(role))
})

test('every administration route requires a permission that is declared, and every permission has a route', async () => {
  const app = await startTestApp({ modules: ['onboarding', 'privacy', 'two-factor', 'api-keys', 'blog', 'post-types'] })
  try {
    const used = new Set<string>()
    for (const { method, url, rule } of routesOf(app.http)) {
      const { permission } = rule.access
      if (permission) used.add(permission)
      if (url.startsWith('/auth/admin/'))
        assert.ok(permission && app.ctx.staff.isDeclared(permission), `${method} ${url}`)
    }
    const needless = Object.keys(corePermissions).filter((name) => !used.has(name))
    assert.deepEqual(needless, [])
  } finally {
    await app.stop()
  }
})
