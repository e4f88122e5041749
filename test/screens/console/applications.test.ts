import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour } from '../../../src/lib/time.ts'
import { applicationProblems } from '../../../src/screens/console/applications/problems.ts'
import { superadminOf } from '../../applications/support.ts'
import { withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import { staffOf } from './support.ts'

const list = '/admin/applications'
const api = '/auth/admin/applications'

let app: TestApp
before(async () => {
  const env = {
    RATE_LIMIT_ADMIN: '100000/1h',
    FRONTEND_URL: 'https://www.example.com',
    ALLOWED_REDIRECTS: 'https://old.example.com,old://',
    CORS_ORIGINS: 'https://spa.example.com',
  }
  app = await startTestApp({ env })
})
after(() => app.stop())

const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')
type Staff = Awaited<ReturnType<typeof staffOf>>

/** Adds an application with the form, and returns its path. */
async function add(root: Staff, entries: Record<string, string>): Promise<string> {
  await root.open(`${list}/new`)
  const { status, headers, text } = await root.send(`${list}/new`, { with: 'express', ...entries })
  assert.equal(status, 303, words(text))
  return String(headers.location).replace(/\/connect\?.*/, '')
}

const isAllowed = async (address: string) =>
  (await app.get(`/login?return_to=${encodeURIComponent(address)}`)).status !== 400

test('a superadmin adds an application, sees its files and finds it in the list', async () => {
  const root = await staffOf(app, 'superadmin')
  assert.match(words((await root.open(list)).text), /Add each website and app .* No applications yet/)
  assert.match((await root.open('/admin')).text, new RegExp(`href="${list}"`))
  assert.match(words((await root.open(`${list}/new`)).text), /Choose what you build with and enter one address\./)
  assert.equal(await isAllowed('https://shop.example.com/'), false)
  const typed = { with: 'express', name: 'Ünser Shop', address: ' shop.example.com/ ' }
  const created = await root.send(`${list}/new`, typed)
  assert.match(
    String(created.headers.location),
    /^\/admin\/applications\/[\w-]{36}\/connect\?with=express&done=created$/,
  )
  assert.equal(await isAllowed('https://shop.example.com/'), true)
  const page = await root.open(String(created.headers.location))
  assert.match(words(page.text), /The application was added\. .* Build the package .* main\.js/)
  assert.match(textOf(page.text), /APP_URL=https:\/\/shop\.example\.com \\\n/)
  assert.match(page.text, /data-copy="code-0|data-copy="code-1/)
  assert.match(
    words((await root.open(list)).text),
    /Ünser Shop Enabled unser-shop · Website https:\/\/shop\.example\.com/,
  )
})

test('the list shows what the environment declares', async () => {
  const root = await staffOf(app, 'superadmin')
  const page = words((await root.open(list)).text)
  assert.match(
    page,
    /Set in the environment .* https:\/\/www\.example\.com .* https:\/\/old\.example\.com Adopt old:\/\/ Adopt /,
  )
  assert.match(page, /CORS_ORIGINS https:\/\/spa\.example\.com/)
})

test('the form completes addresses, proposes keys, and sets what each kind needs', async () => {
  const root = await staffOf(app, 'superadmin')
  for (const [entries, expected] of [
    [
      { with: 'single_page', name: 'Board', address: 'https://board.example.com' },
      { key: 'board', kind: 'single_page', origins: ['https://board.example.com'] },
    ],
    [
      { with: 'nextjs', name: '本', address: 'localhost:4000' },
      { key: 'localhost', development: true, return_addresses: ['http://localhost:4000'] },
    ],
    [
      { with: 'mobile', name: '7 up', address: 'sevenup://' },
      { key: 'up', kind: 'mobile' },
    ],
    [
      { with: 'caddy', name: 'Wiki', address: 'https://wiki.example.com/docs', key: 'own-key' },
      { key: 'own-key', kind: 'gateway', return_addresses: ['https://wiki.example.com/docs'] },
    ],
  ] as const) {
    const path = await add(root, entries)
    const { json } = await app.get(path.replace('/admin', '/auth/admin'), withSession(root.sessionToken))
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(json.data[name], value, name)
  }
})

test('rejected entries are explained at their fields and stay in the form', async () => {
  const root = await staffOf(app, 'superadmin')
  for (const [entries, field, problem] of [
    [{ with: '' }, 'with', /Choose what you build with\./],
    [{ with: '__proto__' }, 'with', /Choose what you build with\./],
    [{ address: 'https://example.com/shop' }, 'address', /without a path/],
    [{ address: 'shop://' }, 'address', /Enter a web address/],
    [{ with: 'mobile', address: 'https://a.example' }, 'address', /Enter the app’s scheme/],
    [{ with: 'mobile', address: 'nothing' }, 'address', /Enter the app’s scheme/],
    [{ with: 'mobile', address: 'javascript://' }, 'address', /Must contain origins/],
    [{ address: 'http://plain.example.com' }, 'address', /must be https/],
    [{ address: 'https://*.example.com' }, 'address', /must not contain wildcards/i],
    [{ address: '' }, 'address', /Enter a web address/],
    [{ name: ' ' }, 'name', /Must not be empty/],
    [{ name: 'a\u202eb' }, 'name', /Must not contain control characters/],
    [{ key: 'X' }, 'key', /Must have 2 to 40 lowercase letters/],
    [{ name: 'Board' }, 'key', /Belongs to another application/],
  ] as const) {
    await root.open(`${list}/new`)
    const typed = { with: 'express', name: 'Typed <i>', address: 'https://typed.example', ...entries }
    const refused = await root.send(`${list}/new`, typed)
    assert.equal(refused.status, 400, JSON.stringify(entries))
    assert.match(refused.text, new RegExp(`id="${field}-problem"`), JSON.stringify(entries))
    assert.match(words(refused.text), problem)
    if (typed.name === 'Typed <i>') assert.match(refused.text, /value="Typed &lt;i&gt;"/)
    assert.ok(!refused.text.includes('<i>'))
  }
  await root.open(`${list}/new`)
  const taken = await root.send(`${list}/new`, { with: 'express', name: 'Board', address: 'https://other.example.com' })
  assert.match(taken.text, /name="key" value="board"/, 'the proposed key can be changed')
})

test('every problem that the API finds is also explained in Spanish', async () => {
  const root = await superadminOf(app)
  await root.create('taken', { return_addresses: ['https://taken.example.com'] })
  const { id } = await root.create('taken-deleted', { return_addresses: ['https://gone.example.com'] })
  await root.call('DELETE', `/${id}`)
  const addresses = Array.from({ length: 51 }, (_, index) => `https://a${index}.example.com`)
  for (const input of [
    { key: 'X' },
    { key: 'taken' },
    { key: 'taken-deleted' },
    { name: '' },
    { name: ' ' },
    { name: 'x'.repeat(81) },
    { name: 'x'.repeat(400) },
    { name: 'a\u202eb' },
    { name: '\ud800' },
    { kind: 'other' },
    { home_url: 'x' },
    { note: 'x'.repeat(501) },
    { return_addresses: addresses },
    { return_addresses: [''] },
    { return_addresses: ['x'.repeat(2049)] },
    { return_addresses: ['https://a.example?b'] },
    { return_addresses: ['https://*.example.com'] },
    { return_addresses: ['http://localhost'] },
    { return_addresses: ['http://a.example.com'] },
    { return_addresses: ['https://taken.example.com'] },
    { return_addresses: ['https://gone.example.com'] },
    { origins: ['https://a.example.com/b'] },
  ]) {
    const { status, json } = await root.call('POST', '', { key: 'new', name: 'New', kind: 'website', ...input })
    assert.equal(status, 400, JSON.stringify(input).slice(0, 100))
    const [field = ''] = Object.keys(input)
    const text = applicationProblems('es', json).fields[field] ?? ''
    assert.doesNotMatch(text, /^(Must|Contains|Is|Belongs|$)/, JSON.stringify(json.details))
  }
})

test('an application is changed, and rejected changes stay in the form', async () => {
  const root = await staffOf(app, 'superadmin')
  const path = await add(root, { name: 'Edited', address: 'https://edited.example.com' })
  const shown = await root.open(path)
  const [, expected = ''] = /name="expected_updated_at" value="([^"]+)"/.exec(shown.text) ?? []
  const typed = {
    name: 'Edited <b>',
    kind: 'gateway',
    return_addresses: 'https://edited.example.com\r\n\r\n  https://more.example.com/app \r\n',
    origins: 'https://edited.example.com',
    home_url: 'https://home.example.com/',
    note: 'Of team A',
    expected_updated_at: expected,
  }
  for (const [entries, field, problem] of [
    [{ return_addresses: 'https://edited.example.com\r\nhttp://localhost:4000' }, 'return_addresses', /requires `dev/],
    [{ return_addresses: 'https://board.example.com' }, 'return_addresses', /belongs to the application board/],
    [{ return_addresses: 'x\n'.repeat(60) }, 'return_addresses', /not contain more than 50 addresses/],
    [{ return_addresses: 'x'.repeat(3000) }, 'return_addresses', /./],
    [{ origins: 'https://edited.example.com/path' }, 'origins', /Must contain origins such as/],
    [{ home_url: 'javascript:alert(1)' }, 'home_url', /http or https URL/],
    [{ note: 'n'.repeat(501) }, 'note', /at most 500 characters/],
    [{ name: '' }, 'name', /Must not be empty/],
    [{ kind: 'toString' }, 'kind', /./],
  ] as const) {
    await root.open(path)
    const refused = await root.send(`${path}/edit`, { ...typed, ...entries })
    assert.equal(refused.status, 400, JSON.stringify(entries).slice(0, 100))
    assert.match(refused.text, new RegExp(`id="${field}-problem"`), JSON.stringify(entries).slice(0, 100))
    assert.match(words(refused.text), problem)
    if (!('note' in entries)) assert.match(refused.text, /value="Of team A"/)
    assert.match(refused.text, new RegExp(`name="expected_updated_at" value="${expected}"`))
  }
  await root.open(path)
  const saved = await root.send(`${path}/edit`, typed)
  assert.equal(saved.headers.location, `${path}?done=changed`)
  const { json } = await app.get(path.replace('/admin', '/auth/admin'), withSession(root.sessionToken))
  assert.deepEqual(json.data.return_addresses, ['https://edited.example.com', 'https://more.example.com/app'])
  assert.deepEqual(
    [json.data.kind, json.data.home_url, json.data.note],
    ['gateway', 'https://home.example.com/', 'Of team A'],
  )
  const page = await root.open(`${path}?done=changed`)
  assert.match(words(page.text), /The application was changed\. .*Live sessions 0 Last sign-in Never/)
  assert.ok(!page.text.includes('<b>'))
  await root.send(`${path}/edit`, { ...typed, home_url: ' ', expected_updated_at: json.data.updated_at })
  const later = await app.get(path.replace('/admin', '/auth/admin'), withSession(root.sessionToken))
  assert.equal(later.json.data.home_url, null)
})

test('a change that somebody else has overtaken is not saved, and both versions are shown', async () => {
  const root = await staffOf(app, 'superadmin')
  const path = await add(root, { name: 'Contested', address: 'https://contested.example.com' })
  const shown = await root.open(path)
  const [, expected = ''] = /name="expected_updated_at" value="([^"]+)"/.exec(shown.text) ?? []
  const own = withSession(root.sessionToken)
  await app.call('PUT', path.replace('/admin', '/auth/admin'), { body: { note: 'By somebody else' }, ...own })
  const typed = {
    name: 'Mine',
    kind: 'website',
    return_addresses: 'https://contested.example.com',
    note: 'My note',
    expected_updated_at: expected,
  }
  const refused = await root.send(`${path}/edit`, typed)
  assert.equal(refused.status, 409)
  assert.match(words(refused.text), /Somebody else has changed this application/)
  assert.match(refused.text, /value="Mine"/)
  assert.match(refused.text, /value="My note"/)
  assert.match(words(refused.text), /Saved in the meantime: By somebody else/)
  const [, next = ''] = /name="expected_updated_at" value="([^"]+)"/.exec(refused.text) ?? []
  const again = await root.send(`${path}/edit`, { ...typed, expected_updated_at: next })
  assert.equal(again.headers.location, `${path}?done=changed`)
})

test('disabling and deleting tell their effect first, and enabling and restoring revert them', async () => {
  const root = await staffOf(app, 'superadmin')
  const address = 'https://switched.example.com'
  const path = await add(root, { name: 'Switched', address })
  for (const [action, done, question, allowed] of [
    [
      'disable',
      'disabled',
      /Nobody can sign in to Switched until you enable it again.* Nobody is signed in .*rejected.*switched\.example/,
      false,
    ],
    ['enable', 'enabled', undefined, true],
    ['delete', 'deleted', /Nobody can sign in to Switched until you restore it, which is possible for 14 days/, false],
    ['restore', 'restored', undefined, true],
  ] as const) {
    const page = await root.open(question ? `${path}/${action}` : path)
    if (question) assert.match(words(page.text), question)
    assert.equal(await isAllowed(`${address}/`), !allowed)
    const { headers } = await root.send(`${path}/act`, { action })
    assert.equal(headers.location, `${path}?done=${done}`)
    assert.equal(await isAllowed(`${address}/`), allowed)
    assert.equal((await auditOf(app, `application_${done}`)).length > 0, true)
    if (action === 'delete') {
      const deleted = words((await root.open(String(headers.location))).text)
      assert.match(
        deleted,
        /The application was deleted.*Restore this application if you still need it\. On \d+ \w+ \d+|Restore this application if you still need it\. On \w+ \d+, \d+/,
      )
      assert.doesNotMatch(deleted, /Return addresses/)
      assert.equal((await root.open(`${path}/disable`)).headers.location, path)
    }
  }
  await root.open(path)
  assert.equal((await root.send(`${path}/act`, { action: 'toString' })).headers.location, path)
  assert.equal((await root.send(`${path}/act`, { action: 'delete', form_token: 'forged' })).status, 400)
  assert.equal((await root.open(`${list}/no-such-id`)).status, 404)
  assert.equal((await root.open(`${list}/no-such-id/connect`)).status, 404)
})

test('a form of an application cannot be sent for another one', async () => {
  const root = await staffOf(app, 'superadmin')
  const first = await add(root, { name: 'First', address: 'https://first.example.com' })
  const second = await add(root, { name: 'Second', address: 'https://second.example.com' })
  const page = await root.open(`${first}/delete`)
  const [, token = ''] = /name="form_token" value="([^"]+)"(?=[\s\S]*value="delete")/.exec(page.text) ?? []
  assert.equal((await root.send(`${second}/act`, { action: 'delete', form_token: token })).status, 400)
  assert.doesNotMatch(words((await root.open(second)).text), /Deleted/)
  const typed = { with: 'express', name: 'Forged', address: 'https://forged.example.com' }
  for (const form_token of ['forged', token]) {
    assert.equal((await root.send(`${list}/new`, { ...typed, form_token })).status, 400)
    const changes = { kind: 'website', name: 'Forged', return_addresses: 'https://forged.example.com' }
    assert.equal((await root.send(`${first}/edit`, { ...changes, form_token })).status, 400)
  }
  assert.equal((await app.get(`${api}?q=forged`, withSession(root.sessionToken))).json.data.pagination.total, 0)
})

test('markup and direction characters in stored names and addresses are harmless', async () => {
  const root = await staffOf(app, 'superadmin')
  const path = await add(root, { name: 'Hostile', address: 'https://hostile.example.com' })
  const id = path.split('/').at(-1)
  const name = '"><script>alert(1)</script>\u202e'
  await app.ctx.db.updateTable('applications').set({ name }).where('id', '=', `${id}`).execute()
  const address = 'https://a\'$(id);"<b>.example.com'
  await app.ctx.db.updateTable('application_addresses').set({ address }).where('application_id', '=', `${id}`).execute()
  for (const page of [
    '',
    '/disable',
    '/delete',
    '/connect?with=express',
    '/connect?with=nginx',
    '/connect?with=mobile',
  ]) {
    const { status, text } = await root.open(path + page)
    assert.equal(status, 200, page)
    assert.ok(!text.includes('<script>alert'), page)
    assert.ok(!text.includes('<b>'), page)
  }
  const { text } = await root.open(`${list}?q=hostile&q=`)
  assert.ok(!text.includes('<script>alert'))
  assert.match((await root.open(`${list}?q=script`)).text, /<bdi>&quot;|<bdi>&#34;/)
})

test('only superadmins with recent authentication', async () => {
  for (const role of ['customer', 'support', 'admin']) {
    const staff = await staffOf(app, role)
    for (const path of [list, `${list}/new`]) assert.equal((await staff.open(path)).status, 403, role)
    if (role !== 'customer') assert.doesNotMatch((await staff.open('/admin')).text, /href="\/admin\/applications"/)
  }
  const root = await staffOf(app, 'superadmin')
  app.clock.advance(2 * hour)
  await root.open(`${list}/new`)
  const typed = { with: 'express', name: 'Kept name', address: 'https://stale.example.com' }
  const stale = await root.send(`${list}/new`, typed)
  assert.equal(stale.status, 403)
  assert.match(stale.text, /href="\/account\/confirm\?next=%2Faccount%2Fconfirm%3Foutcome%3Dconfirmed" target="_blank"/)
  assert.match(stale.text, /value="Kept name"/)
  assert.equal((await app.get(`${api}?q=stale`, withSession(root.sessionToken))).json.data.pagination.total, 0)
})

test('a superadmin tests an application, and sees which step failed and what to do', async () => {
  const root = await staffOf(app, 'superadmin')
  const path = await add(root, { name: 'Inside', address: 'https://10.1.2.3' })
  assert.match((await root.open(path)).text, new RegExp(`href="${path}/test"`))
  assert.match((await root.open(`${path}/connect?with=express`)).text, new RegExp(`href="${path}/test"`))
  assert.match(words((await root.open(`${path}/test`)).text), /Test Inside .* Start the test/)
  const { status, text } = await root.send(`${path}/test`, { page: '' })
  assert.equal(status, 200)
  assert.match(
    words(text),
    /A step failed The page can be opened Failed .* EVENT_ALLOW_PRIVATE_HOSTS=true .* Not tested/,
  )
  const wrong = await root.send(`${path}/test`, { page: 'https://elsewhere.test/' })
  assert.equal(wrong.status, 400)
  assert.match(words(wrong.text), /Must be on the host of a return address of the application/)
  app.clock.advance(hour)
  const late = await root.send(`${path}/test`, { page: '' })
  assert.deepEqual([late.status, /Confirm in a new tab/.test(late.text)], [403, true])
})

test('an address of the settings is adopted with one action, and the page says what remains of the setting', async () => {
  const root = await staffOf(app, 'superadmin')
  const page = await root.open(list)
  assert.equal([...page.text.matchAll(/name="address" value="([^"]*)"/g)].length, 4)
  const adopt = (address: string) => root.send('/admin/adopt/address', { address })
  const { status, headers } = await adopt('https://old.example.com')
  assert.equal(status, 303)
  const own = words((await root.open(String(headers.location))).text)
  assert.match(own, /The address was copied .* old-example-com .* leaves: ALLOWED_REDIRECTS=old:\/\//)
  const { json } = await (await superadminOf(app)).call('GET', '?q=old-example-com')
  assert.deepEqual(json.data.applications[0].return_addresses, ['https://old.example.com'])
  await root.open(list)
  assert.equal((await adopt('old://')).status, 303)
  await root.open(list)
  const wrong = await adopt('https://unknown.example.com')
  assert.equal(wrong.status, 400)
  assert.match(words(wrong.text), /https:\/\/unknown\.example\.com: Is in none of ALLOWED_REDIRECTS/)
  assert.match(words((await adopt('')).text), /Add each website and app/)
})
