import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { superadminOf } from '../../applications/support.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { addOwnPasskey, homeOf, passkeyOwner } from '../../support/passkeys.ts'
import { withSession } from '../../support/people.ts'
import { startTestApp } from '../../support/test-app.ts'
import { signedInBrowser } from '../account/support.ts'
import { textOf } from '../all-pages.ts'
import { staffOf } from './support.ts'

const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')
const isOpen = (html: string, label: string) => new RegExp(`${label} Open`).test(words(html))

test('the overview lists the first steps of a superadmin until they are done, and links to each', async (t) => {
  const app = await startTestApp({ modules: ['two-factor'], env: { ALLOWED_REDIRECTS: 'https://shop.example.com' } })
  t.after(() => app.stop())
  const root = await staffOf(app, 'superadmin')
  const own = withSession(root.sessionToken)
  await app.call('PUT', '/auth/profile', { ...own, body: { name: '' } })
  const start = (await root.open('/admin')).text
  for (const label of ['Add your name', 'Add a passkey', 'Set your name, logo and colour', 'Invite a colleague'])
    assert.ok(isOpen(start, label), label)
  assert.match(words(start), /Connect your first application Done/)
  assert.match(start, /<a href="\/admin\/people\/new">There is only one superadmin\./)
  assert.doesNotMatch(words(start), /Live sessions 0/)
  assert.match(words(start), /Sessions and second factors are counted within two minutes/)
  for (const path of ['/account/security/add', '/admin/settings/brand', '/admin/people/new\\?role=admin'])
    assert.match(start, new RegExp(`href="${path}"`))

  await app.call('PUT', '/auth/profile', { ...own, body: { name: 'Grace' } })
  await app.call('PUT', '/auth/admin/settings', { ...own, body: { changes: [{ name: 'APP_NAME', value: 'Harbour' }] } })
  await app.post('/auth/admin/users', { email: 'colleague@example.com', send_invite: true }, own)
  const later = (await root.open('/admin')).text
  for (const label of ['Add your name', 'Set your name, logo and colour', 'Invite a colleague'])
    assert.match(words(later), new RegExp(`${label} Done`))
  assert.match(later, /href="\/admin\/settings\/brand"/, 'a finished step still leads to its page')
  assert.ok(isOpen(later, 'Send yourself a test email'))
})

test('a passkey completes its step without the module for second factors', async (t) => {
  const app = await startTestApp()
  t.after(() => app.stop())
  const root = await staffOf(app, 'superadmin')
  const start = (await root.open('/admin')).text
  assert.ok(isOpen(start, 'Add a passkey'))
  assert.doesNotMatch(words(start), /second factor Open/)
  assert.equal((await addOwnPasskey(app, root.sessionToken, createAuthenticator(homeOf(app)))).status, 200)
  assert.match(words((await root.open('/admin')).text), /Add a passkey Done/)
})

test('without passkeys, the steps lead to the module for second factors, and other roles do not see them', async (t) => {
  const app = await startTestApp({ env: { PASSKEYS_ENABLED: 'false' } })
  t.after(() => app.stop())
  const root = await staffOf(app, 'superadmin')
  const start = (await root.open('/admin')).text
  assert.match(words(start), /Install the module for second factors/)
  for (const path of ['/admin/modules/two-factor', '/admin/applications/new'])
    assert.ok(start.includes(`href="${path}"`), path)
  for (const role of ['admin', 'support'])
    assert.doesNotMatch(words((await (await staffOf(app, role)).open('/admin')).text), /First steps/)
})

test('where the front end has another host, the domain of passkeys is to be chosen before the first passkey', async (t) => {
  const app = await startTestApp({
    modules: ['two-factor'],
    env: { PUBLIC_URL: 'https://id.example.com', FRONTEND_URL: 'https://app.example.com' },
  })
  t.after(() => app.stop())
  const root = await staffOf(app, 'superadmin')
  const start = (await root.open('/admin')).text
  assert.ok(isOpen(start, 'Choose the domain of passkeys'))
  assert.ok(start.includes('href="/admin/settings/passkeys#field-WEBAUTHN_RP_ID"'))
  await passkeyOwner(app)
  assert.doesNotMatch(words((await root.open('/admin')).text), /Choose the domain/)
})

test('a webhook whose receiver fails needs attention', async (t) => {
  const app = await startTestApp()
  t.after(() => app.stop())
  // No user is deleted here. A delivery would fail, and the webhook with it.
  const root = await staffOf(app, 'superadmin')
  const webhook = { url: 'https://hooks.example.com/', events: ['user.*'], description: '', enabled: true }
  assert.equal((await app.post('/auth/admin/webhooks', webhook, withSession(root.sessionToken))).status, 200)
  assert.doesNotMatch(words((await root.open('/admin')).text), /webhook is failing/)
  await sql`UPDATE webhooks SET failing_since = now()`.execute(app.ctx.db)
  const { text } = await root.open('/admin')
  assert.match(text, /<a href="\/admin\/webhooks">1 webhook is failing/)
  assert.doesNotMatch(words(text), /Nothing needs your attention/)
})

test('the first application that is added completes its step', async (t) => {
  const app = await startTestApp({ env: { ALLOWED_REDIRECTS: '' } })
  t.after(() => app.stop())
  const root = await superadminOf(app)
  const browser = await signedInBrowser(app, root)
  assert.ok(isOpen((await browser.open('/admin')).text, 'Connect your first application'))
  await root.create('shop')
  assert.match(words((await browser.open('/admin')).text), /Connect your first application Done/)
})
