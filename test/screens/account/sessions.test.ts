import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, hour, minute, second } from '../../../src/lib/time.ts'
import { ago } from '../../../src/ui/account/when.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import { memberOf, signedInBrowser } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_LOGIN: '100/15m' } })
})
after(() => app.stop())

const path = '/account/sessions'

test('every session shows where and when it was used, and all but the current one can be ended', async () => {
  const ada = await memberOf(app)
  const other = await signedInBrowser(app, ada)
  const list = await ada.open(path)
  assert.match(textOf(list.text), /This browser[\s\S]*Last used this minute[\s\S]*198\.18\./)
  // The list contains two sessions because registering also created one.
  assert.equal(list.text.split('action="/account/sessions/end"').length - 1, 2)
  const done = await ada.send('/account/sessions/end')
  assert.deepEqual([done.status, done.headers.location], [303, `${path}?done=session_ended`])
  assert.match(textOf((await ada.open(`${path}?done=session_ended`)).text), /The session was ended/)
  assert.equal((await ada.open('/account')).status, 200)
  assert.equal((await other.open('/account')).headers.location, '/login?ended=session')
})

test('a session of another user, or one that has ended, is not found', async () => {
  const [ada, grace] = [await memberOf(app), await memberOf(app)]
  const foreign = (await app.get('/auth/sessions', { headers: { cookie: grace.cookie() } })).json.data.sessions[0].id
  for (const id of [foreign, '../users', 'x']) {
    await ada.open(path)
    const refused = await ada.send('/account/sessions/end', { id })
    assert.equal(refused.status, 404, id)
    assert.match(textOf(refused.text), /has already ended/)
  }
  assert.equal((await grace.open('/account')).status, 200)
  await ada.open(path)
  const forged = await ada.send('/account/sessions/end-others', { form_token: 'x.y' })
  assert.match(textOf(forged.text), /open for too long/)
})

test('a request without a session id ends nothing', async () => {
  const ada = await memberOf(app)
  const other = await signedInBrowser(app, ada)
  for (const id of ['', '.', '..', '%2e', './']) {
    await ada.open(path)
    assert.equal((await ada.send('/account/sessions/end', { id })).status, 404, id)
  }
  assert.equal((await other.open('/account')).status, 200)
})

test('all other sessions end at once, for a user with recent authentication', async () => {
  const ada = await memberOf(app)
  const other = await signedInBrowser(app, ada)
  app.clock.advance(11 * minute)
  await ada.open(path)
  const asked = await ada.send('/account/sessions/end-others')
  assert.equal(asked.headers.location, '/account/confirm?next=%2Faccount%2Fsessions')
  assert.equal((await other.open('/account')).status, 200)
  await ada.open(String(asked.headers.location))
  const back = await ada.send('/account/confirm', { proof: ada.password })
  await ada.open(String(back.headers.location))
  assert.equal((await ada.send('/account/sessions/end-others')).headers.location, `${path}?done=others_ended`)
  assert.equal((await other.open('/account')).headers.location, '/login?ended=session')
  const alone = await ada.open(path)
  assert.doesNotMatch(alone.text, /end-others/)
})

test('times are shown as relative times, in both languages', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z')
  const at = (passed: number) => new Date(now - passed).toISOString()
  assert.deepEqual(
    [0, 59 * second, minute, 3 * hour, day, 12 * day, -hour].map((passed) => ago('en', at(passed), now)),
    ['this minute', 'this minute', '1 minute ago', '3 hours ago', 'yesterday', '12 days ago', 'this minute'],
  )
  assert.equal(ago('es', at(3 * hour), now), 'hace 3 horas')
})
