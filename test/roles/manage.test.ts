import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let root: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '10000/1h', USER_TYPES: 'partner', MAIL_CAP: '1000/1h' } })
  root = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

const base = '/auth/admin/roles'
const as = (who: SignedIn) => (method: string, path: string, body?: unknown) =>
  app.call(method, path, { body, ...withSession(who.sessionToken) })

let count = 0
async function newRole(permissions: string[], key = `role-${++count}`) {
  const { status, json } = await as(root)('POST', base, { key, name: `Name of ${key}`, permissions })
  assert.equal(status, 200, JSON.stringify(json))
  return json.data as { id: string; key: string; updated_at: string }
}

/** A user with a new role. */
async function limitedTo(...permissions: string[]) {
  const role = await newRole(permissions)
  const who = await signedInAs(app, role.key)
  return { ...who, role, call: as(who) }
}

describe('a role', () => {
  test('gives its users exactly its permissions, from the next request on', async () => {
    const [target, moderator] = [await registered(app), await limitedTo('users:read', 'users:block')]
    const block = () => moderator.call('POST', `/auth/admin/users/${target.id}/block`, { reason: 'spam' })
    assert.equal((await moderator.call('GET', `/auth/admin/users/${target.id}`)).status, 200)
    assert.equal((await block()).status, 200)
    for (const [method, path, body] of [
      ['DELETE', `/auth/admin/users/${target.id}`],
      ['POST', `/auth/admin/users/${target.id}/restore`],
      ['PUT', `/auth/admin/users/${target.id}`, { name: 'X' }],
      ['GET', '/auth/admin/audit'],
      ['GET', '/auth/admin/settings'],
      ['POST', base, { key: 'mine', name: 'Mine', permissions: [] }],
    ] as const)
      assertError(await moderator.call(method, path, body), 403, 'FORBIDDEN', `${method} ${path}`)
    const denied = (await auditOf(app, 'authz_denied')).at(-1)
    assert.deepEqual([denied?.actor_id, denied?.details.route], [moderator.id, `POST ${base}`])

    const change = await as(root)('PUT', `${base}/${moderator.role.id}`, { permissions: ['users:read'] })
    assert.deepEqual(change.json.data.permissions, ['users:read'])
    assertError(await block(), 403, 'FORBIDDEN')
    // By hand, without a message to the node.
    await sql`UPDATE roles SET permissions = '{users:block}' WHERE id = ${moderator.role.id}`.execute(app.ctx.db)
    assert.equal((await block()).status, 200)
    assertError(await moderator.call('GET', `/auth/admin/users/${target.id}`), 403, 'FORBIDDEN')
  })

  test('has the short sessions of staff', async () => {
    const moderator = await limitedTo('users:read')
    const { json } = await moderator.call('GET', '/auth/session/current')
    const left = Date.parse(json.session?.expiresAt ?? json.expiresAt ?? json.data?.expires_at) - app.clock.now()
    assert.ok(left <= app.ctx.config.ADMIN_SESSION_IDLE_TTL, JSON.stringify(json))
  })

  test('is recorded with its difference and announced to superadmins', async () => {
    const other = await signedInAs(app, 'superadmin')
    const { id, key } = await newRole(['users:read'])
    assert.match((await app.mailTo(other.email, 1)).text, /users:read/)
    const change = (body: object) => as(root)('PUT', `${base}/${id}`, body)
    await change({ permissions: ['audit:read'], name: 'Auditor' })
    assert.match((await app.mailTo(other.email, 2)).text, /Auditor[\s\S]*audit:read/)
    const { details } = (await auditOf(app, 'staff_role_updated')).at(-1)!
    assert.deepEqual(details, {
      role: key,
      changed: ['name', 'permissions'],
      added: ['audit:read'],
      removed: ['users:read'],
    })
    await change({ permissions: ['audit:read'], name: 'Auditor' })
    assert.equal((await auditOf(app, 'staff_role_updated')).filter((one) => one.details.role === key).length, 1)
    assert.equal((await as(root)('DELETE', `${base}/${id}`)).status, 200)
    assert.deepEqual((await auditOf(app, 'staff_role_deleted')).at(-1)?.details, {
      role: key,
      permissions: ['audit:read'],
    })
    assertError(await change({ name: 'Gone' }), 404, 'NOT_FOUND')
  })

  test('is listed with the number of its users, after the built-in ones', async () => {
    const { role } = await limitedTo('users:read')
    const { roles, permissions } = (await as(root)('GET', base)).json.data
    assert.deepEqual(
      roles.slice(0, 3).map(({ key, id, built_in }: Record<string, unknown>) => [key, id, built_in]),
      ['support', 'admin', 'superadmin'].map((key) => [key, null, true]),
    )
    const found = roles.find(({ id }: { id: string }) => id === role.id)
    assert.deepEqual([found.users, found.permissions, found.built_in], [1, ['users:read'], false])
    assert.deepEqual(
      permissions.find(({ key }: { key: string }) => key === 'roles:manage'),
      { key: 'roles:manage', sensitive: true },
    )
    const support = await signedInAs(app, 'support')
    assert.equal((await as(support)('GET', base)).status, 200)
  })

  test('that a user has is not deleted, not even while the user is', async () => {
    const { role, id } = await limitedTo('users:read')
    const remove = () => as(root)('DELETE', `${base}/${role.id}`)
    assert.match(assertedText(await remove()), /^One user has this role/)
    assert.equal((await as(root)('DELETE', `/auth/admin/users/${id}`)).status, 200)
    assertedText(await remove())
    function assertedText(reply: Awaited<ReturnType<typeof remove>>): string {
      assertError(reply, 409, 'ROLE_IN_USE')
      return reply.json.error
    }
  })

  test('is not overwritten by an editor who has not seen the latest change', async () => {
    const { id, updated_at } = await newRole(['users:read'])
    const change = (name: string) => as(root)('PUT', `${base}/${id}`, { name, expected_updated_at: updated_at })
    assert.equal((await change('First')).status, 200)
    assertError(await change('Second'), 409, 'EDIT_CONFLICT')
  })

  test('needs a key that no user type and no user has, and permissions that exist', async () => {
    const former = await registered(app)
    await sql`UPDATE users SET user_type = 'former' WHERE id = ${former.id}`.execute(app.ctx.db)
    const { key } = await newRole([])
    for (const [input, field] of [
      ...['admin', 'superadmin', 'support', 'customer', 'writer', 'partner', 'former', key].map(
        (taken) => [{ key: taken }, 'key'] as const,
      ),
      ...['A', 'a', '1a', 'a b', 'ä', '__proto__', 'x'.repeat(41)].map((wrong) => [{ key: wrong }, 'key'] as const),
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(81) }, 'name'],
      [{ name: '\u200b' }, 'name'],
      [{ name: 'Sup\u200bport' }, 'name'],
      [{ permissions: ['users:raed'] }, 'permissions'],
      [{ permissions: ['users:*'] }, 'permissions'],
      [{ permissions: ['*'] }, 'permissions'],
      [{ permissions: ['toString'] }, 'permissions'],
      [{ permissions: Array.from({ length: 5_000 }, (_, index) => `users:${index}`) }, 'permissions'],
    ] as const) {
      const body = { key: 'free', name: 'Free', permissions: [], ...input }
      const reply = await as(root)('POST', base, body)
      assert.equal(assertError(reply, 400, 'VALIDATION_ERROR', JSON.stringify(input))?.[0]?.field, field)
    }
    assert.ok(!(await as(root)('GET', base)).text.includes('"free"'))
  })

  test('is changed only after a recent authentication', async (t) => {
    const { id } = await newRole([])
    const now = app.ctx.clock.now()
    t.mock.method(app.ctx.clock, 'now', () => now + app.ctx.config.REAUTH_WINDOW + minute)
    for (const [method, path] of [
      ['POST', base],
      ['PUT', `${base}/${id}`],
      ['DELETE', `${base}/${id}`],
    ] as const)
      assertError(
        await as(root)(method, path, { key: 'late', name: 'Late', permissions: [] }),
        403,
        'REAUTH_REQUIRED',
        method,
      )
  })
})

