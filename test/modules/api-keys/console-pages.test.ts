import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../../screens/all-pages.ts'
import { staffOf } from '../../screens/console/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { createAccount, createAccountKey, createKey, keyEnv, keysOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: { ...keyEnv, RATE_LIMIT_LOGIN: '100/15m' } })
})
after(() => app.stop())

const list = '/admin/service-accounts'
const reading = 'wardenry:users:read'
const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')

test('a superadmin adds a service account, whose key is shown once, replaced and revoked', async () => {
  const [root, owner] = [await staffOf(app, 'superadmin'), await registered(app)]
  assert.match(words((await root.open(list)).text), /There are no service accounts/)
  const form = await root.open(`${list}/new`)
  assert.match(words(form.text), /See users/)
  const typed = { name: 'Deploy <b>', description: '', owners: `${owner.email}\n${root.email}` }
  const added = await root.send(`${list}/new`, { ...typed, ends_on: '2099-01-31', [`scope_${reading}`]: 'on' })
  assert.equal(added.status, 303, added.text)
  const [path = ''] = /^[^?]+/.exec(added.headers.location ?? '') ?? []
  assert.match(added.headers.location ?? '', /\/admin\/service-accounts\/[0-9a-f-]{36}\?done=created$/)
  const page = words((await root.open(added.headers.location ?? '')).text)
  assert.match(page, /Deploy <b> .*Create a key for it now.*has no keys/)
  assert.ok(page.includes(owner.email) && page.includes(root.email))

  const created = await root.send(`${path}/keys`, { name: 'ci', days: '7', [`scope_${reading}`]: 'on' })
  const [key = ''] = /wks_[0-9A-Za-z]{49}/.exec(created.text) ?? []
  assert.notEqual(key, '')
  const later = await root.open(path)
  assert.ok(!later.text.includes(key))
  assert.match(words(later.text), /ci Valid .* See users .* Never used/)
  const [id = ''] = /name="key_id" value="([^"]+)"/.exec(later.text)?.slice(1) ?? []
  const rotated = await root.send(`${path}/act`, { action: 'rotate', key_id: id })
  assert.match(rotated.text, /wks_[0-9A-Za-z]{49}/)
  const revoked = await root.send(`${path}/act`, { action: 'revoke', key_id: id })
  assert.equal(revoked.headers.location, `${path}?done=revoked`)
  assert.match(words((await root.open(list)).text), /Deploy <b> Enabled .* 1 valid key Valid until .* Never used/)
})

test('a service account is edited, disabled and deleted', async () => {
  const root = await staffOf(app, 'superadmin')
  const { id } = await createAccount(app, root, [root])
  const path = `${list}/${id}`
  await root.open(path)
  const typed = { name: 'Renamed', owners: root.email, [`scope_${reading}`]: 'on', 'scope_wardenry:audit:read': 'on' }
  const edited = await root.send(`${path}/edit`, typed)
  assert.equal(edited.headers.location, `${path}?done=changed`)
  assert.match(words((await root.open(path)).text), /Renamed .* Read the audit trail, See users/)
  assert.equal((await root.send(`${path}/act`, { action: 'disable' })).headers.location, `${path}?done=disabled`)
  assert.match(words((await root.open(path)).text), /Disabled .* Enable/)
  await root.open(`${path}/delete`)
  assert.equal((await root.send(`${path}/delete`, {})).headers.location, `${list}?done=deleted`)
  assert.equal((await root.open(path)).status, 404)
})

test('rejected entries are kept, and an owner is only found by the whole address', async () => {
  const [root, owner] = [await staffOf(app, 'superadmin'), await registered(app)]
  await root.open(`${list}/new`)
  const typed = { name: 'kept', owners: owner.email.slice(1), [`scope_${reading}`]: 'on' }
  const wrong = await root.send(`${list}/new`, typed)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /value="kept"/)
  assert.match(wrong.text, /name="scope_wardenry:users:read" checked/)
  assert.match(words(wrong.text), /Enter the email addresses of one to three users/)
})

test('readers see service accounts without forms, and others have no page', async () => {
  const root = await signedInAs(app, 'superadmin')
  const account = await createAccount(app, root, [root])
  await createAccountKey(app, root, account.id)
  const admin = await staffOf(app, 'admin')
  assert.ok(!(await admin.open(list)).text.includes(`${list}/new`))
  const { text } = await admin.open(`${list}/${account.id}`)
  assert.ok(text.includes('deploy') && !text.includes(`${list}/${account.id}/act`))
  for (const page of [`${list}/new`, `${list}/${account.id}/delete`])
    assert.equal((await admin.open(page)).status, 403, page)
  const support = await staffOf(app, 'support')
  assert.equal((await support.open(list)).status, 403)
})

test('a form of another site changes nothing', async () => {
  const root = await staffOf(app, 'superadmin')
  const { id } = await createAccount(app, root, [root])
  const path = `${list}/${id}`
  await root.open(path)
  await root.send(`${path}/act`, { action: 'disable', form_token: 'x' })
  assert.match(words((await root.open(path)).text), /Enabled/)
})

test('the page of a user lists their keys, and an administrator ends one of them', async () => {
  const [root, ada] = [await staffOf(app, 'superadmin'), await registered(app)]
  const kept = await createKey(app, ada, { name: 'kept' })
  const ended = await createKey(app, ada, { name: 'ended' })
  const path = `/admin/people/${ada.id}`
  assert.match(words((await root.open(path)).text), /API keys .*kept.*Never used/)
  assert.match((await root.open(`${path}/revoke-keys`)).text, new RegExp(`value="${ended.id}"`))
  const revoked = await root.send(`${path}/revoke-keys`, { key_id: ended.id })
  assert.equal(revoked.headers.location, `${path}?done=revoke-keys`)
  const keys = (await keysOf(app, ada)) as { id: string; status: string }[]
  assert.deepEqual(
    keys.map(({ id, status }) => [id, status]),
    [
      [kept.id, 'active'],
      [ended.id, 'ended'],
    ],
  )
})

test('the details of a user contain keys only for those who may see keys', async () => {
  const ada = await registered(app)
  await createKey(app, ada)
  const detailsFor = async (viewer: SignedIn) =>
    (await app.get(`/auth/admin/users/${ada.id}`, withSession(viewer.sessionToken))).json.data
  assert.equal((await detailsFor(await signedInAs(app, 'support'))).api_keys, undefined)
  assert.equal((await detailsFor(await signedInAs(app, 'admin'))).api_keys.revocable, false)
  assert.equal((await detailsFor(await signedInAs(app, 'superadmin'))).api_keys.keys.length, 1)
})
