import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { textOf } from './all-pages.ts'
import { visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('the printed link makes the first superadmin without a script, and stays in no address', async () => {
  const link = new URL((await createSetupLink(app.ctx)) ?? '')
  const browser = visitor(app)
  assert.equal((await browser.open('/setup')).status, 404)
  const opened = await browser.open(`${link.pathname}${link.search}`)
  assert.deepEqual([opened.status, opened.headers.location], [303, '/setup'])
  assert.match(textOf((await browser.open('/')).text), /Create the first administrator/)
  const page = await browser.open('/setup')
  assert.match(textOf(page.text), /First administrator/)
  assert.match(page.text, /<input id="name"[^>]* required/)
  assert.ok(!page.text.includes(link.searchParams.get('token') ?? ''))

  const grace = { ...person('grace'), name: 'Grace' }
  const { email } = await registered(app)
  assert.match(textOf((await browser.send('/setup', { ...grace, email })).text), /already registered/)
  const foreign = await browser.send('/setup', grace, { 'sec-fetch-site': 'cross-site' })
  assert.equal(foreign.status, 403)
  await browser.open('/setup')
  const done = await browser.send('/setup', grace)
  assert.deepEqual([done.status, done.headers.location], [303, '/admin?done=set-up'])
  const me = await app.get('/auth/me', { headers: { cookie: browser.cookie() } })
  assert.deepEqual([me.json.user.user_type, me.json.user.name], ['superadmin', 'Grace'])

  const late = visitor(app)
  assert.doesNotMatch(textOf((await late.open('/')).text), /first administrator/i)
  const again = await late.open(`${link.pathname}${link.search}`)
  assert.equal(again.status, 404)
  assert.match(textOf(again.text), /isn’t valid/)
})

test('while there is no second factor, the home page tells a developer how modules are installed', async () => {
  const home = async (one: TestApp) => textOf((await visitor(one).open('/')).text)
  assert.match(await home(app), /npx wardenry module install two-factor/)
  const whole = await startTestApp({ modules: ['two-factor'] })
  try {
    assert.doesNotMatch(await home(whole), /module install/)
  } finally {
    await whole.stop()
  }
})
