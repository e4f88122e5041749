import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { hour, second } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { declaringApplication, grant, settle, validatedUser } from './support.ts'

let app: TestApp
let user: Awaited<ReturnType<typeof validatedUser>>
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '10000/1h' } })
})
beforeEach(async () => {
  user = await validatedUser(app)
})
after(() => app.stop())

const run = async (text: string, id: string) => {
  await sql`${sql.raw(text)} WHERE ${sql.ref(text.startsWith('DELETE FROM user_roles') ? 'user_id' : 'id')} = ${id}`.execute(
    app.ctx.db,
  )
  await settle(app, user.id)
}

let count = 0
const billing = (more: Partial<Parameters<typeof declaringApplication>[2]> = {}) => {
  const key = `billing${++count}`
  return declaringApplication(app, key, {
    permissions: [`${key}:read`, `${key}:write`, { key: `${key}:pay`, sensitive: true }],
    roles: { reader: [`${key}:read`], writer: [`${key}:*`], payer: [`${key}:pay`, `${key}:gone`] },
    ...more,
  })
}

test('without application roles, responses contain nothing about them', async () => {
  const response = await user.validate()
  for (const member of ['roles', 'permissions', 'owners']) assert.equal(member in response, false, member)
  const { json } = await app.get('/auth/session/current', withSession(user.sessionToken))
  for (const member of ['roles', 'permissions']) assert.equal(member in json, false, member)
})

