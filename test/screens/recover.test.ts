import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuthenticator } from '../support/authenticator.ts'
import { eventually } from '../support/eventually.ts'
import { homeOf, passkeyLogin } from '../support/passkeys.ts'
import { person } from '../support/people.ts'
import {
  createdOnPage,
  manyRecoveries,
  type PasswordlessUser,
  passwordlessUser,
  recoveryMails,
} from '../support/recovery.ts'
import { rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { textOf } from './all-pages.ts'
import { codeChallenge, flowIn, locationOf, shop, signInAt } from './flow-support.ts'
import { flowVisitor, hiddenFields, nextIn, visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { ...manyRecoveries, ALLOWED_REDIRECTS: 'https://shop.test' } })
})
after(() => app?.stop())

/** A browser on the page for both codes. */
async function onCodesPage(user: PasswordlessUser, browser = visitor(app), inFlow = '') {
  const before = recoveryMails(app, user.email).length
  await browser.open(`/recover${inFlow}`)
  const sent = await browser.send(`/recover${inFlow}`, { email: user.email })
  assert.deepEqual([sent.status, sent.headers.location], [303, `/recover/codes${inFlow}`], textOf(sent.text))
  const page = await browser.open(`/recover/codes${inFlow}`)
  await eventually(() => recoveryMails(app, user.email).length > before)
  const code = /^\d{6}$/m.exec(recoveryMails(app, user.email).at(-1)?.text ?? '')?.[0] ?? ''
  return { browser, page, code }
}

test('the sign-in page leads to a new passkey, in three steps', async () => {
  const ada = await passwordlessUser(app)
  const start = await visitor(app).open('/login')
  assert.match(start.text, /href="\/recover(\?flow=[\w-]+)?">Lost your passkey\?/)
  assert.match((await visitor(app).open('/recover')).text, /href="\/login\/mail(\?flow=[\w-]+)?">No recovery code\?/)
  const { browser, code } = await onCodesPage(ada)
  const proven = await browser.send('/recover/codes', {
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
    recovery_code: ` ${String(ada.recoveryCodes[0]).toUpperCase()} `,
  })
  assert.deepEqual([proven.status, proven.headers.location], [303, '/recover/passkey'], textOf(proven.text))
  const page = await browser.open('/recover/passkey')
  assert.match(textOf(page.text), new RegExp(`Create a new passkey[\\s\\S]*${ada.email}[\\s\\S]*Remove lost passkeys`))
  const lost = /name="(lost0)" value="(.+?)"/.exec(page.text)
  const authenticator = createAuthenticator(homeOf(app))
  const response = await createdOnPage(app, browser, authenticator)
  const done = await browser.send('/recover/passkey', { response, [lost?.[1] ?? '']: lost?.[2] ?? '' })
  assert.deepEqual([done.status, done.headers.location], [303, '/account?done=recovered'], textOf(done.text))
  assert.match(textOf((await browser.open('/account?done=recovered')).text), /Your passkey was added/)
  assert.equal((await browser.open('/account')).status, 200)
  assert.equal((await passkeyLogin(app, authenticator)).status, 200)
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 401)
})

test('a wrong code of either kind is told in the same words, and both can be entered again', async () => {
  const ada = await passwordlessUser(app)
  const { browser, code } = await onCodesPage(ada)
  const wrong = [
    { code: code === '111111' ? '222222' : '111111', recovery_code: ada.recoveryCodes[0] ?? '' },
    { code, recovery_code: 'aaaa-bbbb-ccccc' },
  ]
  const texts = []
  for (const fields of wrong) {
    const page = await browser.send('/recover/codes', fields)
    assert.equal(page.status, 400)
    texts.push(textOf(page.text))
  }
  assert.equal(texts[0], texts[1])
  assert.match(texts[0] ?? '', /One of the codes is wrong/)
  const shapeless = await browser.send('/recover/codes', { code, recovery_code: 'none' })
  assert.match(textOf(shapeless.text), /Enter a recovery code, such as/)
  const right = await browser.send('/recover/codes', { code, recovery_code: ada.recoveryCodes[0] ?? '' })
  assert.equal(right.status, 303)
})

