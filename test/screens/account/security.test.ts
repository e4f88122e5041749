import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../../src/lib/time.ts'
import { sectionsOf } from '../../../src/modules/two-factor/pages/security/list/view.ts'
import { accountSecurityPage } from '../../../src/screens/account/security/list/view.ts'
import type { PageLanguage } from '../../../src/ui/texts/index.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { addOwnPasskey, homeOf } from '../../support/passkeys.ts'
import type { Reply } from '../../support/test-app.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { codeTo, fromBase32, totpOf, withTotp, wrongCode } from '../../two-factor/support.ts'
import { contextFor, textOf } from '../all-pages.ts'
import { type Visitor, visitor } from '../support.ts'
import { memberOf } from './support.ts'

let app: TestApp
before(async () => {
  const env = { RATE_LIMIT_LOGIN: '100/15m', RATE_LIMIT_TOKEN_LOGIN: '100/10m', RATE_LIMIT_TOKEN_VALIDATE: '100/5m' }
  app = await startTestApp({ modules: ['two-factor'], env })
})
after(() => app.stop())

const list = '/account/security'
const secretIn = ({ text }: Reply): string => /<code class="secret[^>]*>([A-Z2-7 ]+)</.exec(text)?.[1] ?? ''
const qrIn = ({ text }: Reply): string | undefined => /<svg xmlns.*?<\/svg>/s.exec(text)?.[0]
const codesIn = ({ text }: Reply): string[] =>
  [...text.matchAll(/<li>([a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{5})<\/li>/g)].map(([, code = '']) => code)

/** Sets up an authenticator using the forms on the pages. */
async function addTotp(browser: Visitor) {
  await browser.open(`${list}/methods/add?method=totp`)
  const begun = await browser.send(`${list}/methods/add`)
  const seed = fromBase32(secretIn(begun).replaceAll(' ', ''))
  const code = () => totpOf(seed, app.clock.now())
  const done = await browser.send(`${list}/finish`, { code: code() })
  app.clock.advance(minute / 2)
  return { begun, code, done, codes: codesIn(done) }
}

/** A user who signs in with a second factor, in a browser without scripts. */
async function confirmedMember(of = app) {
  const ada = await withTotp(of)
  const browser = visitor(of)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  await browser.open('/login/verify')
  await browser.send('/login/verify', { code: ada.code() })
  of.clock.advance(minute / 2)
  return { ...ada, ...browser }
}

test('an authenticator is set up with a picture and a key that no other page shows', async () => {
  const ada = await memberOf(app)
  assert.match(textOf((await ada.open(list)).text), /Only your password is required/)
  const { begun, done, codes } = await addTotp(ada)
  assert.equal(begun.status, 200)
  assert.match(begun.text, /<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox/)
  assert.match(begun.text, /href="otpauth:\/\/totp\//)
  assert.match(String(begun.headers['cache-control']), /no-store/)
  assert.deepEqual([done.status, codes.length], [200, 10])
  assert.match(String(done.headers['cache-control']), /no-store/)

  const after = await ada.open(list)
  assert.match(textOf(after.text), /Two-factor sign-in\nOn/)
  assert.match(textOf(after.text), /10 codes left/)
  for (const secret of [secretIn(begun), ...codes]) {
    assert.ok(secret.length > 10)
    assert.ok(!after.text.includes(secret))
    assert.ok(!app.logged().includes(secret.replaceAll(' ', '')))
  }
})

test('a wrong code keeps the set-up and the QR code; a new set-up has another key', async () => {
  const ada = await memberOf(app)
  await ada.open(`${list}/methods/add?method=totp`)
  const begun = await ada.send(`${list}/methods/add`)
  const code = wrongCode(totpOf(fromBase32(secretIn(begun).replaceAll(' ', '')), app.clock.now()))
  const wrong = await ada.send(`${list}/finish`, { code })
  assert.equal(wrong.status, 400)
  assert.match(textOf(wrong.text), /This code is wrong or has expired.*attempts left/)
  assert.deepEqual([secretIn(wrong), qrIn(wrong)], [secretIn(begun), qrIn(begun)])
  for (const secret of ['', '"><script>alert(1)</script>', 'A'.repeat(31), 'a'.repeat(32)]) {
    const forged = await ada.send(`${list}/finish`, { code, secret })
    assert.deepEqual([secretIn(forged), qrIn(forged), forged.text.includes('alert(1)')], ['', undefined, false])
  }
  const again = await ada.send(`${list}/methods/add`)
  assert.notEqual(secretIn(again), secretIn(begun))

  const waiting = await ada.open(list)
  assert.match(textOf(waiting.text), /Authenticator app\nSetup not finished/)
  const finish = /href="(\/account\/security\/finish\?method_id=[^"]+)"/.exec(waiting.text)?.[1] ?? ''
  assert.deepEqual([(await ada.open(finish)).status, secretIn(await ada.open(finish))], [200, ''])
  await ada.open(list)
  assert.equal((await ada.send(`${list}/remove`)).headers.location, `${list}?done=removed`)
  assert.equal((await ada.open(finish)).headers.location, list)
})