describe('a limited administrator', () => {
  test('changes nobody who may do more, and gives nobody more than they have', async () => {
    const may = ['users:read', 'users:update', 'users:set_role', 'users:block', 'users:create', 'users:bulk']
    const editor = await limitedTo(...may)
    const [ada, colleague] = [await registered(app), await limitedTo('users:read')]
    const stronger = await limitedTo('users:read', 'audit:read')
    const update = (id: string, body: object) => editor.call('PUT', `/auth/admin/users/${id}`, body)
    assert.equal((await update(ada.id, { name: 'Ada' })).status, 200)
    assert.equal((await update(colleague.id, { name: 'Colleague' })).status, 200)
    const admin = await signedInAs(app, 'admin')
    for (const { id } of [stronger, admin, root]) {
      assertError(await update(id, { name: 'X' }), 403, 'FORBIDDEN')
      assertError(await update(id, { user_type: 'customer' }), 403, 'FORBIDDEN')
      assertError(await editor.call('POST', `/auth/admin/users/${id}/block`, { reason: 'x' }), 403, 'FORBIDDEN')
      const { json } = await editor.call('POST', '/auth/admin/users/bulk', {
        action: 'set_role',
        ids: [id],
        user_type: 'customer',
      })
      assert.equal(json.data.results[0].code, 'FORBIDDEN')
    }
    for (const user_type of ['support', 'admin', 'superadmin', stronger.role.key]) {
      assertError(await update(ada.id, { user_type }), 403, 'FORBIDDEN', user_type)
      assertError(await update(editor.id, { user_type }), 403, 'FORBIDDEN', user_type)
      const created = await editor.call('POST', '/auth/admin/users', {
        email: `x-${user_type}@example.com`,
        user_type,
        send_invite: true,
      })
      assertError(created, 403, 'FORBIDDEN', user_type)
      const { json } = await editor.call('POST', '/auth/admin/users/bulk', {
        action: 'set_role',
        ids: [ada.id],
        user_type,
      })
      assert.equal(json.data.results[0].code, 'FORBIDDEN', user_type)
    }
    for (const path of ['/auth/profile', '/auth/user/me'])
      for (const name of ['user_type', 'userType', 'role']) await editor.call('PUT', path, { [name]: 'superadmin' })
    assert.equal((await as(root)('GET', `/auth/admin/users/${editor.id}`)).json.data.user.user_type, editor.role.key)
    assert.equal((await update(ada.id, { user_type: colleague.role.key })).status, 200)
  })

  test('creates staff only with the permission to set roles', async () => {
    const creator = await limitedTo('users:read', 'users:create')
    const create = (email: string, user_type: string) =>
      creator.call('POST', '/auth/admin/users', { email, user_type, send_invite: true })
    assert.equal((await create('new-customer@example.com', 'customer')).status, 200)
    const { key } = await newRole([])
    assertError(await create('new-staff@example.com', key), 403, 'FORBIDDEN')
  })

  test('manages roles only below their own, and no sensitive permissions', async () => {
    const manager = await limitedTo('users:read', 'users:block', 'roles:manage', 'users:export')
    const [weak, strong] = [await newRole(['users:read']), await newRole(['users:read', 'audit:read'])]
    const change = (id: string, permissions: string[]) => manager.call('PUT', `${base}/${id}`, { permissions })
    assert.equal((await change(weak.id, ['users:read', 'users:block'])).status, 200)
    for (const [id, permissions] of [
      [weak.id, ['audit:read']],
      [weak.id, ['users:export']],
      [weak.id, ['roles:manage']],
      [strong.id, []],
      [manager.role.id, ['users:read']],
      [manager.role.id, ['users:read', 'users:block', 'roles:manage', 'users:export', 'settings:write']],
    ] as const)
      assertError(await change(id, [...permissions]), 403, 'FORBIDDEN', permissions.join())
    const create = (permissions: string[]) =>
      manager.call('POST', base, { key: `by-${++count}`, name: 'By', permissions })
    assert.equal((await create(['users:block'])).status, 200)
    assertError(await create(['users:export']), 403, 'FORBIDDEN')
    assertError(await create(['users:unlock']), 403, 'FORBIDDEN')
    assertError(await manager.call('DELETE', `${base}/${strong.id}`), 403, 'FORBIDDEN')
  })

  test('has permissions of applications, webhooks and settings like any other', async () => {
    const operator = await limitedTo('applications:read', 'applications:manage', 'webhooks:manage', 'settings:read')
    const shop = { key: 'operated', name: 'Operated', kind: 'website' }
    assert.equal((await operator.call('POST', '/auth/admin/applications', shop)).status, 200)
    assert.equal((await operator.call('GET', '/auth/admin/webhooks')).status, 200)
    assert.equal((await operator.call('GET', '/auth/admin/settings')).status, 200)
    assertError(await operator.call('PUT', '/auth/admin/settings', {}), 403, 'FORBIDDEN')
    const reader = await limitedTo('applications:read')
    assert.equal((await reader.call('GET', '/auth/admin/applications')).status, 200)
    assertError(await reader.call('POST', '/auth/admin/applications', { ...shop, key: 'read' }), 403, 'FORBIDDEN')
  })

  test('stops acting as a user when the role loses a permission', async () => {
    const actor = await limitedTo('users:read', 'users:impersonate')
    const ada = await registered(app)
    const begin = await actor.call('POST', `/auth/admin/users/${ada.id}/impersonate`, { reason: 'support' })
    assert.equal(begin.status, 200, begin.text)
    const impersonated = begin.json.sessionId ?? begin.json.data.sessionId
    const profile = () => app.get('/auth/profile', withSession(impersonated))
    assert.equal((await profile()).status, 200)
    await as(root)('PUT', `${base}/${actor.role.id}`, { permissions: ['users:read'] })
    assert.equal((await profile()).status, 401, 'at once on this node')
    assertError(
      await actor.call('POST', `/auth/admin/users/${ada.id}/impersonate`, { reason: 'again' }),
      403,
      'FORBIDDEN',
    )
  })

  test('sees only the pages that the role opens', async () => {
    const moderator = await limitedTo('users:read', 'users:block', 'audit:read')
    const cookie = `session_id=${moderator.sessionToken}`
    const page = (path: string) => app.get(path, { headers: { cookie } })
    const { status, text } = await page('/admin/people')
    assert.equal(status, 200)
    for (const hidden of ['/admin/settings', '/admin/webhooks', '/admin/messages', '/admin/people/new'])
      assert.ok(!text.includes(`href="${hidden}"`), hidden)
    assert.equal((await page('/admin/settings')).status, 403)
    assert.equal((await page('/admin/people/new')).status, 403)
  })
})

test('a user type that is no longer in USER_TYPES has no permission, even one with the name of a former role', async () => {
  const { sessionToken, role } = await limitedTo('users:read')
  await sql`DELETE FROM roles WHERE id = ${role.id}`.execute(app.ctx.db)
  assertError(await app.get('/auth/admin/users', withSession(sessionToken)), 403, 'FORBIDDEN')
})
