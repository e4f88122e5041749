import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, declaredRoutes } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_WRITE: '10/1m' } })
})
after(() => app.stop())

const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('a form is read as strictly as JSON, on the routes that take one', async () => {
  const crowd = Array.from({ length: 1_100 }, (_, index) => `k${index}`).join('&')
  const wrong: Record<string, { body: string | Buffer; field: string }> = {
    'a name twice': { body: 'token=a&token=b', field: 'token' },
    'a name twice behind a crowd': { body: `token=a&${crowd}&token=b`, field: 'token' },
    'too many members': { body: Array.from({ length: 2_001 }, (_, index) => `k${index}`).join('&'), field: 'body' },
    'U+0000': { body: 'token=a%00b', field: 'token' },
    'a text of 10,001': { body: `form_token=${'x'.repeat(10_001)}`, field: 'form_token' },
    'bytes that are not UTF-8': { body: Buffer.from('token=\xff', 'latin1'), field: 'body' },
    'no token': { body: 'page=x&token[]=a', field: 'token' },
    nothing: { body: '', field: 'token' },
  }
  const routes = declaredRoutes(app).filter(({ rule }) => rule.form === true)
  assert.deepEqual(
    new Set(routes.map(({ method, url }) => `${method} ${url}`)),
    new Set([
      'POST /auth/token/login',
      'POST /auth/token/verify',
      'POST /auth/email-change/verify',
      'POST /auth/email-change/cancel',
      'POST /auth/social/:provider/callback',
      'POST /login',
      'POST /login/cancel',
      'POST /login/mail',
      'POST /login/code',
      'POST /login/verify',
      'POST /login/verify/send',
      'POST /login/passkey',
      'POST /register',
      'POST /register/address',
      'POST /register/code',
      'POST /register/passkey',
      'POST /recover',
      'POST /recover/codes',
      'POST /recover/passkey',
      'POST /verify-email',
      'POST /verify-email/code',
      'POST /forgot',
      'POST /forgot/sent',
      'POST /passkey-link',
      'POST /reset-password',
      'POST /setup',
      'POST /logout',
      'POST /oauth/authorize',
      'POST /oauth/consent',
      'POST /oauth/logout',
      'POST /oauth/logout/confirm',
      'POST /account/applications/remove',
      'POST /account/confirm',
      'POST /account/confirm/send',
      'POST /account/profile',
      'POST /account/profile/phone',
      'POST /account/profile/picture',
      'POST /account/profile/picture/remove',
      'POST /account/email',
      'POST /account/email/cancel',
      'POST /account/email/verify',
      'POST /account/password',
      'POST /account/sessions/end',
      'POST /account/sessions/end-others',
      'POST /language',
      'POST /account/security/on',
      'POST /account/security/recovery',
      'POST /account/security/add',
      'POST /account/security/codes',
      'POST /account/security/methods/add',
      'POST /account/security/passkeys/rename',
      'POST /account/security/passkeys/remove',
      'POST /account/security/finish',
      'POST /account/security/resend',
      'POST /account/security/remove',
      'POST /account/security/remove/send',
      'POST /account/security/off',
      'POST /account/security/off/send',
      'POST /account/privacy/region',
      'POST /account/privacy/consent',
      'POST /account/privacy/sale',
      'POST /account/privacy/download',
      'POST /account/privacy/mail',
      'POST /account/privacy/delete',
      'POST /account/privacy/delete/later',
      'POST /account/privacy/delete/cancel',
      'POST /account/onboarding',
      'POST /account/keys',
      'POST /account/keys/act',
      'POST /admin/oauth/apis/:resource_id/delete',
      'POST /admin/oauth/apis/:resource_id/disable',
      'POST /admin/oauth/apis/:resource_id/edit',
      'POST /admin/oauth/apis/:resource_id/enable',
      'POST /admin/oauth/clients/:client_id/delete',
      'POST /admin/oauth/clients/:client_id/disable',
      'POST /admin/oauth/clients/:client_id/edit',
      'POST /admin/oauth/clients/:client_id/enable',
      'POST /admin/oauth/clients/:client_id/grants',
      'POST /admin/oauth/clients/:client_id/secrets',
      'POST /admin/oauth/clients/:client_id/secrets/remove',
      'POST /admin/oauth/clients/:client_id/test',
      'POST /admin/oauth/keys/compromised',
      'POST /admin/oauth/keys/rotate',
      'POST /admin/oauth/new/api',
      'POST /admin/oauth/new/client',
      'POST /admin/service-accounts/new',
      'POST /admin/service-accounts/:service_account_id/edit',
      'POST /admin/service-accounts/:service_account_id/keys',
      'POST /admin/service-accounts/:service_account_id/act',
      'POST /admin/service-accounts/:service_account_id/delete',
      'POST /account/onboarding/step',
      'POST /auth/privacy/exports/download',
      'POST /admin/security/unlock',
      'POST /admin/modules/:module/plan',
      'POST /admin/modules/:module/run',
      'POST /admin/modules/:module/switch',
      'POST /admin/adopt/address',
      'POST /admin/applications/new',
      'POST /admin/applications/:application_id/appearance',
      'POST /admin/applications/:application_id/appearance/logo',
      'POST /admin/applications/:application_id/appearance/preview',
      'POST /admin/applications/:application_id/connect',
      'POST /admin/applications/:application_id/secrets',
      'POST /admin/applications/:application_id/secrets/act',
      'POST /admin/applications/:application_id/edit',
      'POST /admin/applications/:application_id/act',
      'POST /admin/applications/:application_id/test',
      'POST /admin/roles/new',
      'POST /admin/roles/permissions',
      'POST /admin/roles/:role_id',
      'POST /admin/roles/:role_id/delete',
      'POST /admin/webhooks',
      'POST /admin/webhooks/:webhook_id/edit',
      'POST /admin/webhooks/:webhook_id/act',
      'POST /admin/webhooks/:webhook_id/delete',
      'POST /admin/settings/:chapter',
      'POST /admin/settings/brand',
      'POST /admin/settings/brand/logo',
      'POST /admin/settings/brand/preview',
      'POST /admin/settings/:chapter/picture',
      'POST /admin/privacy/cancel',
      'POST /admin/privacy/export',
      'POST /impersonation/stop',
      'POST /admin/people/new',
      'POST /admin/bulk/people',
      'POST /admin/bulk/people/confirm',
      'POST /admin/people/:user_id/:action',
      'POST /admin/messages/retry',
      'POST /admin/messages/templates/:name/:language',
      'POST /admin/messages/templates/:name/:language/frame',
      'POST /blog/unlock',
      'POST /blog/comments',
      'POST /admin/content/restore',
      'POST /admin/content/new',
      'POST /admin/content/posts/:id',
      'POST /admin/content/posts/:id/delete',
      'POST /admin/content/posts/:id/picture',
      'POST /admin/content/posts/:id/picture/remove',
      'POST /admin/content/posts/:id/revisions/:revision_id',
      'POST /admin/content/comments',
      'POST /admin/post-types/new',
      'POST /admin/post-types/types/:key',
      'POST /admin/post-types/types/:key/delete',
      'POST /admin/content/posts/:id/translations/:lang',
      'POST /admin/content/posts/:id/translations/:lang/delete',
      'POST /admin/content/tags/:id/merge',
      'POST /admin/content/posts/:id/preview-links',
      'POST /admin/content/posts/:id/preview-links/revoke',
    ]),
  )
  for (const { method, url, rule } of routes) {
    const isOptional = !needsToken(url)
    for (const [what, { body, field }] of Object.entries(wrong)) {
      if (isOptional && (what === 'no token' || what === 'nothing')) continue
      const details = assertError(await app.call(method, url, { headers: form, body }), 400, 'VALIDATION_ERROR', what)
      assert.deepEqual(
        details.map((problem) => problem.field),
        [field],
        what,
      )
    }
    assertError(await app.call(method, url, { headers: form, body: tooMuchFor(rule) }), 413, 'PAYLOAD_TOO_LARGE')
  }
})

