import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAuthenticator } from '../support/authenticator.ts'
import { homeOf, passkeyLogin } from '../support/passkeys.ts'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { textOf } from './all-pages.ts'
import { codeChallenge, flowIn, locationOf, shop, signInAt } from './flow-support.ts'
import { flowVisitor, hiddenFields, nextIn, type Visitor, visitor } from './support.ts'

const many = {
  RATE_LIMIT_REGISTRATION: '1000/1h',
  RATE_LIMIT_TOKEN_LOGIN: '1000/1h',
  RATE_LIMIT_TOKEN_VALIDATE: '1000/1h',
}

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { ...many, ALLOWED_REDIRECTS: 'https://shop.test' } })
})
after(() => app?.stop())

const codeFor = async (email: string, at = app): Promise<string> =>
  /^\d{6}$/m.exec((await at.mailTo(email)).text)?.[0] ?? ''

const optionsIn = (html: string) => JSON.parse(/id="settings">(.+?)<\/script>/.exec(html)?.[1] ?? '{}').create

/** A browser on the page that creates the passkey. */
async function onPasskeyPage(email: string, browser = visitor(app), inFlow = '') {
  await browser.open(`/register${inFlow}`)
  const sent = await browser.send(`/register/address${inFlow}`, { email })
  assert.deepEqual([sent.status, sent.headers.location], [303, `/register/code${inFlow}`], textOf(sent.text))
  await browser.open(`/register/code${inFlow}`)
  const page = await browser.send(`/register/code${inFlow}`, { code: await codeFor(email) })
  assert.equal(page.status, 200, textOf(page.text))
  return { browser, page }
}

const passkeyFor = (html: string, authenticator = createAuthenticator(homeOf(app))): string =>
  JSON.stringify(authenticator.create(optionsIn(html)))

test('the first choice is a passkey, and the second a password', async () => {
  const page = await visitor(app).open('/register')
  assert.match(textOf(page.text), /Continue with a passkey[\s\S]*Use a password instead/)
  assert.doesNotMatch(page.text, /type="password"/)
  assert.match(page.text, /href="\/register\?with=password"/)
  const password = await visitor(app).open('/register?with=password')
  assert.match(password.text, /type="password"/)
  assert.match(password.text, /href="\/register"/)
})

