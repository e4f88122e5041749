import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tagsOf, textOf } from '../../screens/all-pages.ts'
import { staffOf } from '../../screens/console/support.ts'
import { withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { machineSetup, type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

let app: TestApp
let root: Awaited<ReturnType<typeof staffOf>>
let admin: OAuthAdmin
let setup: Awaited<ReturnType<typeof machineSetup>>
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, RATE_LIMIT_LOGIN: '100/15m' } })
  root = await staffOf(app, 'superadmin')
  admin = await oauthAdmin(app, root)
  setup = await machineSetup(admin)
})
after(() => app.stop())

const list = '/admin/oauth/clients'
const add = '/admin/oauth/new/client'
const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')
const secretIn = (html: string) => /id="secret">(wcs_[0-9A-Za-z]+)</.exec(html)?.[1] ?? ''
const hiddenIn = (html: string, name: string) =>
  tagsOf(html).find(({ attributes }) => attributes.name === name)?.attributes.value ?? ''
/** The names of the boxes that are ticked. */
const ticked = (html: string): string[] =>
  tagsOf(html).flatMap(({ attributes }) => ('checked' in attributes ? [attributes.name ?? ''] : []))
const stored = async (clientId: string) => (await admin.call('GET', `/auth/admin/oauth/clients/${clientId}`)).json.data

const chosen = (type: string) => ({ type, application_id: setup.application.id })
const query = (type: string) => `${add}?${new URLSearchParams(chosen(type))}`
const redirect_uris = 'https://shop.example.com/callback\r\nhttps://shop.example.com/other\r\n'
const scopes = { scope_openid: 'on', scope_email: 'on' }

test('a web application is added with few fields, and its secret and settings are shown once', async () => {
  const form = await root.open(query('web'))
  assert.equal(form.status, 200)
  assert.deepEqual(ticked(form.text).toSorted(), ['require_pkce', 'scope_email', 'scope_openid', 'scope_profile'])
  const typed = { ...chosen('web'), ...scopes, name: 'Shop', redirect_uris, require_pkce: 'on', client_id: 'web-shop' }
  const added = await root.send(add, typed)
  assert.equal(added.status, 200, added.text)
  assert.match(secretIn(added.text), /^wcs_/)
  assert.match(words(added.text), /OAUTH_ISSUER=.*OAUTH_REDIRECT_URI=https:\/\/shop\.example\.com\/callback/)
  assert.match(words(added.text), /OAUTH_SCOPE='email openid'/)
  assert.doesNotMatch(added.text, /oauth\/introspect/)
  const client = await stored('web-shop')
  assert.deepEqual(client.redirect_uris, redirect_uris.trim().split('\r\n'))
  assert.deepEqual(client.scopes, ['email', 'openid'])
  assert.deepEqual([client.require_pkce, client.trusted, client.offline_default], [true, false, false])
  assert.doesNotMatch((await root.open(`${list}/web-shop/secrets`)).text, new RegExp(secretIn(added.text)))
})

test('public clients have settings instead of secrets', async () => {
  for (const [type, address] of [
    ['spa', 'https://spa.example.com/'],
    ['native', 'com.example.app:/callback'],
  ] as const) {
    await root.open(query(type))
    const typed = { ...chosen(type), ...scopes, redirect_uris: address, client_id: `public-${type}` }
    const origins = type === 'spa' ? { allowed_origins: 'https://spa.example.com' } : { offline_default: 'on' }
    const added = await root.send(add, { ...typed, ...origins })
    assert.equal(added.status, 200, added.text)
    assert.match(words(added.text), /The client was added\. Enter these settings.*OAUTH_CLIENT_ID=public-/)
    assert.doesNotMatch(added.text, /CLIENT_SECRET=|wcs_|Add a secret/)
    const page = await root.open(`${list}/public-${type}`)
    assert.match(words(page.text), /Settings and code/)
    assert.equal(page.text.includes('name="allowed_origins"'), type === 'spa')
    assert.equal(page.text.includes('name="require_pkce"'), false)
    assert.equal(page.text.includes('name="backchannel_uri"'), type === 'spa')
  }
  assert.deepEqual((await stored('public-spa')).allowed_origins, ['https://spa.example.com'])
  assert.equal((await stored('public-native')).offline_default, true)
  assert.ok(ticked((await root.open(query('native'))).text).includes('offline_default'))
})

