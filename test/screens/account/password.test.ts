import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../../src/lib/time.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { tagsOf, textOf } from '../all-pages.ts'
import { memberOf, signedInBrowser } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_LOGIN: '100/15m' } })
})
after(() => app.stop())

const path = '/account/password'
const fresh = 'quiet lamps over the delta'

test('a new password is taken with the current one, and only this session stays', async () => {
  const ada = await memberOf(app)
  const other = await signedInBrowser(app, ada)
  await ada.open(path)
  const wrong = await ada.send(path, { current_password: 'not the password', new_password: fresh })
  assert.equal(wrong.status, 400)
  const field = tagsOf(wrong.text).find(({ attributes }) => attributes.id === 'current_password')
  assert.equal(field?.attributes['aria-invalid'], 'true')
  assert.match(textOf(wrong.text), /This password is incorrect/)
  assert.ok(!wrong.text.includes(fresh) && !wrong.text.includes('not the password'))
  const done = await ada.send(path, { current_password: ada.password, new_password: fresh })
  assert.deepEqual([done.status, done.headers.location], [303, `${path}?done=password_saved`])
  assert.match(textOf((await ada.open(`${path}?done=password_saved`)).text), /All other sessions have ended/)
  assert.equal((await other.open('/account')).headers.location, '/login?ended=session')
  await signedInBrowser(app, { ...ada, password: fresh })
})

test('without a script, the page names the rule that a password breaks, in its language', async () => {
  const ada = await memberOf(app)
  const rules: Record<string, RegExp> = {
    short: /Enter at least 8 characters/,
    password123: /This password is too common/,
    [ada.email]: /Don’t use your email address/,
    [ada.password]: /your current password/,
    '         ': /only of spaces/,
  }
  for (const [password, sentence] of Object.entries(rules)) {
    await ada.open(path)
    const refused = await ada.send(path, { current_password: ada.password, new_password: password })
    assert.equal(refused.status, 400)
    assert.match(textOf(refused.text), sentence)
  }
  await app.call('PUT', '/auth/profile', { body: { lang: 'es' }, headers: { cookie: ada.cookie() } })
  await ada.open(path)
  const refused = await ada.send(path, { current_password: ada.password, new_password: 'password123' })
  assert.match(textOf(refused.text), /demasiado común/)
})

test('the first password needs no current one, but recent authentication', async () => {
  const ada = await memberOf(app)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  const first = await ada.open(path)
  assert.match(textOf(first.text), /has no password yet/)
  assert.doesNotMatch(first.text, /current_password/)
  app.clock.advance(11 * minute)
  assert.equal(
    (await ada.send(path, { new_password: fresh })).headers.location,
    '/account/confirm?next=%2Faccount%2Fpassword',
  )
  await sql`UPDATE sessions SET proved_at = ${new Date(app.clock.now())} WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  await ada.open(path)
  assert.equal((await ada.send(path, { new_password: fresh })).headers.location, `${path}?done=password_saved`)
  assert.match((await ada.open(path)).text, /current_password/)
})

test('guesses at the current password are counted as at sign-in', async () => {
  const ada = await memberOf(app)
  const answers: number[] = []
  for (let count = 0; count < 6; count++) {
    await ada.open(path)
    answers.push((await ada.send(path, { current_password: `guess ${count}`, new_password: fresh })).status)
  }
  assert.deepEqual(answers, [400, 400, 400, 400, 400, 429])
})