test('an address, a code and a passkey create an account and sign in', async () => {
  const { email } = person()
  const authenticator = createAuthenticator(homeOf(app))
  const { browser, page } = await onPasskeyPage(email)
  const fields = { response: passkeyFor(page.text, authenticator), name: 'Ada', last_name: 'Lovelace' }
  const created = await browser.send('/register/passkey', fields)
  assert.deepEqual([created.status, nextIn(created.text)], [200, '/account'], textOf(created.text))
  assert.match(textOf(created.text), /Save your recovery codes[\s\S]*(\n[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{5}){10}\n/)
  assert.match(textOf(created.text), /exists on only one device/)
  assert.match(created.text, /href="\/account\/security\/add"/)
  const me = await app.get('/auth/me', { headers: { cookie: browser.cookie() } })
  const { user } = me.json
  assert.deepEqual([user.email, user.name, user.last_name, user.is_verified], [email, 'Ada', 'Lovelace', true])
  assert.equal((await passkeyLogin(app, authenticator)).status, 200)
  const again = await browser.send('/register/passkey', { ...fields, code: '000000' })
  assert.deepEqual([again.status, again.headers.location], [303, '/register'])
})

test('a taken address looks the same on every page', async () => {
  const owner = await registered(app)
  const free = person('grace')
  const seen = []
  for (const { email } of [owner, free]) {
    const browser = visitor(app)
    await browser.open('/register')
    const sent = await browser.send('/register/address', { email })
    const waiting = await browser.open('/register/code')
    const wrong = await browser.send('/register/code', { code: 'nocode' })
    const pages = [waiting, wrong].map(({ text }) => textOf(text).replaceAll(email, ''))
    seen.push([sent.status, sent.headers.location, wrong.status, ...pages])
  }
  assert.deepEqual(seen[0], seen[1])
  assert.equal(seen[0]?.[2], 400)
})

test('the address and the code are in no URL', async () => {
  const { email } = person()
  const browser = visitor(app)
  await browser.open('/register')
  const { headers } = await browser.send('/register/address', { email })
  assert.equal(headers.location, '/register/code')
  assert.match((await browser.open('/register')).text, new RegExp(`value="${email}"`))
})

test('after a rejected passkey, the page has new options, with which the same code suffices', async () => {
  const { email } = person()
  const { browser, page } = await onPasskeyPage(email)
  const wrong = JSON.parse(passkeyFor(page.text))
  wrong.response.clientDataJSON = Buffer.from('{"type":"webauthn.create"}').toString('base64url')
  for (const response of [JSON.stringify(wrong), 'not JSON', '']) {
    const again = await browser.send('/register/passkey', { response, name: 'Ada' })
    assert.equal(again.status, 400)
    assert.match(textOf(again.text), /passkey wasn’t accepted/)
    assert.match(again.text, /value="Ada"/)
    assert.notEqual(optionsIn(again.text).challenge, optionsIn(page.text).challenge)
  }
  const last = await browser.send('/register/passkey', { response: 'none' })
  const created = await browser.send('/register/passkey', { response: passkeyFor(last.text) })
  assert.deepEqual([created.status, nextIn(created.text)], [200, '/account'], textOf(created.text))
})

test('an address that was registered meanwhile is reported to the user who has proven it', async () => {
  const somebody = person()
  const { browser, page } = await onPasskeyPage(somebody.email)
  await app.post('/auth/register/public', somebody)
  const taken = await browser.send('/register/passkey', { response: passkeyFor(page.text) })
  assert.equal(taken.status, 400)
  assert.match(textOf(taken.text), /already registered/)
})

test('a form of another site or browser sends no code and creates no account', async () => {
  const { email } = person()
  const browser = visitor(app)
  await browser.open('/register')
  const foreign = await browser.send('/register/address', { email }, { 'sec-fetch-site': 'cross-site' })
  assert.deepEqual([foreign.status, foreign.cookies], [403, {}])
  await browser.open('/register')
  const expired = await browser.send('/register/address', { email, form_token: 'x' })
  assert.deepEqual([expired.status, expired.cookies], [400, {}])
  assert.match(textOf(expired.text), /open for too long/)

  const { browser: own, page } = await onPasskeyPage(email)
  const hidden = hiddenFields(page.text, '/register/passkey')
  const response = passkeyFor(page.text)
  for (const [path, fields] of [
    ['/register/code', { code: hidden.code ?? '' }],
    ['/register/passkey', { code: hidden.code ?? '', response }],
  ] as const)
    for (const form_token of ['', `${hidden.form_token}x`]) {
      const rejected = await own.send(path, { ...fields, form_token })
      assert.equal(rejected.status, 400)
      assert.match(textOf(rejected.text), /open for too long/)
    }
  assert.equal((await app.get('/auth/me', { headers: { cookie: own.cookie() } })).status, 401)
})

test('without a registration that has begun, the pages lead to the first one', async () => {
  for (const path of ['/register/code', '/register/passkey']) {
    const sent = await visitor(app).send(path, { code: '000000', form_token: 'x' })
    assert.deepEqual([sent.status, sent.headers.location], [303, '/register'])
  }
  assert.equal((await visitor(app).open('/register/code')).headers.location, '/register')
})

test('a user who came from an application continues there', async () => {
  const { email } = person()
  const browser = flowVisitor(app)
  const asked = { return_to: shop, state: 's', code_challenge: codeChallenge, screen: 'register' }
  const inFlow = `?flow=${flowIn(locationOf(await browser.open(signInAt(asked))))}`
  const { page } = await onPasskeyPage(email, browser, inFlow)
  const created = await browser.send(`/register/passkey${inFlow}`, { response: passkeyFor(page.text) })
  assert.equal(nextIn(created.text), `/login${inFlow}`)
  assert.match(locationOf(await browser.open(`/login${inFlow}`)), /^https:\/\/shop\.test\/callback\?code=/)
})

const onlyPasswords: [why: string, env: Record<string, string>][] = [
  ['passkeys are off', { PASSKEYS_ENABLED: 'false' }],
  ['the pages are at an IP address', { PUBLIC_URL: 'http://127.0.0.1:3000' }],
]
for (const [why, env] of onlyPasswords)
  test(`where ${why}, only the form with the password is shown`, async () => {
    await withApp(env, async (browser) => {
      const page = await browser.open('/register')
      assert.match(page.text, /type="password"/)
      assert.doesNotMatch(page.text, /passkey/i)
      assert.equal((await browser.send('/register/address', { email: person().email })).status, 400)
    })
  })

test('without passwords, the passkey is the only way, and registration by mail the other one if it is open', async () => {
  for (const [byMail, link] of [
    ['false', undefined],
    ['true', '/login/mail'],
  ] as const)
    await withApp({ PASSWORDS_ENABLED: 'false', TOKEN_LOGIN_AUTO_REGISTER: byMail }, async (browser) => {
      assert.match((await browser.open('/login')).text, /href="\/register"/)
      for (const path of ['/register', '/register?with=password']) {
        const { text } = await browser.open(path)
        assert.match(text, /action="\/register\/address"/)
        assert.doesNotMatch(text, /type="password"|href="\/register\?with=password"/)
        assert.equal(/class="button plain" href="(.*?)"/.exec(text)?.[1], link)
      }
    })
})

async function withApp(env: Record<string, string>, work: (browser: Visitor) => Promise<void>): Promise<void> {
  const other = await startTestApp({ env: { ...many, ...env } })
  try {
    await work(visitor(other))
  } finally {
    await other.stop()
  }
}
