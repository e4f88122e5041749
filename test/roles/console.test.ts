import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { adminTextsFor } from '../../src/ui/console/texts/index.ts'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { registered, withSession } from '../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

const list = '/admin/roles'
const newPath = `${list}/new`

let app: TestApp
before(async () => {
  const env = {
    RATE_LIMIT_ADMIN: '100000/1h',
    RATE_LIMIT_READ: '100000/1m',
    MAIL_CAP: '1000/1h',
    USER_TYPES: 'partner',
  }
  app = await startTestApp({ env })
})
after(() => app.stop())

const words = ({ text }: Reply) => textOf(text).replaceAll(/\s+/g, ' ')
const boxes = (...permissions: string[]) => Object.fromEntries(permissions.map((one) => [`can_${one}`, 'on']))
const offered = ({ text }: Reply) => [...text.matchAll(/name="can_([^"]+)"/g)].map(([, name = '']) => name)
const checked = ({ text }: Reply) => [...text.matchAll(/name="can_([^"]+)" checked/g)].map(([, name = '']) => name)

let count = 0
async function newRole(...permissions: string[]) {
  const root = await staffOf(app, 'superadmin')
  const key = `role-${++count}`
  const given = { key, name: `Role <${count}>`, permissions }
  const { status, json } = await app.post('/auth/admin/roles', given, withSession(root.sessionToken))
  assert.equal(status, 200, JSON.stringify(json))
  const { id } = json.data as { id: string }
  return { id, key, page: `${list}/${id}`, root }
}

test('a superadmin adds a limited role, gives it to a new user, changes and deletes it', async () => {
  const root = await staffOf(app, 'superadmin')
  assert.match((await root.open('/admin')).text, /href="\/admin\/roles"/)
  const empty = await root.open(newPath)
  assert.deepEqual(offered(empty).toSorted(), app.ctx.staff.permissionsOf().toSorted())
  assert.deepEqual(checked(empty), ['users:read'])
  const created = await root.send(newPath, { name: 'Spam modérator', ...boxes('users:read', 'users:block') })
  const page = String(created.headers.location).replace('?done=created', '')
  const shown = await root.open(`${page}?done=created`)
  assert.match(words(shown), /The role was created\..* Invite a user with this role/)
  assert.deepEqual(checked(shown), ['users:read', 'users:block'])
  assert.match(shown.text, /<code>spam-moderator<\/code>/)
  const invite = '/admin/people/new?role=spam-moderator'
  assert.ok(shown.text.includes(`href="${invite}"`))
  assert.match((await root.open(invite)).text, /value="spam-moderator" selected/)

  const listed = await root.open(list)
  assert.match(words(listed), /Spam modérator spam-moderator · 0 users 2 permissions Block and unblock users See users/)
  assert.ok(listed.text.includes('href="/admin/people?role=spam-moderator"'))
  assert.match(words(listed), /Support Built-in .* Superadmin Built-in/)

  await root.open(page)
  const changed = await root.send(page, { name: 'Moderator', description: 'Blocks spam', ...boxes('users:block') })
  assert.equal(changed.headers.location, `${page}?done=changed`)
  assert.match(words(await root.open(`${page}?done=changed`)), /Moderator Blocks spam .*The role was changed/)
  assert.deepEqual(app.ctx.staff.permissionsOf('spam-moderator'), ['users:block'])

  await root.open(`${page}/delete`)
  assert.equal((await root.send(`${page}/delete`)).headers.location, `${list}?done=deleted`)
  assert.match(words(await root.open(`${list}?done=deleted`)), /The role was deleted/)
  assert.equal((await root.open(page)).status, 404)
})

test('rejected input keeps what was typed and marks its field', async () => {
  const root = await staffOf(app, 'superadmin')
  await root.open(newPath)
  const typed = { name: 'Named <b>', key: 'partner', description: 'x'.repeat(301), ...boxes('audit:read') }
  const rejected = await root.send(newPath, typed)
  assert.equal(rejected.status, 400)
  assert.match(rejected.text, /value="Named &lt;b&gt;"/)
  assert.deepEqual(checked(rejected), ['audit:read'])
  assert.match(words(rejected), /Enter one line with at most 300 characters/)
  const taken = await root.send(newPath, { ...typed, description: '' })
  assert.match(words(taken), /Another role or user type must not have the same key/)
  const unnamed = await root.send(newPath, { name: '日本' })
  assert.equal(unnamed.status, 400)
  assert.match(words(unnamed), /Enter 2 to 40 lowercase letters/)
})

test('viewers are offered only what they may give, and only roles that they may change', async () => {
  const own = await newRole('users:read', 'users:block', 'roles:manage', 'users:export')
  const [fewer, more] = [await newRole('users:block'), await newRole('audit:read')]
  const member = await staffOf(app, own.key)
  assert.deepEqual(offered(await member.open(newPath)), ['users:read', 'users:block'])
  const { text } = await member.open(list)
  assert.deepEqual(
    [fewer, more, own].map(({ page }) => text.includes(`href="${page}"`)),
    [true, false, false],
  )
  for (const { page } of [more, own])
    for (const path of [page, `${page}/delete`]) assert.equal((await member.open(path)).status, 403, path)
  assert.equal((await member.open(`${list}/${'0'.repeat(8)}`)).status, 404)
  const shown = await member.open(fewer.page)
  assert.doesNotMatch(words(shown), /Invite a user/)
  await member.open(newPath)
  assert.equal((await member.send(newPath, { name: 'Forged', ...boxes('audit:read') })).status, 403)
  assert.ok(!app.ctx.staff.customRoles().some(({ name }) => name === 'Forged'))
})

