import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import { memberOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['onboarding'], env: { ONBOARDING_STEPS: 'welcome,team_setup' } })
})
after(() => app.stop())

const page = '/account/onboarding'

test('a person says who they are, and sees again only what may be read', async () => {
  const ada = await memberOf(app)
  assert.match((await ada.open(page)).text, /<option value="ES">Spain</)
  const answers = { name: 'Ada', is_business: 'on', biz_country: 'ES', team_size_range: '2-10' }
  const nameless = await ada.send(page, { ...answers, acquisition_source: 'a friend of mine' })
  assert.equal(nameless.status, 400)
  assert.match(nameless.text, /id="biz_name"[^>]*aria-invalid="true"/)
  assert.match(textOf(nameless.text), /Enter the name of your business/)
  assert.match(nameless.text, /name="is_business" checked/)
  assert.ok(!nameless.text.includes('a friend of mine'))
  const named = { ...answers, biz_name: 'Engines Ltd', acquisition_source: 'a friend of mine' }
  assert.equal((await ada.send(page, named)).headers.location, `${page}?done=saved`)
  const { text } = await ada.open(`${page}?done=saved`)
  assert.match(text, /value="Engines Ltd"[\s\S]*<option value="ES" selected>/)
  assert.doesNotMatch(text, /a friend of mine|acquisition_source|selected>2-10/)
  assert.equal((await ada.send(page, { name: 'Ada' })).status, 303)
  assert.doesNotMatch((await ada.open(page)).text, /Engines Ltd/)
})

test('the steps of the operator are done or skipped, in their order', async () => {
  const ada = await memberOf(app)
  assert.match((await ada.open(page)).text, /<li aria-current="step">Welcome<\/li>\s*<li>Team setup</)
  assert.equal((await ada.send(`${page}/step`, { outcome: 'done' })).headers.location, `${page}?done=step`)
  assert.match(
    (await ada.open(page)).text,
    /<li class="done">Welcome <span.*Done<\/span><\/li>\s*<li aria-current="step">Team setup</,
  )
  await ada.send(`${page}/step`, { outcome: 'skip' })
  const { text: over } = await ada.open(page)
  assert.doesNotMatch(over, /name="outcome"/)
  assert.match(textOf(over), /2 of 2 finished[\s\S]*You have finished all steps/)
  const { json } = await app.get('/api/v1/onboarding', { headers: { cookie: ada.cookie() } })
  assert.deepEqual(json.data.steps, { welcome: 'done', team_setup: 'skipped' })
})

test('the steps have names in the language of the page', async () => {
  const ada = await memberOf(app, { lang: 'es' })
  const { text } = await ada.open(page)
  assert.match(text, /<li aria-current="step">Bienvenida<\/li>\s*<li>Team setup</)
})

test('a form of another site says nothing of anybody', async () => {
  const ada = await memberOf(app)
  await ada.open(page)
  const refused = await ada.send(page, { name: 'Mallory' }, { 'sec-fetch-site': 'cross-site' })
  assert.equal(refused.status, 403)
  assert.doesNotMatch(refused.text, /Mallory/)
})

test('without the module there is no page and no way to it', async () => {
  const plain = await startTestApp()
  try {
    const ada = await memberOf(plain)
    assert.equal((await ada.open(page)).status, 404)
    assert.ok(!(await ada.open('/account')).text.includes(page))
  } finally {
    await plain.stop()
  }
})