test('codes by mail are set up, sent again, and confirm a removal', async () => {
  const ada = await memberOf(app)
  assert.ok((await ada.open(`${list}/methods/add?method=email`)).text.includes(`value="${ada.email}"`))
  const bad = await ada.send(`${list}/methods/add`, { identifier: 'nowhere' })
  assert.equal(bad.status, 400)
  assert.match(textOf(bad.text), /Enter a complete email address or phone number/)
  await ada.send(`${list}/methods/add`, { identifier: ada.email })
  const first = await codeTo(app, ada.email)
  assert.match(textOf((await ada.send(`${list}/resend`)).text), /A new code is on its way/)
  const code = await codeTo(app, ada.email, 1)
  if (first !== code) assert.equal((await ada.send(`${list}/finish`, { code: first })).status, 400)
  assert.equal(codesIn(await ada.send(`${list}/finish`, { code })).length, 10)

  const page = await ada.open(list)
  const remove = /href="(\/account\/security\/remove\?id=[^"]+)"/.exec(page.text)?.[1] ?? ''
  assert.match(textOf((await ada.open(remove)).text), /your only method/)
  assert.match(textOf((await ada.send(`${list}/remove/send`)).text), /A new code is on its way/)
  const third = await codeTo(app, ada.email, 2)
  const wrong = await ada.send(`${list}/remove`, { code: wrongCode(third) })
  assert.match(textOf(wrong.text), /wrong or has expired.*left/)
  assert.equal((await ada.send(`${list}/remove`, { code: third })).headers.location, `${list}?done=removed`)
  assert.match(textOf((await ada.open(`${list}?done=removed`)).text), /The method was removed\.[\s\S]*No methods yet/)
})

test('codes by text message are set up with the number of the account, or another one', async () => {
  const ada = await memberOf(app, { phone: '+4915112345670' })
  const asked = await ada.open(`${list}/methods/add?method=sms`)
  assert.match(asked.text, /type="tel" value="\+4915112345670"/)
  await ada.send(`${list}/methods/add`, { identifier: '+4915112345671' })
  const code = await codeTo(app, '+4915112345671')
  assert.equal(codesIn(await ada.send(`${list}/finish`, { code })).length, 10)
  assert.match(textOf((await ada.open(list)).text), /Code by text message to \*\*\*\d*71/)
})

test('whose role asks for a second step is offered no way to switch it off', () => {
  const method = {
    id: '1',
    method: 'totp',
    status: 'active',
    identifier: null,
    last_used_at: null,
    metadata: {},
  } as const
  const methods = [{ ...method, created_at: '2026-01-31T12:00:00.000Z' }]
  const area = { path: list, entries: [], logoutForm: '', userId: '' }
  const data = { methods, offered: [], isOn: false, timeZone: null, forms: { on: '', recovery: '', remove: '' } }
  const part = {
    sections: (lang: PageLanguage) => sectionsOf({ ...data, isRequired: true }, lang),
    outcomes: () => ({ done: {}, rejections: {} }),
    addAddress: () => list,
    removalAddress: undefined,
  }
  const html = accountSecurityPage(
    { area, parts: [part], passkeys: [], codes: null, codesForm: '', canAdd: false, timeZone: null },
    contextFor('en'),
  )
  assert.match(textOf(html), /Two-factor sign-in\nOn\n[\s\S]*Your role always requires a second step/)
  assert.ok(!html.includes(`${list}/off`))
})

