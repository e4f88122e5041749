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
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types_supported: ['code'],
  authorization_endpoint: `${address}/oauth/authorize`,
  userinfo_endpoint: `${address}/oauth/userinfo`,
  response_modes_supported: ['query', 'form_post'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256', 'EdDSA', 'RS256'],
  scopes_supported: ['openid', 'profile', 'email', 'phone', 'roles', 'offline_access'],
  claims_supported: [
    ...['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'sid', 'name', 'given_name'],
    ...['family_name', 'preferred_username', 'picture', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at'],
    ...['email', 'email_verified', 'phone_number', 'phone_number_verified', 'roles', 'groups', 'user_type'],
    'permissions',
  ],
  claims_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
  acr_values_supported: ['urn:wardenry:acr:mfa'],
  ui_locales_supported: ['en', 'es'],
  end_session_endpoint: `${address}/oauth/logout`,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
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
