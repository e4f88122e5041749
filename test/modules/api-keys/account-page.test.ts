import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { memberOf } from '../../screens/account/support.ts'
import { textOf } from '../../screens/all-pages.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { keyEnv, keysOf, read } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['api-keys'], env: { ...keyEnv, RATE_LIMIT_LOGIN: '100/15m' } })
})
after(() => app.stop())

const page = '/account/keys'

test('a user creates a key by form, sees it once, replaces and revokes it', async () => {
  const ada = await memberOf(app)
  const first = await ada.open(page)
  assert.match(textOf(first.text), /You have no API keys[\s\S]*Read your profile[\s\S]*7 days[\s\S]*365 days/)
  const created = await ada.send(page, {
    name: 'my <script>',
    days: '7',
    [`scope_${read}`]: 'on',
    ip_ranges: '10.0.0.0/8',
  })
  assert.equal(created.status, 200)
  const [key = ''] = /wkp_[0-9A-Za-z]{49}/.exec(created.text) ?? []
  assert.match(created.text, /my &lt;script&gt;/)
  const later = await ada.open(page)
  assert.ok(key !== '' && !later.text.includes(key))
  assert.match(textOf(later.text), /Valid[\s\S]*Read your profile[\s\S]*Never used/)

  const [{ id }] = await keysOf(app, ada)
  const rotated = await ada.send(`${page}/act`, { action: 'rotate', key_id: id })
  assert.match(rotated.text, /wkp_[0-9A-Za-z]{49}/)
  assert.match(textOf(rotated.text), /Replaced/)
  const again = await ada.send(`${page}/act`, { action: 'rotate', key_id: id })
  assert.deepEqual([again.status, /cannot be replaced now/.test(again.text)], [400, true])
  const revoked = await ada.send(`${page}/act`, { action: 'revoke', key_id: id })
  assert.equal(revoked.headers.location, `${page}?done=revoked`)
  assert.match(textOf((await ada.open(`${page}?done=revoked`)).text), /The key was revoked[\s\S]*Ended/)
})

test('rejected input keeps what was typed, also if the identity must be confirmed first', async () => {
  const ada = await memberOf(app)
  await ada.open(page)
  const wrong = await ada.send(page, { name: ' ', days: '30', ip_ranges: 'nonsense', [`scope_${read}`]: 'on' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /nonsense<\/textarea>/)
  assert.match(wrong.text, /name="scope_wardenry:profile:read" checked/)
  assert.match(textOf(wrong.text), /Enter a name[\s\S]*Enter networks such as/)
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + minute)
  await ada.open(page)
  const late = await ada.send(page, { name: 'kept', days: '30', [`scope_${read}`]: 'on' })
  assert.equal(late.status, 403)
  assert.match(late.text, /value="kept"/)
})

test('a form of another site creates no key', async () => {
  const ada = await memberOf(app)
  await ada.open(page)
  const forged = await ada.send(page, { name: 'x', days: '7', [`scope_${read}`]: 'on', form_token: 'x' })
  assert.notEqual(forged.status, 200)
  assert.equal((await keysOf(app, ada)).length, 0)
})
