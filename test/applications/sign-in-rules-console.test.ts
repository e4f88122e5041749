import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { superadminOf } from './support.ts'

let app: TestApp
before(async () => {
  const env = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', RATE_LIMIT_ADMIN: '1000/1h' }
  app = await startTestApp({ env })
})
after(() => app.stop())

const boxes = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/type="checkbox" name="(method_\w+|existing_only)"( checked)?/g)].map((found) => [
      found[1],
      found[2] !== undefined,
    ]),
  )

test('the form of an application shows and changes its sign-in rules', async () => {
  const superadmin = await superadminOf(app)
  const { id } = await superadmin.create('shop')
  const path = `/admin/applications/${id}`
  const stored = async () => {
    const { sign_in_methods, registration } = (await superadmin.call('GET', `/${id}`)).json.data
    return { sign_in_methods, registration }
  }
  const root = await staffOf(app, 'superadmin')
  const methods = { method_password: false, method_passkey: false, method_email: false, method_sms: false }
  const offered = { ...methods, method_google: false }
  const open = async () => boxes((await root.open(path)).text)
  assert.deepEqual(await open(), { ...offered, existing_only: false })
  const typed = { name: 'Shop', kind: 'website' }
  const rules = { method_google: 'on', method_passkey: 'on', existing_only: 'on' }
  const saved = await root.send(`${path}/edit`, { ...typed, ...rules })
  assert.equal(saved.status, 303, textOf(saved.text))
  assert.deepEqual(await stored(), { sign_in_methods: ['passkey', 'google'], registration: false })
  assert.deepEqual(await open(), { ...offered, method_passkey: true, method_google: true, existing_only: true })

  // A way that has been switched off since is shown, so that saving the form does not remove it.
  await sql`UPDATE applications SET sign_in_methods = '{github}' WHERE id = ${id}`.execute(app.ctx.db)
  assert.equal((await open()).method_github, true)
  const rejected = await root.send(`${path}/edit`, { ...typed, method_apple: 'on' })
  assert.equal(rejected.status, 400)
  assert.match(textOf(rejected.text), /a way to sign in that the settings allow/i)

  await root.open(path)
  assert.equal((await root.send(`${path}/edit`, typed)).status, 303)
  assert.deepEqual(await stored(), { sign_in_methods: [], registration: true })
})

test('after a conflict, the form shows the rules that were saved meanwhile', async () => {
  const superadmin = await superadminOf(app)
  const { id } = await superadmin.create('conflict')
  const path = `/admin/applications/${id}`
  const root = await staffOf(app, 'superadmin')
  await root.open(path)
  await superadmin.call('PUT', `/${id}`, { sign_in_methods: ['email', 'google'], registration: false })
  const conflict = await root.send(`${path}/edit`, { name: 'conflict', kind: 'website' })
  assert.equal(conflict.status, 409)
  assert.match(textOf(conflict.text), /Saved in the meantime: Link or code by email, Google/)
})