describe('a user with an application role', () => {
  test('has its permissions in all responses, and the role is an owner', async () => {
    const { key, roles } = await billing()
    const plain = await user.validateInList()
    await grant(app, user.id, roles.reader)
    const expected = { roles: [`${key}:reader`], permissions: [`${key}:read`] }
    for (const response of [await user.validate(), await user.validate(), await user.validateInList()])
      assert.deepEqual(
        [response.roles, response.permissions, response.owners],
        [expected.roles, expected.permissions, [user.id, roles.reader]],
      )
    const headers = { 'x-session-id': user.sessionToken, 'x-bridge-secret': bridgeSecret }
    for (const path of ['/auth/session/current', '/auth/user/me']) {
      const { json } = await app.get(path, { headers })
      assert.deepEqual({ roles: json.roles, permissions: json.permissions }, expected, path)
    }
    const first = await user.validateInList(plain.tag)
    assert.equal(first.unchanged, undefined)
    assert.equal((await user.validateInList(first.tag)).unchanged, true)
    await run(`UPDATE roles SET permissions = '{${key}:write}'`, roles.reader!)
    const second = await user.validateInList(first.tag)
    assert.deepEqual(second.permissions, [`${key}:write`])
  })

  test('has all permissions that a pattern covers, except sensitive and retired ones', async () => {
    const { key, roles } = await billing()
    await grant(app, user.id, roles.writer)
    assert.deepEqual((await user.validate()).permissions, [`${key}:read`, `${key}:write`])
    await sql`UPDATE permissions SET retired_at = now() WHERE key = ${`${key}:read`}`.execute(app.ctx.db)
    await settle(app)
    assert.deepEqual((await user.validate()).permissions, [`${key}:write`])
    await sql`UPDATE permissions SET sensitive = true WHERE key = ${`${key}:write`}`.execute(app.ctx.db)
    await settle(app)
    assert.deepEqual((await user.validate()).permissions, [])
    await grant(app, user.id, roles.payer)
    assert.deepEqual((await user.validate()).permissions, [`${key}:pay`])
  })

  test('has no permission of another application, whatever the role lists', async () => {
    const [one, other] = [await billing(), await billing()]
    await run(`UPDATE roles SET permissions = '{${other.key}:read,${other.key}:*}'`, one.roles.reader!)
    await grant(app, user.id, one.roles.reader)
    assert.deepEqual((await user.validate()).permissions, [])
  })

  test('shows each application its own roles only', async () => {
    const [one, other] = [await billing(), await billing()]
    await grant(app, user.id, one.roles.reader)
    await grant(app, user.id, other.roles.payer)
    const { secret } = await one.create({ rights: ['sessions', 'users'] })
    for (const response of [await user.validate(secret), await user.validateInList('', secret)]) {
      assert.deepEqual([response.roles, response.permissions], [['reader'], [`${one.key}:read`]])
      assert.deepEqual(response.owners, [user.id, one.roles.reader])
    }
    const headers = { 'x-session-id': user.sessionToken, 'x-bridge-secret': secret }
    assert.deepEqual((await app.get('/auth/user/me', { headers })).json.roles, ['reader'])
    assert.deepEqual((await user.validate()).roles, [`${one.key}:reader`, `${other.key}:payer`])
    const verified = await user.verify({ permission: `${other.key}:pay` }, '/auth/verify', secret)
    assertError(verified, 403, 'FORBIDDEN')
  })

  test('loses the role when it is revoked, deleted or over, and when the application is disabled', async () => {
    const { key, roles, superadmin, id } = await billing()
    const rolesNow = async () => (await user.validate()).roles
    await grant(app, user.id, roles.reader)
    assert.deepEqual(await rolesNow(), [`${key}:reader`])
    await run('DELETE FROM user_roles', user.id)
    assert.equal(await rolesNow(), undefined)

    await grant(app, user.id, roles.payer)
    await superadmin.call('POST', `/${id}/disable`)
    assert.equal(await rolesNow(), undefined)
    await superadmin.call('POST', `/${id}/enable`)
    assert.deepEqual(await rolesNow(), [`${key}:payer`])
    await run('DELETE FROM roles', roles.payer!)
    assert.equal(await rolesNow(), undefined)

    await grant(app, user.id, roles.writer, new Date(app.clock.now() + hour))
    assert.deepEqual(await rolesNow(), [`${key}:writer`])
    app.clock.advance(hour - 2 * second)
    assert.deepEqual(await rolesNow(), [`${key}:writer`])
    app.clock.advance(2 * second)
    assert.equal(await rolesNow(), undefined)
  })

  test('passes a gateway that requires the permission', async () => {
    const { key, roles } = await billing()
    const permission = `${key}:read`
    assertError(await user.verify({ permission }), 403, 'FORBIDDEN')
    await grant(app, user.id, roles.reader)
    const passed = await user.verify({ permission, permissions: 'true' })
    assert.deepEqual([passed.status, passed.headers['x-auth-permissions']], [200, permission])
    assert.equal((await user.verify({ permission })).headers['x-auth-permissions'], undefined)
    assertError(await user.verify({ permission: `${key}:write` }), 403, 'FORBIDDEN')
    assert.equal((await user.verify({ permission: 'No' })).status, 400)
    // There, the query is the visitor's.
    const visited = await user.verify({ permission: `${key}:write`, permissions: 'true' }, '/auth/verify/for/page')
    assert.deepEqual([visited.status, visited.headers['x-auth-permissions']], [200, undefined])
  })

  test('gets no header of permissions that is longer than 4 KiB', async () => {
    const key = 'long'
    const permissions = Array.from({ length: 60 }, (_, at) => `${key}:${'x'.repeat(70)}${at}`)
    const { roles } = await declaringApplication(app, key, { permissions, roles: { all: [`${key}:*`] } })
    await grant(app, user.id, roles.all)
    const { status, headers } = await user.verify({ permissions: 'true', permission: permissions[59]! })
    assert.deepEqual([status, headers['x-auth-permissions']], [200, undefined])
  })
})

test('a default role is that of every user', async () => {
  const { key, id, superadmin } = await billing({ default: 'reader' })
  assert.deepEqual((await user.validate()).permissions, [`${key}:read`])
  await superadmin.call('POST', `/${id}/disable`)
  assert.equal((await user.validate()).permissions, undefined)
})

test('a session that was read after a change of roles waits for the roles', async () => {
  const { key, roles } = await billing()
  await grant(app, user.id, roles.reader)
  // The node has not heard of the change.
  await sql`UPDATE roles SET permissions = ${[`${key}:write`]}::text[] WHERE id = ${roles.reader}`.execute(app.ctx.db)
  assert.deepEqual((await user.validate()).permissions, [`${key}:write`])
})

test('while the roles cannot be read, a changed session is neither accepted nor rejected', async () => {
  const { roles } = await billing()
  await grant(app, user.id, roles.reader)
  await sql`ALTER TABLE permissions RENAME TO unreadable`.execute(app.ctx.db)
  await sql`UPDATE role_version SET version = version + 1`.execute(app.ctx.db)
  await settle(app)
  assert.equal((await user.validate()).code, 'UNAVAILABLE')
  await sql`ALTER TABLE unreadable RENAME TO permissions`.execute(app.ctx.db)
  assert.equal((await user.validate()).roles.length, 1)
})