test('a permission that the viewer cannot give can still be removed', async () => {
  const own = await newRole('users:read', 'roles:manage', 'users:export')
  const other = await newRole('users:read', 'users:export')
  const member = await staffOf(app, own.key)
  const shown = await member.open(other.page)
  assert.deepEqual(checked(shown), ['users:read', 'users:export'])
  await member.send(other.page, { name: 'Less', ...boxes('users:read') })
  assert.deepEqual(app.ctx.staff.permissionsOf(other.key), ['users:read'])
  assert.deepEqual(offered(await member.open(other.page)), ['users:read'])
})

test('the pages exist only for viewers who manage roles and may read them', async () => {
  for (const permissions of [['users:read'], ['roles:manage'], ['roles:manage', 'audit:read']]) {
    const member = await staffOf(app, (await newRole(...permissions)).key)
    assert.equal((await member.open(list)).status, 403, permissions.join())
    assert.doesNotMatch((await member.open('/admin/audit')).text, /href="\/admin\/roles"/)
  }
  const admin = await staffOf(app, 'admin')
  assert.equal((await admin.open(newPath)).status, 403)
})

test('an edit conflict shows the current values, and a late confirmation keeps the typed ones', async () => {
  const { page, root, id } = await newRole('users:read')
  await root.open(page)
  const change = { name: 'Changed elsewhere', permissions: ['users:read', 'audit:read'] }
  await app.call('PUT', `/auth/admin/roles/${id}`, { body: change, ...withSession(root.sessionToken) })
  const conflict = await root.send(page, { name: 'Mine', ...boxes('users:block') })
  assert.equal(conflict.status, 409)
  assert.match(words(conflict), /Somebody else changed this role/)
  assert.match(conflict.text, /value="Changed elsewhere"/)
  assert.deepEqual(checked(conflict), ['users:read', 'audit:read'])
  assert.equal((await root.send(page, { name: 'Mine', ...boxes('users:read') })).status, 303)

  const late = await staffOf(app, 'superadmin')
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + minute)
  await late.open(page)
  const asked = await late.send(page, { name: 'Kept', ...boxes('users:block') })
  assert.match(words(asked), /Nothing was changed yet.* Confirm in a new tab/)
  assert.match(asked.text, /value="Kept"/)
  assert.deepEqual(checked(asked), ['users:block'])
})

test('a role in use is not deleted, and its users are linked', async () => {
  const { page, key, root } = await newRole('users:read')
  await root.open(`${page}/delete`)
  await staffOf(app, key)
  const rejected = await root.send(`${page}/delete`)
  assert.equal(rejected.status, 409)
  assert.match(words(rejected), /1 user has this role\. Give that user another role first/)
  for (const path of [`/admin/people?role=${key}`, `/admin/people?role=${key}&amp;deleted=true`])
    assert.ok(rejected.text.includes(`href="${path}"`), path)
  assert.doesNotMatch((await root.open(`${page}/delete`)).text, /class="danger"/)
})

test('other pages show the name of a role and what its users may do', async () => {
  const { key, root } = await newRole('overview:read', 'users:read', 'blog:manage')
  const member = await staffOf(app, key)
  const rights = 'Can do only this: see the overview with its figures; see users; manage all posts, comments and tags.'
  const name = `Role <${count}>`
  assert.ok(words(await member.open('/admin')).includes(rights))
  const user = words(await root.open(`/admin/people/${member.id}`))
  assert.ok(user.includes(name) && user.includes(rights))
  assert.ok(words(await root.open(`/admin/people?role=${key}`)).includes(`Role: ${name}`))
  const customer = await registered(app)
  const path = `/admin/people/${customer.id}/role`
  assert.ok(words(await root.open(path)).includes(rights))
  const question = await root.send(path, { user_type: key })
  assert.ok(words(question).includes(rights), 'a role with permissions is confirmed')
  await root.send(path, { user_type: key, confirmed: 'yes' })
  assert.ok(words(await root.open(`/admin/people/${customer.id}?done=role`)).includes(name))
})

test('a role cannot be mistaken for another one with the same name', async () => {
  const root = await staffOf(app, 'superadmin')
  const session = withSession(root.sessionToken)
  for (const [key, name] of [
    ['false-friend', 'Superadmin'],
    ['twin', 'Twins'],
    ['other-twin', 'Twins'],
  ])
    await app.post('/auth/admin/roles', { key, name, permissions: [] }, session)
  const { text } = await root.open('/admin/people/new')
  for (const label of ['Superadmin', 'Superadmin (false-friend)', 'Twins (twin)', 'Twins (other-twin)'])
    assert.ok(text.includes(`>${label}</option>`), label)
})

test('a link preselects no role with more rights than an administrator', async () => {
  const root = await staffOf(app, 'superadmin')
  const { key } = await newRole('users:read', 'settings:write')
  for (const role of [key, 'superadmin', 'support', 'none'])
    assert.match((await root.open(`/admin/people/new?role=${role}`)).text, /value="customer" selected/, role)
})

test('every permission is described in both languages', () => {
  const declared = app.ctx.staff.permissionsOf().toSorted()
  for (const lang of ['en', 'es']) {
    const known = { ...app.ctx.modules.permissionWords(lang), ...adminTextsFor(lang).roles.permissions }
    assert.deepEqual(Object.keys(known).toSorted(), declared, lang)
  }
})