test('a recovery code removes a method, and new codes end the ones before', async () => {
  const ada = await confirmedMember()
  await ada.open(list)
  const renewed = codesIn(await ada.send(`${list}/recovery`))
  assert.equal(renewed.length, 10)
  const page = await ada.open(list)
  const remove = /href="(\/account\/security\/remove\?id=[^"]+)"/.exec(page.text)?.[1] ?? ''
  const asked = await ada.open(remove)
  const byRecovery = /href="([^"]+)">Recovery codes</.exec(asked.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  await ada.open(byRecovery)
  assert.equal((await ada.send(`${list}/remove`, { code: ada.recoveryCodes[0] ?? '' })).status, 400)
  const done = await ada.send(`${list}/remove`, { code: renewed[0] ?? '' })
  assert.equal(done.headers.location, `${list}?done=removed`)
})

test('a user with a password and a passkey generates the first recovery codes', async () => {
  const ada = await memberOf(app)
  assert.doesNotMatch(textOf((await ada.open(list)).text), /\nRecovery codes\n/)
  await addOwnPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  const page = await ada.open(list)
  assert.match(
    textOf(page.text),
    /\nRecovery codes\n[\s\S]*You have no codes yet\.[\s\S]*This signs you out everywhere else/,
  )
  app.clock.advance(11 * minute)
  const asked = await ada.send(`${list}/codes`)
  assert.match(String(asked.headers.location), /^\/account\/confirm\?next=/)
  await ada.open(`${asked.headers.location}&way=password`)
  await ada.send('/account/confirm', { proof: ada.password })
  await ada.open(list)
  const generated = await ada.send(`${list}/codes`)
  assert.equal(codesIn(generated).length, 10, textOf(generated.text))
  const after = textOf((await ada.open(list)).text)
  assert.match(after, /10 codes left/)
  assert.equal(after.match(/\nRecovery codes\n/g)?.length, 1, 'the module does not show them a second time')
})

test('the second step is switched off with a code, and on again', async () => {
  const ada = await confirmedMember()
  await ada.open(`${list}/off`)
  assert.equal((await ada.send(`${list}/off`, { code: '' })).status, 400)
  assert.equal((await ada.send(`${list}/off`, { code: wrongCode(ada.code()) })).status, 400)
  assert.equal((await ada.send(`${list}/off`, { code: ada.code() })).headers.location, `${list}?done=off`)
  const off = await ada.open(`${list}?done=off`)
  assert.match(textOf(off.text), /Two-factor sign-in is off\.[\s\S]*You have set up a method, but it isn’t required/)
  assert.equal((await ada.send(`${list}/on`)).headers.location, `${list}?done=on`)
})

test('what changes a factor asks anew who it is, and comes back to the same page', async () => {
  const ada = await memberOf(app)
  app.clock.advance(11 * minute)
  await ada.open(`${list}/methods/add?method=totp`)
  const back = encodeURIComponent(`${list}/methods/add?method=totp`)
  assert.equal((await ada.send(`${list}/methods/add`)).headers.location, `/account/confirm?next=${back}`)
  await ada.open(`/account/confirm?next=${back}`)
  const proven = await ada.send('/account/confirm', { proof: ada.password })
  assert.equal(proven.headers.location, `${list}/methods/add?method=totp&done=confirmed`)
  const again = await ada.open(String(proven.headers.location))
  assert.match(textOf(again.text), /You can continue now/)
  assert.notEqual(secretIn(await ada.send(`${list}/methods/add`)), '')
})

