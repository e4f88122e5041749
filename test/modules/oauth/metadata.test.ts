import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../support/test-app.ts'
import { startOAuth } from './key-support.ts'

const names = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
const issuer = 'https://login.example.com'

let app: TestApp
before(async () => {
  app = await startOAuth({ PUBLIC_URL: issuer })
})
after(() => app.stop())

const methods = ['client_secret_basic', 'client_secret_post']
const expected = (address: string) => ({
  issuer: address,
  token_endpoint: `${address}/oauth/token`,
  token_endpoint_auth_methods_supported: [...methods, 'none'],
  introspection_endpoint: `${address}/oauth/introspect`,
  introspection_endpoint_auth_methods_supported: methods,
  revocation_endpoint: `${address}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: [...methods, 'none'],
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  jwks_uri: `${address}/oauth/jwks`,
  service_documentation: `${address}/docs`,
})

test('both documents name what the installation supports, and nothing else', async () => {
  for (const path of names) {
    const { status, json } = await app.get(path)
    assert.deepEqual([status, json], [200, expected(issuer)])
  }
})

test('the addresses come from PUBLIC_URL, whatever the headers say', async () => {
  const forged = {
    host: 'evil.example',
    forwarded: 'host=evil.example;proto=http',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-forwarded-prefix': '/evil',
    'x-forwarded-port': '81',
    'x-original-url': '/evil',
  }
  for (const path of names) {
    const { text, json } = await app.get(path, { headers: forged })
    assert.ok(!text.includes('evil'))
    assert.deepEqual(json, expected(issuer))
  }
})

test('pages of any origin read the metadata without credentials, and caches keep it for five minutes', async () => {
  for (const path of names) {
    const { headers } = await app.get(path, { headers: { origin: 'https://elsewhere.example' } })
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.equal(headers['cache-control'], 'public, max-age=300')
    const again = await app.get(path, { headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.status, 304)
    const own = await app.get(path, { headers: { origin: issuer } })
    assert.equal(own.headers['access-control-allow-origin'], '*')
    assert.equal(own.headers['access-control-allow-credentials'], undefined)
  }
})

test('without a path in PUBLIC_URL, there is no metadata at other addresses', async () => {
  for (const path of names) assert.equal((await app.get(`${path}/tenant`)).status, 404)
})

test('the path of PUBLIC_URL is inserted and put first', async (t) => {
  const address = `${issuer}/accounts/eu`
  const below = await startOAuth({ PUBLIC_URL: address, DOCS_PAGE: 'off' })
  t.after(() => below.stop())
  const { service_documentation, ...rest } = expected(address)
  for (const name of names)
    for (const path of [name, `${name}/accounts/eu`, `/accounts/eu${name}`]) {
      const { status, json } = await below.get(path)
      assert.deepEqual([status, json], [200, rest], path)
    }
  assert.equal((await below.get(`${names[0]}/accounts/other`)).status, 404)
})