test('a rejected address is explained next to its field, and the entries stay', async () => {
  await root.open(query('web'))
  const typed = { ...chosen('web'), ...scopes, name: 'kept', redirect_uris: 'https://user@shop.example.com/' }
  const wrong = await root.send(add, typed)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /id="redirect_uris-problem">[^<]*user@shop\.example\.com[^<]* must not /)
  assert.match(wrong.text, /value="kept"/)
  assert.deepEqual(ticked(wrong.text).toSorted(), ['scope_email', 'scope_openid'])
  const none = await root.send(add, { ...typed, redirect_uris: ' ' })
  assert.match(words(none.text), /Enter 1 to 20 addresses/)
  const late = await root.send(add, { ...typed, redirect_uris, post_logout_uris: 'ftp://x.example.com' })
  assert.match(late.text, /id="post_logout_uris-problem"/)
  assert.match(late.text, /<details class="filters" open>/)
  const foreign = await root.send(add, { ...typed, redirect_uris, [`scope_${setup.application.read}`]: 'on' })
  assert.match(words(foreign.text), /belongs to an API that the client does not have/)
})

test('all rules of a client are changed, and what is not ticked is switched off', async () => {
  const { application, api } = setup
  const made = { scopes: ['openid'], redirect_uris: ['https://a.example.com/cb'], trusted: true, groups_claim: true }
  const { clientId } = await admin.client({ application_id: application.id, type: 'web', name: 'Rules', ...made })
  const path = `${list}/${clientId}`
  const page = await root.open(path)
  assert.deepEqual(ticked(page.text).toSorted(), ['groups_claim', 'require_pkce', 'scope_openid', 'trusted'])
  const typed = {
    ...{ ...scopes, name: 'Rules', redirect_uris, post_logout_uris: 'https://shop.example.com/bye' },
    ...{ [`resource_${api.id}`]: 'on', [`scope_${application.read}`]: 'on', offline_default: 'on' },
    ...{ user_type_customer: 'on', required_permission: application.read, id_token_alg: 'ES256' },
    ...{ access_ttl: '300', refresh_idle_ttl: '3600', refresh_absolute_ttl: '7200' },
    ...{ backchannel_uri: 'https://shop.example.com/backchannel' },
    expected_updated_at: hiddenIn(page.text, 'expected_updated_at'),
  }
  const changed = await root.send(`${path}/edit`, typed)
  assert.equal(changed.headers.location, `${path}?done=changed`, changed.text)
  const now = await stored(clientId)
  assert.deepEqual([now.require_pkce, now.trusted, now.groups_claim, now.offline_default], [false, false, false, true])
  assert.deepEqual([now.access_ttl, now.refresh_idle_ttl, now.refresh_absolute_ttl], [300, 3600, 7200])
  assert.deepEqual([now.allowed_types, now.required_permission], [['customer'], application.read])
  assert.deepEqual([now.post_logout_uris, now.id_token_alg], [['https://shop.example.com/bye'], 'ES256'])
  assert.deepEqual([now.resources, now.scopes], [[api.id], [application.read, 'email', 'openid'].toSorted()])
  assert.equal(now.backchannel_uri, 'https://shop.example.com/backchannel')
  const later = await root.open(path)
  for (const name of [`resource_${api.id}`, `scope_${application.read}`, 'user_type_customer', 'offline_default'])
    assert.ok(ticked(later.text).includes(name), name)
  assert.match(words(later.text), /https:\/\/shop\.example\.com\/other .*Access lasts after the sign-out/)
})

test('readers see how a client signs users in, and no form', async () => {
  const { clientId } = await admin.client({
    ...{ application_id: setup.application.id, type: 'web', name: 'Read', scopes: ['openid'] },
    redirect_uris: ['https://read.example.com/cb'],
  })
  const role = { key: 'auditor', name: 'Auditor', description: '', permissions: ['applications:read'] }
  await app.post('/auth/admin/roles', role, withSession(root.sessionToken))
  const reader = await staffOf(app, 'auditor')
  const page = await reader.open(`${list}/${clientId}`)
  assert.equal(page.status, 200)
  assert.match(words(page.text), /https:\/\/read\.example\.com\/cb/)
  assert.doesNotMatch(page.text, /\/edit"|name="redirect_uris"/)
  assert.equal((await reader.open(query('web'))).status, 403)
})