test('who signed in without a second factor is asked for one before another is added', async () => {
  const ada = await confirmedMember()
  await sql`UPDATE sessions SET two_factor_verified = false WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  await app.post('/auth/invalidate/me', undefined, { headers: { cookie: ada.cookie() } })
  await ada.open(`${list}/methods/add?method=totp`)
  const led = await ada.send(`${list}/methods/add`)
  const confirm = await ada.open(String(led.headers.location))
  assert.match(textOf(confirm.text), /Enter the code from your authenticator app/)
  assert.equal((await ada.send('/account/confirm', { proof: ada.code() })).status, 303)
  await ada.open(`${list}/methods/add?method=totp`)
  assert.notEqual(secretIn(await ada.send(`${list}/methods/add`)), '')
})

test('a form of another site, or of nobody, changes nothing', async () => {
  const ada = await confirmedMember()
  const foreign = { 'sec-fetch-site': 'cross-site' }
  const page = await ada.open(list)
  const id = /remove\?id=([0-9a-f-]+)"/.exec(page.text)?.[1] ?? ''
  for (const [path, where, fields] of [
    ['methods/add', '/methods/add?method=email', {}],
    ['recovery', '', {}],
    ['off', '/off', { code: ada.code() }],
    ['remove', `/remove?id=${id}`, { code: ada.recoveryCodes[0] ?? '' }],
  ] as const) {
    await ada.open(`${list}${where}`)
    const refused = await ada.send(`${list}/${path}`, fields, foreign)
    assert.equal(refused.status, 403, path)
  }
  assert.match(textOf((await ada.open(list)).text), /10 codes left/)
})

for (const methods of ['totp,passkey', 'totp'])
  test(`with a second factor, a passkey is removed with a code if the methods are ${methods}`, async () => {
    const own = await startTestApp({ modules: ['two-factor'], env: { TWO_FACTOR_METHODS: methods } })
    try {
      const ada = await confirmedMember(own)
      const { json } = await addOwnPasskey(own, ada.sessionToken, createAuthenticator(homeOf(own)))
      const page = await ada.open(list)
      assert.equal(textOf(page.text).match(/Only on one device/g)?.length, 1, 'the passkey is listed once')
      const proof = `${list}/remove?id=${json.id}`
      assert.ok(page.text.includes(`href="${proof}"`))
      assert.equal((await ada.open(`${list}/passkeys/remove?id=${json.id}`)).headers.location, proof)
      await ada.open(proof)
      assert.equal((await ada.send(`${list}/remove`, { code: '' })).status, 400)
      const removed = await ada.send(`${list}/remove`, { code: ada.code() })
      assert.equal(removed.headers.location, `${list}?done=removed`)
      assert.doesNotMatch(textOf((await ada.open(list)).text), /Only on one device/)
    } finally {
      await own.stop()
    }
  })

test('the former addresses of the set-up still lead there', async () => {
  const ada = await memberOf(app)
  assert.equal((await ada.open(`${list}/add?method=totp`)).headers.location, `${list}/methods/add?method=totp`)
  assert.equal((await ada.open(`${list}/add?method=passkey`)).status, 200)
})

test('what is not offered has no page', async () => {
  const plain = await startTestApp({ modules: ['two-factor'], env: { TWO_FACTOR_METHODS: 'totp' } })
  try {
    const ada = await memberOf(plain)
    assert.equal((await ada.open(`${list}/methods/add?method=email`)).headers.location, list)
    assert.doesNotMatch(textOf((await ada.open(list)).text), /by email/)
  } finally {
    await plain.stop()
  }
})

test('without passkeys and without the module, there is no page and no link to it', async () => {
  const plain = await startTestApp({ env: { PASSKEYS_ENABLED: 'false' } })
  try {
    const ada = await memberOf(plain)
    assert.equal((await ada.open(list)).status, 404)
    assert.ok(!(await ada.open('/account')).text.includes(list))
  } finally {
    await plain.stop()
  }
})
