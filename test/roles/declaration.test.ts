import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { operator } from '../../src/admin/principal.ts'
import { movePermission } from '../../src/roles/declaration/move-permission.ts'
import { secretsOf, superadminOf } from '../applications/support.ts'
import { assertError } from '../http/support.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { grant, validatedUser } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_ADMIN: '10000/1h', BRIDGE_RIGHTS: 'default:shop', RATE_LIMIT_BRIDGE_FAIL: '1000/1h' },
  })
})
after(() => app.stop())

let count = 0
/** An application with a secret that may declare its permissions. */
async function declaring(key = `app${++count}`) {
  const application = await secretsOf(await superadminOf(app), key)
  const { secret } = await application.create({ rights: ['permissions'] })
  const as = (value: string) => ({ headers: { 'x-bridge-secret': value } })
  const declare = (body: unknown, { path = key, value = secret, prune = false } = {}) =>
    app.call('PUT', `/auth/bridge/permissions/${path}${prune ? '?prune=true' : ''}`, { body, ...as(value) })
  return { key, secret, application, declare, read: `${key}:read`, write: `${key}:write` }
}
type Declaring = Awaited<ReturnType<typeof declaring>>

const permission = (key: string, more: object = {}) => ({ key, title: { es: 'Ver', en: 'See' }, ...more })
const role = (key: string, permissions: string[], more: object = {}) => ({ key, name: key, permissions, ...more })
const rolesOf = async ({ application }: Declaring) => {
  const { rows } = await sql<{ id: string; key: string; permissions: string[] }>`SELECT id, key, permissions FROM roles
    WHERE application_id = ${application.id} ORDER BY key`.execute(app.ctx.db)
  return rows
}
const keysOf = async () => (await sql<{ key: string }>`SELECT key FROM permissions`.execute(app.ctx.db)).rows.length

let one: Declaring
beforeEach(async () => {
  one = await declaring()
})

