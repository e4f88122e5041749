import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hour } from '../../../src/lib/time.ts'
import { tagsOf, textOf } from '../../screens/all-pages.ts'
import { staffOf } from '../../screens/console/support.ts'
import { withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { askToken, machineSetup, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

let app: TestApp
let root: Awaited<ReturnType<typeof staffOf>>
let setup: Awaited<ReturnType<typeof machineSetup>>
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, RATE_LIMIT_LOGIN: '100/15m' } })
  root = await staffOf(app, 'superadmin')
  setup = await machineSetup(await oauthAdmin(app, root))
})
after(() => app.stop())

const list = '/admin/oauth/clients'
const add = '/admin/oauth/new/client'
const apis = '/admin/oauth/apis'
const keys = '/admin/oauth/keys'
const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')
const secretIn = (html: string) => /id="secret">(wcs_[0-9A-Za-z]+)</.exec(html)?.[1] ?? ''
/** What the page offers for the hidden fields of its form. */
const hiddenIn = (html: string, name: string) =>
  tagsOf(html).find(({ attributes }) => attributes.name === name)?.attributes.value ?? ''

const chosen = () => ({
  ...{ type: 'machine', application_id: setup.application.id, service_account_id: setup.account.id },
})
const granted = () => ({ [`scope_${setup.application.read}`]: 'on', [`resource_${setup.api.id}`]: 'on' })

test('a superadmin adds a client, whose secret and settings are shown once and work', async () => {
  assert.match(words((await root.open(add)).text), /Type Web application .* Machine Resource server .* Service account/)
  const form = await root.open(`${add}?${new URLSearchParams(chosen())}`)
  assert.ok(form.text.includes(`name="scope_${setup.application.read}"`) && form.text.includes(setup.api.identifier))
  const typed = { ...chosen(), ...granted(), name: 'Worker <b>', client_id: 'page-worker' }
  const added = await root.send(add, typed)
  assert.equal(added.status, 200, added.text)
  const secret = secretIn(added.text)
  assert.notEqual(secret, '')
  assert.match(words(added.text), /Secrets of Worker <b> .*The client was added\. Copy its secret now/)
  assert.ok(words(added.text).includes(`CLIENT_SECRET=${secret}`))
  assert.ok(words(added.text).includes('-u "page-worker:$CLIENT_SECRET"'))
  assert.ok(words(added.text).includes(`OAUTH_RESOURCE=${setup.api.identifier}`))
  assert.match(words(added.text), /Programs and configurations .*openid-client/)
  assert.ok(added.text.includes(`href="${list}/page-worker/test"`), 'the next step')
  const token = await askToken(app, { clientId: 'page-worker', secret })
  assert.equal(token.json.scope, setup.application.read)
  const later = await root.open(`${list}/page-worker/secrets`)
  assert.ok(!later.text.includes(secret) && later.text.includes('CLIENT_SECRET=paste-the-secret'))
  const found = words((await root.open(`${list}?q=worker+%3Cb`)).text)
  assert.match(found, /Worker <b> Enabled page-worker Machine/)
  assert.match(words((await root.open(`${list}?q=nothing`)).text), /No client matches/)
})

test('an identifier of an API cannot add a command to those that the page shows', async () => {
  const admin = await oauthAdmin(app, root)
  const { application, server } = await machineSetup(admin)
  const api = await admin.resource(application.id, { identifier: "https://x.example.com/'$(id)" })
  await admin.update(server.clientId, { resources: [api.id] })
  const { text } = await root.open(`${list}/${server.clientId}/secrets`)
  assert.ok(words(text).includes(`OAUTH_RESOURCE='https://x.example.com/'\\''$(id)'`), words(text))
})