test('a person whose form is refused sees a page, whatever was wrong', async () => {
  const person = { ...form, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  // File upload forms are excluded because they use a different media type.
  const routes = declaredRoutes(app).filter(({ rule }) => rule.form === true && !rule.upload)
  for (const [index, { method, url, rule }] of routes.entries()) {
    const from = `203.0.113.${70 + index}`
    // The request has no Origin, so pages treat the form as one from another site.
    const otherwise = needsToken(url) || url.startsWith('/auth/') ? [400, 401, 403, 404] : [400, 303, 403, 404]
    // The post-types module reports that it is disabled before it reports that it is not installed.
    const refused = url.startsWith('/admin/post-types/') ? [503] : otherwise
    for (const [body, status] of [
      ['token=', refused],
      ['', refused],
      ['token=a&token=b', [400]],
      [tooMuchFor(rule), [413]],
    ] as const) {
      assertPage(await app.call(method, url, { headers: person, body, from }), status)
    }
    let reply = await app.call(method, url, { headers: person, body: 'token=', from })
    for (let count = 0; reply.status !== 429 && count < 130; count++) {
      reply = await app.call(method, url, { headers: person, body: 'token=', from })
    }
    assertPage(reply, [429])
    assert.ok(Number(reply.headers['retry-after']) > 0)
    const json = await app.call(method, url, { headers: { ...form, accept: 'application/json' }, body: 'token=', from })
    assertError(json, 429, 'RATE_LIMITED')
  }
})

const tooMuchFor = ({ largeBody }: { largeBody: boolean }): string => 'x'.repeat(largeBody ? 2_097_153 : 102_401)

/** Other forms require a session or data from a provider, or their page shows the form again. */
const needsToken = (url: string): boolean =>
  url.startsWith('/auth/') && url !== '/auth/email-change/cancel' && url !== '/auth/social/:provider/callback'

function assertPage({ status, headers, text }: Reply, expected: readonly number[]): void {
  assert.ok(expected.includes(status), `${status}`)
  if (status === 303) return
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.match(text, /^<!doctype html>/i)
}

test('a body that its sender breaks off is no failure of the service', async () => {
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as AddressInfo
  const ways = ['Content-Length: 50', 'Transfer-Encoding: chunked']
  for (const headers of ways) {
    const socket = connect(port, '127.0.0.1')
    const arrived = once(app.http.server, 'request')
    socket.write(`POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`)
    await arrived
    socket.destroy()
  }
  const refused = () =>
    app
      .logged()
      .split('\n')
      .filter((line) => line.includes('"route":"/auth/login"'))
  for (let wait = 0; wait < 100 && refused().length < ways.length; wait++) await sleep(20)
  assert.equal(refused().length, ways.length)
  for (const line of refused()) assert.match(line, /"status":400,"error_code":"VALIDATION_ERROR"/)
})
