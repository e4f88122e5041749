import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ConfigError, loadConfig } from '../../src/config/load.ts'
import { runImport } from '../../src/import/import-users.ts'
import { collectAboutUser } from '../../src/profile/export-data.ts'
import type { ProviderFile } from '../../src/social/provider.ts'
import { readIdentity } from '../../src/social/read-identity.ts'
import { assertError } from '../http/support.ts'
import { fileWith, importOf, linesOf } from '../import/support.ts'
import { staffOf } from '../screens/console/support.ts'
import { person, registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { PROFILE_FIELDS: 'display_name,tmz' } })
})
after(() => app.stop())

const hidden = { last_name: 'Lovelace', title: 'Dr.', gender: 'female', dob: '1990-12-10', phone: '+447700900123' }

test('fields that are not in use are refused, and empty ones change nothing', async () => {
  const ada = await registered(app, 'ada')
  const update = (body: object) => app.call('PUT', '/auth/profile', { ...withSession(ada.sessionToken), body })
  const problems = assertError(await update({ ...hidden, display_name: 'Ada' }), 400, 'VALIDATION_ERROR')
  assert.deepEqual(problems.map(({ field }) => field).toSorted(), Object.keys(hidden).toSorted())
  assert.equal((await update({ display_name: 'Ada', title: '', phone: '' })).status, 200)
  const { status } = await app.post('/auth/register/public', { ...person('grace'), last_name: 'Moore' })
  assert.equal(status, 400)
})

test('the console does not offer fields that are not in use', async () => {
  const root = await staffOf(app, 'superadmin')
  const form = (await root.open('/admin/people/new')).text
  assert.match(form, /name="name"/)
  assert.doesNotMatch(form, /name="last_name"/)
  const profile = (await root.open('/account/profile')).text
  for (const name of ['name', 'display_name', 'tmz', 'lang']) assert.match(profile, new RegExp(`name="${name}"`))
  for (const name of Object.keys(hidden)) assert.doesNotMatch(profile, new RegExp(`name="${name}"`))
  assert.doesNotMatch((await app.get('/register?with=password')).text, /name="last_name"/)
})

test('a field that is not in use is not taken from a provider', () => {
  const profile = {
    subject: '1',
    email: undefined,
    emailVerified: false,
    name: 'Ada',
    lastName: 'Lovelace',
    picture: '',
  }
  const { name, lastName } = readIdentity(app.ctx, { name: 'google' } as ProviderFile, 'https://example.com', profile)
  assert.deepEqual([name, lastName], ['Ada', ''])
})

test('an import reports values of fields that are not in use as lost', async (t) => {
  const path = await fileWith(t, linesOf([{ email: 'lost@example.com', display_name: 'Ada', title: 'Dr.' }]))
  const done = await runImport(app.ctx, importOf(path))
  assert.deepEqual([done.users, [...done.lost.keys()]], [1, ['title (is not a profile field of this service)']])
})

test('an export of personal data contains no empty fields that are not in use', async () => {
  const { id } = await registered(app, 'alan')
  const { user } = (await collectAboutUser(app.ctx, id)) as { user: object }
  for (const name of Object.keys(hidden)) assert.equal(name in user, false, name)
  assert.ok('display_name' in user)
})

test('an unknown field stops the start with the nearest name', () => {
  assert.throws(
    () => loadConfig({ PROFILE_FIELDS: 'phone,displayname' }),
    (error) =>
      error instanceof ConfigError &&
      /"displayname" is not a profile field: did you mean display_name\?/.test(error.message),
  )
})