describe('a declaration', () => {
  test('contains names that are visible and do not reorder the text around them', async () => {
    for (const name of ['\u200b', 'a\u202eb', ' ']) {
      const { status, json } = await one.declare({ permissions: [], roles: [role('member', [], { name })] })
      assert.deepEqual([status, json.details?.[0].field], [400, 'roles.member.name'], JSON.stringify(name))
    }
    assert.deepEqual(await rolesOf(one), [])
  })

  test('creates permissions and roles, and does nothing the second time', async () => {
    const body = {
      application: one.key,
      permissions: [permission(one.read), permission(one.write, { sensitive: true })],
      roles: [role('member', [one.read]), role('all', [`${one.key}:*`, one.write])],
    }
    const first = await one.declare(body)
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(first.json.data.permissions.added, [one.read, one.write])
    assert.deepEqual(first.json.data.roles.added, ['all', 'member'])
    const user = await validatedUser(app)
    const [all] = await rolesOf(one)
    await grant(app, user.id, all?.id)
    assert.deepEqual((await user.validate()).permissions, [one.read, one.write])

    const audited = (await auditOf(app, 'permissions_applied')).length
    const second = await one.declare(body)
    assert.deepEqual(second.json.data.permissions, { added: [], changed: [], retired: [], removed: [] })
    assert.deepEqual(second.json.data.roles, { added: [], changed: [], removed: [] })
    assert.equal((await auditOf(app, 'permissions_applied')).length, audited)
    assert.equal((await auditOf(app, 'application_role_created')).at(-1)?.details.key, one.key)
  })

  test('retires what it no longer contains, and says who loses it', async () => {
    const roles = [role('member', [one.read, one.write])]
    await one.declare({ permissions: [permission(one.read), permission(one.write)], roles })
    const user = await validatedUser(app)
    const [member] = await rolesOf(one)
    await grant(app, user.id, member?.id)
    const { json } = await one.declare({ permissions: [permission(one.read)] })
    assert.deepEqual(json.data.permissions.retired, [one.write])
    assert.deepEqual(json.data.losing, [{ role: 'member', permissions: [one.write], users: 1 }])
    assert.deepEqual((await user.validate()).permissions, [one.read])
    // Roles keep it.
    assert.deepEqual((await rolesOf(one))[0]?.permissions, [one.read, one.write])
    await one.declare({ permissions: [permission(one.read), permission(one.write)] })
    assert.deepEqual((await user.validate()).permissions, [one.read, one.write])

    const pruned = await one.declare({ permissions: [permission(one.read)] }, { prune: true })
    assert.deepEqual(pruned.json.data.permissions.removed, [one.write])
    assert.deepEqual(pruned.json.data.roles.removed, ['member'])
    assert.equal((await user.validate()).roles, undefined)
  })

  test('with a permission of another application or of the service changes nothing', async () => {
    const other = await declaring()
    await other.declare({ permissions: [permission(other.read)] })
    const before = await keysOf()
    for (const key of [other.read, 'wardenry:users:read'])
      for (const prune of [false, true]) {
        const permissions = [permission(one.read), permission(key)]
        assertError(
          await one.declare({ permissions, roles: [role('extra', [one.read])] }, { prune }),
          409,
          'PERMISSION_TAKEN',
        )
      }
    assert.equal(await keysOf(), before)
    assert.deepEqual(await rolesOf(one), [])
  })

  test('does not give a role what is not declared', async () => {
    const other = await declaring()
    await other.declare({ permissions: [permission(other.read)] })
    await one.declare({ permissions: [permission(one.read), permission(one.write)] })
    await one.declare({ permissions: [permission(one.read)] })
    for (const listed of [one.write, other.read, `${other.key}:*`, '*', `${one.key}:re*`, 'wardenry:*', 'users:read']) {
      const { status, json } = await one.declare({
        permissions: [permission(one.read)],
        roles: [role('extra', [listed])],
      })
      assert.equal(status, 400, listed)
      assert.ok(JSON.stringify(json).includes(listed), listed)
    }
    const many = Array.from({ length: 10_000 }, (_, at) => `${one.key}:p${at}`)
    assert.equal((await one.declare({ permissions: [], roles: [role('extra', many)] })).status, 400)
    assert.equal((await one.declare({ permissions: many.map((key) => permission(key)) })).status, 400)
    assert.deepEqual(await rolesOf(one), [])
  })

  test('does not keep more than an application may have', async () => {
    const some = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${one.key}:${name}${at}`)
    const declare = (keys: string[], roles: object[] = [], prune = false) =>
      one.declare({ permissions: keys.map((key) => permission(key)), roles }, { prune })
    const [first, second] = [some('a', 150), some('b', 150)]
    assert.equal((await declare(first, [role('large', first)])).status, 200)
    assertError(await declare(second, [role('large', second)]), 400, 'VALIDATION_ERROR')
    assert.equal((await declare(second, [role('large', second)], true)).status, 200)
    const many = (name: string, count: number) => Array.from({ length: count }, (_, at) => role(`${name}${at}`, []))
    assert.equal((await declare(second, many('first', 60))).status, 200)
    assertError(await declare(second, many('second', 60)), 400, 'VALIDATION_ERROR')
    for (const [name, expected] of [
      ['c', 200],
      ['d', 400],
    ] as const)
      assert.equal((await declare(some(name, 1_000))).status, expected, name)
  })

  test('needs a secret of the application with the right, or an entry in the settings', async () => {
    const other = await declaring('shop')
    const { secret: weak } = await one.application.create({ rights: ['sessions', 'users', 'events'] })
    const body = { permissions: [] }
    assertError(await one.declare(body, { value: weak }), 403, 'FORBIDDEN')
    assertError(await one.declare(body, { path: 'shop' }), 403, 'FORBIDDEN')
    assertError(await one.declare(body, { path: 'unknown' }), 403, 'FORBIDDEN')
    assert.equal((await auditOf(app, 'authz_denied')).at(-1)?.details.application, 'unknown')
    assertError(await one.declare(body, { value: bridgeSecret }), 403, 'FORBIDDEN')
    assert.equal((await other.declare(body, { value: bridgeSecret })).status, 200)
    assertError(await one.declare({ ...body, application: 'shop' }), 400, 'VALIDATION_ERROR')
    await other.application.call('DELETE')
  })
})

test('a permission moves to another application, whose declaration then succeeds', async () => {
  const other = await declaring()
  await one.declare({ permissions: [permission(one.read)], roles: [role('reader', [`${one.key}:*`])] })
  const [reader] = await rolesOf(one)
  const user = await validatedUser(app)
  await grant(app, user.id, reader?.id)
  assert.deepEqual((await user.validate()).permissions, [one.read])
  const declaration = { permissions: [permission(one.read)], roles: [role('reader', [one.read])] }
  assertError(await other.declare(declaration), 409, 'PERMISSION_TAKEN')
  const move = (permission: string, application: string) =>
    movePermission(app.ctx, { principal: operator }, { permission, application })
  assert.equal(await move(one.read, other.key), one.key)
  assert.deepEqual((await user.validate()).permissions, [])
  assert.equal((await other.declare(declaration)).status, 200)
  await grant(app, user.id, (await rolesOf(other))[0]?.id)
  assert.deepEqual((await user.validate()).permissions, [one.read])
  assert.equal(await move(one.read, other.key), other.key, 'nothing to do')
  await assert.rejects(move('no:such', other.key), { code: 'NOT_FOUND' })
  await assert.rejects(move(one.read, 'no-such-application'), { code: 'VALIDATION_ERROR' })
  const [moved, ...others] = (await auditOf(app, 'permission_moved')) as { details: object }[]
  const details = { application: other.application.id, key: other.key, permission: one.read, from: one.key }
  assert.deepEqual([moved?.details, others], [details, []])
})
