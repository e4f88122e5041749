// Setup: own process
// The module adds its errors to the list of the process.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadChecked } from '../../src/cli/load-checked.ts'
import { externalModules } from '../../src/modules/external.ts'
import { memberOf } from '../screens/account/support.ts'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const folder = join(import.meta.dirname, '../../examples/module-notes')

let app: TestApp
before(async () => {
  await externalModules([folder])
  app = await startTestApp({ env: { MODULE_PATHS: folder, NOTES_MAX: '2' }, modules: ['module-notes'] })
})
after(() => app.stop())

test('a module outside the release adds a table, routes, an error code and a setting', async () => {
  const ada = withSession((await registered(app, 'ada')).sessionToken)
  for (const note of ['first', 'second']) {
    const { status, json } = await app.post('/api/v1/notes', { note }, ada)
    assert.deepEqual([status, json.data.note], [200, note])
  }
  const refused = await app.post('/api/v1/notes', { note: 'third' }, ada)
  assert.deepEqual([refused.status, refused.json.code], [409, 'TOO_MANY_NOTES'])
  const { json } = await app.get('/api/v1/notes', ada)
  assert.deepEqual(
    json.data.map(({ note }: { note: string }) => note),
    ['first', 'second'],
  )
  assert.equal((await app.get('/api/v1/notes')).status, 401)
})

test('it adds a field to users and a part to their export', async () => {
  const grace = withSession((await registered(app, 'grace')).sessionToken)
  const before = await app.get('/auth/profile', grace)
  assert.equal(before.json.data.user.keeps_notes, false)
  await app.post('/api/v1/notes', { note: 'of Grace' }, grace)
  assert.equal((await app.get('/auth/profile', grace)).json.data.user.keeps_notes, true)
})

test('it adds a page to the account, with an entry in the navigation and texts of its own', async () => {
  const page = '/account/notes'
  const alan = await memberOf(app)
  const { text } = await alan.open(page)
  assert.match(text, /You have no notes yet/)
  assert.match(
    text,
    /"\/account\/profile"[\s\S]*"\/account\/notes" aria-current="page"><svg.*<\/svg>\s*Notes<[\s\S]*"\/account\/email"/,
  )
  assert.equal((await alan.send(page, { note: '<b>bold</b>' })).headers.location, page)
  assert.match((await alan.open(page)).text, /<li>&lt;b&gt;bold/)
  await alan.send(page, { note: 'second' })
  await alan.open(page)
  const refused = await alan.send(page, { note: 'third' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /reached the maximum number of notes/)
  assert.equal((await app.get(page)).headers.location?.toString().startsWith('/login'), true)
})

test('a path that cannot be loaded ends the start with the reason', async () => {
  const missing = loadChecked({ NODE_ENV: 'test', MODULE_PATHS: '/nowhere/at-all' }, 'look')
  await assert.rejects(
    missing,
    /MODULE_PATHS contains \/nowhere\/at-all, which cannot be loaded: the folder does not exist/,
  )
  const empty = loadChecked({ NODE_ENV: 'test', MODULE_PATHS: import.meta.dirname }, 'look')
  await assert.rejects(empty, /neither manifest\.ts nor manifest\.js/)
})