test('an unknown address sees the same pages', async () => {
  const ada = await passwordlessUser(app)
  const seen = []
  for (const { email } of [ada, person('grace')]) {
    const browser = visitor(app)
    await browser.open('/recover')
    const sent = await browser.send('/recover', { email })
    const waiting = await browser.open('/recover/codes')
    const wrong = await browser.send('/recover/codes', { code: 'nocode', recovery_code: 'aaaa-bbbb-ccccc' })
    const pages = [waiting, wrong].map(({ text }) => textOf(text).replaceAll(email, ''))
    seen.push([sent.status, sent.headers.location, wrong.status, ...pages])
  }
  assert.deepEqual(seen[0], seen[1])
})

test('in a recovery, every page of the account leads to the new passkey, and it can be cancelled', async () => {
  const ada = await passwordlessUser(app)
  const { browser, code } = await onCodesPage(ada)
  await browser.send('/recover/codes', { code, recovery_code: ada.recoveryCodes[0] ?? '' })
  for (const path of ['/account', '/account/security', '/account/profile', '/account/email', '/account/password'])
    assert.equal((await browser.open(path)).headers.location, '/recover/passkey', path)
  assert.notEqual((await browser.open('/console')).status, 200)
  await browser.open('/recover/passkey')
  const out = await browser.send('/logout')
  assert.ok([200, 303].includes(out.status), textOf(out.text))
  assert.equal((await browser.open('/recover/passkey')).headers.location, '/login?ended=true')
})

test('a rejected passkey can be tried again, and a form of another browser adds none', async () => {
  const ada = await passwordlessUser(app)
  const { browser, code } = await onCodesPage(ada)
  await browser.send('/recover/codes', { code, recovery_code: ada.recoveryCodes[0] ?? '' })
  const page = await browser.open('/recover/passkey')
  const response = await createdOnPage(app, browser)
  const { form_token: formToken } = hiddenFields(page.text, '/recover/passkey')
  const forged = await browser.send('/recover/passkey', { response, form_token: `${formToken}x` })
  assert.equal(forged.status, 400)
  const rejected = await browser.send('/recover/passkey', { response: 'none' })
  assert.equal(rejected.status, 400)
  assert.match(textOf(rejected.text), /passkey wasn’t accepted/)
  const again = await createdOnPage(app, browser)
  assert.equal((await browser.send('/recover/passkey', { response: again })).status, 303)
})

test('a page that is only opened stores nothing', async () => {
  const ada = await passwordlessUser(app)
  const { browser, code } = await onCodesPage(ada)
  await browser.send('/recover/codes', { code, recovery_code: ada.recoveryCodes[0] ?? '' })
  const before = await rowCounts(app)
  for (let count = 0; count < 2; count++) assert.equal((await browser.open('/recover/passkey')).status, 200)
  assert.deepEqual(await rowCounts(app), before)
})

test('pages that are opened too early lead to the first one, and a signed-in user to the settings', async () => {
  assert.equal((await visitor(app).open('/recover/codes')).headers.location, '/recover')
  assert.equal((await visitor(app).open('/recover/passkey')).headers.location, '/login?ended=true')
  const ada = await passwordlessUser(app)
  const cookie = `session_id=${ada.sessionToken}`
  const page = await app.get('/recover/passkey', { headers: { cookie, accept: 'text/html' } })
  assert.equal(page.headers.location, '/account/security')
})

