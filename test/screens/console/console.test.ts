import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ownAddress } from '../../../src/ui/account/own-address.ts'
import { handedOver } from '../../support/handover.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { withTotp } from '../../two-factor/support.ts'
import { memberOf } from '../account/support.ts'
import { textOf } from '../all-pages.ts'
import { visitor } from '../support.ts'
import { staffOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['two-factor', 'blog'],
    env: { BLOG_ENABLED: 'true', RATE_LIMIT_LOGIN: '1000/15m', ALLOWED_REDIRECTS: 'https://shop.example' },
  })
})
after(() => app.stop())

test('staff open the console, which names their role and what it allows', async () => {
  for (const [role, right] of [
    ['support', /Can’t change anything/],
    ['admin', /Only superadmins can change superadmins/],
    ['superadmin', /all settings and all modules/],
  ] as const) {
    const grace = await staffOf(app, role)
    const page = await grace.open('/admin')
    assert.equal(page.status, 200)
    assert.match(textOf(page.text), right)
    assert.match(page.text, /action="\/logout"/)
  }
})

test('staff keep the navigation of the console on a page that does not exist', async () => {
  const grace = await staffOf(app, 'support')
  const page = await grace.open('/admin/people/01890000-0000-7000-8000-000000000000')
  assert.equal(page.status, 404)
  assert.match(page.text, /<a class="button plain" href="\/admin\/people">Users</)
  assert.match(page.text, /<header class="brand"><a href="\/admin">/)
  assert.match(textOf(page.text), /There is no page at this address/)
  const unknown = await grace.open('/admin/no-such-page')
  assert.equal(unknown.status, 404)
  assert.match(unknown.text, /href="\/admin">Go to the administration</)
  assert.doesNotMatch((await grace.open('/no-such-page')).text, /href="\/admin"/)
})

test('everyone else gets an error page, without a way there from the account', async () => {
  const ada = await memberOf(app)
  const refused = await ada.open('/admin')
  assert.equal(refused.status, 403)
  assert.match(String(refused.headers['content-type']), /text\/html/)
  assert.doesNotMatch((await ada.open('/account')).text, /href="\/admin"/)
  const writer = await staffOf(app, 'writer')
  assert.equal((await writer.open('/admin/people')).status, 403)
})

test('the account leads staff to the console', async () => {
  for (const role of ['support', 'admin', 'superadmin'])
    assert.match(
      (await (await staffOf(app, role)).open('/account')).text,
      /<a href="\/admin">(?:(?!<\/a>).)*Administration<\/a>/s,
    )
})

test('visitors sign in first and return to the page that they requested', async () => {
  const grace = await staffOf(app, 'admin')
  const browser = visitor(app)
  assert.equal((await browser.open('/admin?done=x')).headers.location, '/login')
  await browser.open('/login')
  const signedIn = await browser.send('/login', { identifier: grace.email, password: grace.password })
  assert.equal(signedIn.headers.location, '/admin?done=x')

  const ada = await withTotp(app)
  const waiting = visitor(app)
  await waiting.open('/login')
  await waiting.send('/login', { identifier: ada.email, password: ada.password })
  assert.equal((await waiting.open('/admin')).headers.location, '/login/verify')
})

test('a session of an application does not open the console', async () => {
  const grace = await staffOf(app, 'superadmin')
  const token = await handedOver(app, grace.sessionToken, 'https://shop.example/callback')
  const headers = { accept: 'text/html', cookie: `session_id=${token}` }
  for (const path of ['/admin', '/admin/people/new', '/admin/content', '/admin/content/new', '/admin/content/comments'])
    assert.equal((await app.get(path, { headers })).status, 403, path)
})

test('a session of an application does not open the content for writers either, which a browser session does', async () => {
  const wendy = await staffOf(app, 'writer')
  const token = await handedOver(app, wendy.sessionToken, 'https://shop.example/callback')
  const headers = { accept: 'text/html', cookie: `session_id=${token}` }
  assert.equal((await app.get('/admin/content', { headers })).status, 403)
  assert.equal((await wendy.open('/admin/content')).status, 200)
})

test('the way back may be a page of the console', () => {
  for (const path of ['/admin', '/admin/people?q=a%40b&page=2', '/admin/people/019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90'])
    assert.equal(ownAddress(path), path)
  for (const path of ['/administer', '/admin/../login', '/admin//evil', '/admin?x=\n']) {
    assert.equal(ownAddress(path), '/account')
  }
})