test('a rejected client keeps its entries, and an incomplete choice is explained', async () => {
  const page = await root.open(`${add}?type=machine&application_id=${setup.application.id}`)
  assert.equal(page.status, 400)
  assert.match(words(page.text), /Choose an application and, for a machine, a service account/)
  const typed = { ...chosen(), ...granted(), name: 'kept', client_id: setup.machine.clientId }
  await root.open(`${add}?${new URLSearchParams(chosen())}`)
  const wrong = await root.send(add, { ...typed, client_id: 'a b', access_ttl: '5' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /value="kept"/)
  assert.match(words(wrong.text), /Enter 3 to 64 letters.*Enter a whole number of seconds/)
})

test('a client is changed, and a change of others is not overwritten', async () => {
  const path = `${list}/${setup.machine.clientId}`
  const page = await root.open(path)
  const expected_updated_at = hiddenIn(page.text, 'expected_updated_at')
  const typed = { ...granted(), service_account_id: setup.account.id, name: 'Renamed', access_ttl: '120' }
  const changed = await root.send(`${path}/edit`, { ...typed, expected_updated_at })
  assert.equal(changed.headers.location, `${path}?done=changed`)
  assert.match(words((await root.open(path)).text), /Renamed .* 120 seconds/)
  const late = await root.send(`${path}/edit`, { ...typed, name: 'Later', expected_updated_at })
  assert.equal(late.status, 409)
  assert.match(words(late.text), /Renamed .*Somebody else has changed this/)
  assert.match(late.text, /value="Later"/)
  const untimed = await root.send(`${path}/edit`, { ...typed, name: 'Later', expected_updated_at: '' })
  assert.equal(untimed.status, 400)
  assert.doesNotMatch(words((await root.open(list)).text), /Later/)
})

test('a client and an API without a name are shown with their identifier, which the form does not repeat', async () => {
  await root.open(`${add}?${new URLSearchParams(chosen())}`)
  const typed = { ...chosen(), ...granted(), name: ' ', client_id: 'nameless-worker' }
  assert.equal((await root.send(add, typed)).status, 200)
  const path = `${list}/nameless-worker`
  const page = await root.open(path)
  assert.match(words(page.text), /nameless-worker Enabled/)
  const nameIn = (html: string) => tagsOf(html).find(({ attributes }) => attributes.id === 'name')?.attributes.value
  assert.equal(nameIn(page.text), '')
  const expected_updated_at = hiddenIn(page.text, 'expected_updated_at')
  const change = { ...granted(), service_account_id: setup.account.id, name: '', access_ttl: '60', expected_updated_at }
  assert.equal((await root.send(`${path}/edit`, change)).headers.location, `${path}?done=changed`)
  assert.match(words((await root.open(path)).text), /nameless-worker Enabled/)
  const api = await root.open(`${apis}/${setup.api.id}`)
  assert.equal(nameIn(api.text), '')
  assert.match(api.text, /<h1>https:\/\/<wbr>api\d+\.<wbr>example\.<wbr>com<\/h1>/)
})

test('scopes are shown in words, in the language of the page', async () => {
  const admin = await oauthAdmin(app, root)
  const { application, api, machine } = await machineSetup(admin)
  const titles = { en: 'See <invoices>', es: 'Ver facturas' }
  await sql`UPDATE permissions SET title = ${JSON.stringify(titles)}, description = '{"en":"All years"}'
    WHERE key = ${application.read}`.execute(app.ctx.db)
  const paths = [`${list}/${machine.clientId}`, `${list}/${machine.clientId}/test`, `${apis}/${api.id}`]
  for (const path of paths) {
    const english = words((await root.open(path)).text)
    assert.ok(english.includes(`See <invoices> ${application.read} All years`), path)
    assert.ok(english.includes(application.write), path)
  }
  assert.ok(words((await root.open(apis)).text).includes(`See <invoices>, ${application.write}`))
  const spanish = await app.get(`${list}/${machine.clientId}`, {
    headers: { cookie: root.cookie(), 'accept-language': 'es' },
  })
  assert.ok(words(spanish.text).includes(`Ver facturas ${application.read}`))
})

test('a second secret is added, and one is removed with the tokens of the client', async () => {
  const path = `${list}/${setup.server.clientId}/secrets`
  await root.open(path)
  assert.equal((await root.send(path, { overlap: 'never' })).status, 400)
  const added = await root.send(path, { overlap: '3600' })
  assert.match(secretIn(added.text), /^wcs_/)
  assert.match(words(added.text), /has two secrets, which is the maximum/)
  const removed = await root.send(`${path}/remove`, { secret_id: hiddenIn(added.text, 'secret_id') })
  assert.equal(removed.headers.location, `${path}?done=removed`)
  assert.match(words((await root.open(path)).text), /Add a secret/)
})

test('a client is disabled after a confirmation, enabled and deleted', async () => {
  const { server } = await machineSetup(await oauthAdmin(app, root))
  const path = `${list}/${server.clientId}`
  assert.match(words((await root.open(`${path}/disable`)).text), /tokens are rejected within a second/)
  assert.equal((await root.send(`${path}/disable`, {})).headers.location, `${path}?done=disabled`)
  assert.ok((await root.open(`${list}?state=disabled`)).text.includes(server.clientId))
  await root.open(path)
  assert.equal((await root.send(`${path}/enable`, {})).headers.location, `${path}?done=enabled`)
  assert.ok(!(await root.open(`${list}?state=disabled`)).text.includes(server.clientId))
  await root.open(`${path}/delete`)
  assert.equal((await root.send(`${path}/delete`, {})).headers.location, `${list}?done=deleted`)
  assert.equal((await root.open(path)).status, 404)
})

test('an API is added, changed with a conflict, disabled and deleted', async () => {
  await root.open('/admin/oauth/new/api')
  const typed = { application_id: setup.application.id, identifier: 'https://page.example.com', token_format: 'jwt' }
  const wrong = await root.send('/admin/oauth/new/api', { ...typed, access_ttl: '7200' })
  assert.equal(wrong.status, 400)
  assert.match(words(wrong.text), /JWTs are valid for at most 3600/)
  const added = await root.send('/admin/oauth/new/api', typed)
  const [path = ''] = added.headers.location?.split('?') ?? []
  const page = await root.open(path)
  assert.match(
    words(page.text),
    /permissions that its application declares.*:read.*May introspect its tokens.*No client/,
  )
  const expected_updated_at = hiddenIn(page.text, 'expected_updated_at')
  const change = { ...typed, token_format: 'opaque', access_ttl: '7200', expected_updated_at }
  assert.equal((await root.send(`${path}/edit`, change)).headers.location, `${path}?done=changed`)
  await root.open(path)
  assert.equal((await root.send(`${path}/edit`, { ...change, name: 'Late' })).status, 409)
  await root.open(`${path}/disable`)
  assert.equal((await root.send(`${path}/disable`, {})).headers.location, `${path}?done=disabled`)
  await root.open(path)
  assert.equal((await root.send(`${path}/enable`, {})).headers.location, `${path}?done=enabled`)
  assert.match(words((await root.open(`${apis}/${setup.api.id}`)).text), /May introspect its tokens .* API/)
  await root.open(`${path}/delete`)
  assert.equal((await root.send(`${path}/delete`, {})).headers.location, `${apis}?done=deleted`)
  assert.doesNotMatch((await root.open(apis)).text, /page\.example\.com/)
})

test('signing keys are listed, replaced early, and replaced as compromised after a confirmation', async () => {
  await askToken(app, setup.machine)
  assert.match(words((await root.open(keys)).text), /ES256 Current Signs tokens/)
  const published = await root.send(`${keys}/rotate`, { alg: 'ES256' })
  assert.equal(published.headers.location, `${keys}?done=published`)
  await root.open(keys)
  const busy = await root.send(`${keys}/rotate`, { alg: 'ES256' })
  assert.equal(busy.status, 409)
  assert.match(words(busy.text), /Next Is published.*Current Signs/)
  const confirm = await root.open(`${keys}/compromised`)
  assert.match(words(confirm.text), /A new key signs at once.*Restart them.*cannot be undone/)
  const replaced = await root.send(`${keys}/compromised`, { alg: '' })
  assert.equal(replaced.headers.location, `${keys}?done=replaced`)
  assert.match(words((await root.open(keys)).text), /Current Signs.*Removed Neither/)
})

test('the test of a client shows the decoded token, which is not valid afterwards, or the step that fails', async () => {
  const { machine, api, application } = await machineSetup(await oauthAdmin(app, root))
  const path = `${list}/${machine.clientId}/test`
  const form = await root.open(path)
  assert.ok(form.text.includes(api.identifier))
  const passed = await root.send(path, { resource: api.identifier, scope: application.read })
  assert.match(words(passed.text), /The client can get tokens .* The token is revoked Passed .* Header .*at\+jwt/)
  assert.match(words(passed.text), new RegExp(`"aud": "${api.identifier}".*"scope": "${application.read}"`))
  assert.doesNotMatch(passed.text, /eyJ|wat_/)
  const failed = await root.send(path, { scope: 'nothing:there' })
  assert.match(words(failed.text), /cannot get this token .*A token is issued Failed .*lacks one of these scopes/)
  assert.match(words(failed.text), /The token is valid Not tested/)
})

test('rejected requests are listed with their reasons', async () => {
  const { machine, api, account } = await machineSetup(await oauthAdmin(app, root))
  const path = `${list}/${machine.clientId}/rejections`
  assert.match(words((await root.open(path)).text), /No request was rejected/)
  await askToken(app, machine, {
    scope: 'nothing:there wcs_SecretByMistake',
    resource: 'https://x.example.com/?token=1',
  })
  const { text } = await root.open(path)
  assert.match(words(text), /API not allowed \/oauth\/token .* Asked for nothing:there, https:\/\/x\.example\.com/)
  assert.ok(text.includes(`<a href="${list}/${machine.clientId}"><bdi>Settings of `))
  await askToken(app, machine, { scope: 'nothing:there', resource: api.identifier })
  await askToken(app, { ...machine, secret: setup.machine.secret })
  const more = (await root.open(path)).text
  for (const linked of [
    `${apis}/${api.id}`,
    `/admin/service-accounts/${account.id}`,
    `${list}/${machine.clientId}/secrets`,
  ])
    assert.ok(more.includes(`<a href="${linked}"><bdi>`), linked)
  assert.doesNotMatch(text, /wcs_|token=1/)
})

test('staff without the permissions get no pages', async () => {
  const admin = await staffOf(app, 'admin')
  for (const path of [list, add, apis, keys, `${keys}/compromised`, `${list}/${setup.server.clientId}/secrets`])
    assert.equal((await admin.open(path)).status, 403, path)
})

test('a role that may only read sees no forms, and gets 403 instead of pages that consist of one', async () => {
  const role = { key: 'auditor', name: 'Auditor', description: '', permissions: ['applications:read'] }
  const created = await app.post('/auth/admin/roles', role, withSession(root.sessionToken))
  assert.equal(created.status, 200, created.text)
  const reader = await staffOf(app, 'auditor')
  const path = `${list}/${setup.machine.clientId}`
  for (const page of [list, path, `${path}/secrets`, `${path}/rejections`, apis, `${apis}/${setup.api.id}`]) {
    const { status, text } = await reader.open(page)
    assert.equal(status, 200, page)
    assert.doesNotMatch(text, /method="post" action="\/admin\/oauth|\/admin\/oauth\/new|\/test"/, page)
  }
  assert.equal((await reader.open(keys)).status, 403)
  const api = `${apis}/${setup.api.id}`
  const actions = ['disable', 'delete', 'test'].map((action) => `${path}/${action}`)
  for (const page of [add, '/admin/oauth/new/api', ...actions, `${api}/disable`, `${api}/delete`]) {
    const { status, text } = await reader.open(page)
    assert.deepEqual([status, /<form[^>]*action="\/admin\/oauth/.test(text)], [403, false], page)
    assert.equal((await reader.send(page, {})).status, 403, page)
  }
  assert.equal((await askToken(app, setup.machine)).status, 200)
})

test('a form of another site changes nothing', async () => {
  const path = `${list}/${setup.server.clientId}`
  await root.open(path)
  await root.send(`${path}/disable`, { form_token: 'x' })
  assert.match(words((await root.open(path)).text), /Enabled/)
})

test('changes need a recent authentication, and the entries are kept', async () => {
  const late = await staffOf(app, 'superadmin')
  const path = `${list}/${setup.server.clientId}`
  app.clock.advance(13 * hour)
  for (const [page, action, entries] of [
    [path, `${path}/edit`, { name: 'Typed' }],
    [`${path}/delete`, `${path}/delete`, {}],
    [`${path}/secrets`, `${path}/secrets`, { overlap: '0' }],
    [`${keys}/compromised`, `${keys}/compromised`, {}],
    [`${apis}/${setup.api.id}`, `${apis}/${setup.api.id}/edit`, { identifier: setup.api.identifier, name: 'Typed' }],
  ] as const) {
    await late.open(page)
    const asked = await late.send(action, entries)
    assert.equal(asked.status, 403, action)
    assert.match(words(asked.text), /requires you to confirm your identity/, action)
    if ('name' in entries) assert.match(asked.text, /value="Typed"/)
  }
})