test('a user who came from an application continues there', async () => {
  const ada = await passwordlessUser(app)
  const browser = flowVisitor(app)
  const asked = { return_to: shop, state: 's', code_challenge: codeChallenge }
  const inFlow = `?flow=${flowIn(locationOf(await browser.open(signInAt(asked))))}`
  const { code } = await onCodesPage(ada, browser, inFlow)
  await browser.send(`/recover/codes${inFlow}`, { code, recovery_code: ada.recoveryCodes[0] ?? '' })
  const early = await browser.open(`/login${inFlow}`)
  assert.equal(early.status, 200, 'the session of a recovery returns to no application')
  await browser.open(`/recover/passkey${inFlow}`)
  const response = await createdOnPage(app, browser)
  const done = await browser.send(`/recover/passkey${inFlow}`, { response })
  assert.equal(locationOf(done), `/login${inFlow}`)
  assert.match(locationOf(await browser.open(`/login${inFlow}`)), /^https:\/\/shop\.test\/callback\?code=/)
})

test('a sign-in that is cancelled ends the session of a recovery', async () => {
  const ada = await passwordlessUser(app)
  const browser = flowVisitor(app)
  const asked = { return_to: shop, state: 's', code_challenge: codeChallenge }
  const inFlow = `?flow=${flowIn(locationOf(await browser.open(signInAt(asked))))}`
  const { code } = await onCodesPage(ada, browser, inFlow)
  const proven = await browser.send(`/recover/codes${inFlow}`, { code, recovery_code: ada.recoveryCodes[0] ?? '' })
  const sessionToken = String(proven.cookies.session_id?.value)
  await browser.open(`/recover/passkey${inFlow}`)
  const out = await browser.send(`/login/cancel${inFlow}`)
  assert.match(locationOf(out), /^https:\/\/shop\.test\/callback\?error=access_denied/)
  const late = await app.get('/auth/recovery/passkeys', { headers: { 'x-session-id': sessionToken } })
  assert.deepEqual([late.status, late.json.code], [401, 'INVALID_SESSION'])
})

test('the last recovery code brings new ones', async () => {
  const ada = await passwordlessUser(app)
  const { browser, code } = await onCodesPage(ada)
  await browser.send('/recover/codes', { code, recovery_code: ada.recoveryCodes[0] ?? '' })
  await sql`UPDATE recovery_codes SET used_at = now() WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  await browser.open('/recover/passkey')
  const response = await createdOnPage(app, browser)
  const done = await browser.send('/recover/passkey', { response })
  assert.deepEqual([done.status, nextIn(done.text)], [200, '/account'])
  assert.match(textOf(done.text), /Save your recovery codes/)
})

test('the settings show how many codes are left, and replace them', async () => {
  const ada = await passwordlessUser(app)
  const browser = visitor(app, { cookie: `session_id=${ada.sessionToken}` })
  const page = await browser.open('/account/security')
  assert.match(textOf(page.text), /10 codes left/)
  const replaced = await browser.send('/account/security/codes')
  assert.match(textOf(replaced.text), /Save your recovery codes[\s\S]*(\n[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{5}){10}\n/)
  assert.match((await app.mailTo(ada.email, 1)).subject, /recovery codes .* were replaced/)
  const proof = await app.post('/auth/recovery/code', { email: ada.email })
  await eventually(() => recoveryMails(app, ada.email).length > 0)
  const code = /^\d{6}$/m.exec(recoveryMails(app, ada.email).at(-1)?.text ?? '')?.[0]
  const old = { recovery_id: proof.json.recovery_id, code, recovery_code: ada.recoveryCodes[0] }
  assert.equal((await app.post('/auth/recovery', old)).json.code, 'INVALID_CODE')
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + 1000)
  await browser.open('/account/security')
  const late = await browser.send('/account/security/codes')
  assert.match(String(late.headers.location), /^\/account\/confirm/)
})

test('where passkeys are off, nothing of this is offered', async () => {
  const off = await startTestApp({ env: { PASSKEYS_ENABLED: 'false' } })
  try {
    assert.doesNotMatch((await visitor(off).open('/login')).text, /\/recover/)
    assert.equal((await visitor(off).open('/recover')).headers.location, '/login')
  } finally {
    await off.stop()
  }
})
