import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { requestPath, statusOf } from './change-support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { EMAIL_CHANGE_REAUTH: 'true' } })
})
after(() => app.stop())

const ways = {
  'POST /auth/email-change/request': (sessionToken: string, new_email: string, more = {}) =>
    app.post(requestPath, { new_email, ...more }, withSession(sessionToken)),
  'PUT /auth/profile': (sessionToken: string, email: string, more = {}) =>
    app.call('PUT', '/auth/profile', { body: { email, name: 'Ada', ...more }, ...withSession(sessionToken) }),
}

for (const [name, ask] of Object.entries(ways)) {
  test(`${name}: a fresh sign-in may ask, an old one only with the password`, async () => {
    const ada = await registered(app)
    assert.equal((await ask(ada.sessionToken, person().email)).status, 200)
    app.clock.advance(11 * minute)
    const refused = await ask(ada.sessionToken, person().email)
    assert.equal(refused.status, 403)
    assert.equal(refused.json.code, 'REAUTH_REQUIRED')
    const wrong = await ask(ada.sessionToken, person().email, { current_password: 'not the password' })
    assert.equal(wrong.status, 400)
    assert.equal(wrong.json.code, 'INVALID_CURRENT_PASSWORD')
    const failures = (await auditOf(app, 'reauth_fail')).filter(({ target_id }) => target_id === ada.id)
    assert.equal(failures.length, 1)
    const newEmail = person().email
    const proven = await ask(ada.sessionToken, newEmail, { currentPassword: ada.password })
    assert.equal(proven.status, 200)
    assert.equal((await statusOf(app, ada.sessionToken)).new_email, newEmail)
  })

  test(`${name}: guesses at the password are counted`, async () => {
    const ada = await registered(app)
    app.clock.advance(11 * minute)
    const guess = () => ask(ada.sessionToken, person().email, { current_password: 'not the password' })
    for (let count = 0; count < 5; count++) assert.equal((await guess()).status, 400)
    assert.equal((await guess()).status, 429)
    assert.equal((await statusOf(app, ada.sessionToken)).status, 'none')
  })
}

test('a profile that keeps its address needs no proof, and a refused one changes nothing else', async () => {
  const ada = await registered(app)
  app.clock.advance(11 * minute)
  const put = (body: unknown) => app.call('PUT', '/auth/profile', { body, ...withSession(ada.sessionToken) })
  assert.equal((await put({ email: ada.email, name: 'Ada' })).status, 200)
  assert.equal((await put({ email: person().email, name: 'Grace' })).status, 403)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.user.name, 'Ada')
})
