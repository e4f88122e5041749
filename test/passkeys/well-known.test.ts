import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examinePasskeyFiles } from '../../src/cli/doctor/passkey-files.ts'
import { loadConfig } from '../../src/config/load.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const [one, other] = ['AB', 'cd'].map((byte) => Array(32).fill(byte).join(':'))
const configured = {
  PUBLIC_URL: 'https://id.example.com',
  PASSKEY_RELATED_ORIGINS: 'https://example.org,https://www.example.de',
  PASSKEY_ANDROID_APPS: `com.example.app=${one},com.example.app=${other},com.example.other=${one}`,
  PASSKEY_APPLE_APPS: 'ABCDE12345.com.example.app,ABCDE12345.com.example.other',
}
const relation = ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds']
const androidApp = (name: string, ...fingerprints: (string | undefined)[]) => ({
  relation,
  target: {
    namespace: 'android_app',
    package_name: name,
    sha256_cert_fingerprints: fingerprints.map((fingerprint) => fingerprint?.toUpperCase()),
  },
})
const files: Record<string, unknown> = {
  '/.well-known/webauthn': { origins: ['https://example.org', 'https://www.example.de'] },
  '/.well-known/assetlinks.json': [androidApp('com.example.app', one, other), androidApp('com.example.other', one)],
  '/.well-known/apple-app-site-association': {
    webcredentials: { apps: ['ABCDE12345.com.example.app', 'ABCDE12345.com.example.other'] },
  },
}

const started = async (env: Record<string, string>, modules: string[] = []): Promise<TestApp> =>
  startTestApp({ env, modules })

test('the domain of the passkeys serves what is configured to everyone, as cacheable JSON', async (t) => {
  const app = await started(configured)
  t.after(() => app.stop())
  for (const [path, content] of Object.entries(files)) {
    const { status, headers, json, cookies } = await app.get(path, { headers: { accept: 'text/html' } })
    assert.deepEqual([status, json, cookies], [200, content, {}], path)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.equal(headers['cache-control'], 'public, max-age=3600')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
})

test('nothing is served for what is not configured, nor on a host that is not the domain of the passkeys', async (t) => {
  const bare = await started({ PUBLIC_URL: 'https://id.example.com' })
  t.after(() => bare.stop())
  const below = await started({ ...configured, WEBAUTHN_RP_ID: 'example.com' })
  t.after(() => below.stop())
  for (const app of [bare, below])
    for (const path of Object.keys(files)) {
      const { status, json, headers } = await app.get(path)
      assert.deepEqual([status, json.code], [404, 'NOT_FOUND'], path)
      assert.equal(headers['cache-control'], 'no-store')
    }
  for (const path of ['/.well-known/', '/.well-known/other', '/.well-known/webauthn/x', '/.well-known/security.txt'])
    assert.equal((await bare.get(path)).status, 404, path)
})

test('password managers find the pages for passwords, and for passkeys while these are offered', async (t) => {
  const base = 'https://example.com/base'
  const app = await started({ PUBLIC_URL: base }, ['two-factor'])
  t.after(() => app.stop())
  const endpoints = await app.get('/.well-known/passkey-endpoints')
  assert.deepEqual(endpoints.json, { enroll: `${base}/account/security/add`, manage: `${base}/account/security` })
  assert.match(String(endpoints.headers['content-type']), /^application\/json/)
  assert.equal(endpoints.headers['cache-control'], 'public, max-age=3600')
  const password = await app.get('/.well-known/change-password')
  assert.deepEqual([password.status, password.headers.location], [302, `${base}/account/password`])
  assert.deepEqual([endpoints.cookies, password.cookies], [{}, {}])

  const off = await started({ PASSKEYS_ENABLED: 'false' }, ['two-factor'])
  t.after(() => off.stop())
  assert.equal((await off.get('/.well-known/passkey-endpoints')).status, 404)
})

const examined = (env: Record<string, string>) =>
  examinePasskeyFiles(loadConfig({ NODE_ENV: 'test', AUTH_SECRET: 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU', ...env }))

test('doctor prints the files for a domain that the service does not serve', () => {
  const [finding] = examined({ ...configured, WEBAUTHN_RP_ID: 'example.com' })
  assert.equal(finding?.state, 'notice')
  for (const [path, content] of Object.entries(files))
    assert.ok(finding?.text.includes(`https://example.com${path}\n${JSON.stringify(content)}`), finding?.text)
})

test('doctor says that the files are read at the root of the domain', () => {
  assert.deepEqual(examined({ PUBLIC_URL: 'https://id.example.com' }), [])
  assert.equal(examined(configured)[0]?.state, 'ok')
  for (const PUBLIC_URL of ['https://id.example.com/base', 'https://id.example.com:8443']) {
    const [finding] = examined({ ...configured, PUBLIC_URL })
    assert.equal(finding?.state, 'notice')
    assert.match(finding?.text ?? '', /at the root of https:\/\/id\.example\.com\nForward these paths/)
    assert.doesNotMatch(finding?.text ?? '', /\{/)
  }
})
