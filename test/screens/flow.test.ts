import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, minute } from '../../src/lib/time.ts'

import { registered } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { withTotp } from '../two-factor/support.ts'
import { textOf } from './all-pages.ts'
import { codeChallenge, flowIn, locationOf, shop, signInAt, verifier } from './flow-support.ts'
import { flowVisitor, type Visitor } from './support.ts'

let app: TestApp
before(async () => {
  const env = { ALLOWED_REDIRECTS: 'https://shop.test,https://shared.test/app,myapp://' }
  app = await startTestApp({ modules: ['two-factor'], env })
})
after(() => app.stop())

const begin = async (browser: Visitor, members: Record<string, string>, path?: string): Promise<string> => {
  const address = locationOf(await browser.open(signInAt(members, path)))
  await browser.open(address)
  return address
}

const redeem = (code: string, more: Record<string, string> = {}) =>
  app.post(
    '/auth/bridge/redeem',
    { code, code_verifier: verifier, return_to: shop, ...more },
    { headers: { 'x-bridge-secret': bridgeSecret } },
  )

test('a password leads back to the application, and the session follows by a code', async () => {
  const ada = await registered(app)
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: shop, state: 'a b&c', code_challenge: codeChallenge })
  assert.match(address, /^\/login\?flow=/)
  const onward = locationOf(await browser.send(address, { identifier: ada.email, password: ada.password }))
  assert.equal(onward, address)
  const end = await browser.open(onward)
  const url = new URL(locationOf(end))
  assert.equal(url.origin + url.pathname, shop)
  assert.equal(url.searchParams.get('state'), 'a b&c')
  assert.equal(end.headers['referrer-policy'], 'no-referrer')
  assert.equal(end.headers['cache-control'], 'no-store')
  assert.doesNotMatch(browser.cookie(), /flow_/)
  const reply = await redeem(url.searchParams.get('code') ?? '')
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.json.user.id, ada.id)
})

test('without a challenge the browser returns as it came', async () => {
  const ada = await registered(app)
  for (const return_to of [
    'https://shared.test/app/x?y=1#z',
    'myapp://signed-in',
    'http://localhost:3000/account/security',
  ]) {
    const browser = flowVisitor(app)
    const address = await begin(browser, { return_to })
    await browser.send(address, { identifier: ada.email, password: ada.password })
    assert.equal(locationOf(await browser.open(address)), return_to)
    assert.equal(locationOf(await browser.open(signInAt({ return_to }))), return_to, 'signed in: at once')
  }
})

test('the policy of a page lets its form end at the return address', async () => {
  for (const [return_to, source] of [
    [shop, 'https://shop.test'],
    ['myapp://done', 'myapp:'],
  ] as const) {
    const browser = flowVisitor(app)
    const page = await browser.open(locationOf(await browser.open(signInAt({ return_to }))))
    assert.match(String(page.headers['content-security-policy']), new RegExp(`form-action 'self' ${source};`))
  }
})

test('an address that is not allowed gets an error page that names the setting, and leaves a trace', async () => {
  const ada = await registered(app)
  const browser = flowVisitor(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  const refused = [
    'https://evil.test/x',
    '//evil.test',
    'https://shop.test@evil.test/',
    'https://shared.test/app-evil',
    '',
  ]
  for (const return_to of refused) {
    const before = await auditOf(app, 'return_rejected')
    const page = await browser.open(signInAt({ return_to, prompt: 'none' }))
    assert.deepEqual([page.status, page.headers.location], [400, undefined], return_to)
    assert.match(textOf(page.text), /contact its operator\.\n[\s\S]*ALLOWED_REDIRECTS/)
    assert.doesNotMatch(browser.cookie(), /flow_/)
    assert.equal((await auditOf(app, 'return_rejected')).length, before.length + 1)
  }
  for (const path of ['/register', '/login/mail', '/forgot']) {
    const page = await browser.open(locationOf(await browser.open(signInAt({ return_to: 'https://evil.test' }, path))))
    assert.equal(page.status, 400)
  }
})

test('of a long address that is not allowed the end is shown: it says whose it is', async () => {
  const return_to = `https://${`${'a'.repeat(50)}.`.repeat(4)}evil.test/`
  const page = await flowVisitor(app).open(signInAt({ return_to }))
  assert.match(textOf(page.text), /\n…a+\.[a.]+\.evil\.test\n/)
  assert.match(JSON.stringify((await auditOf(app, 'return_rejected')).at(-1)?.details), /evil\.test"/)
})

test('a parameter that is not valid is named', async () => {
  const wrong: Record<string, Record<string, string>> = {
    state: { state: 'x'.repeat(513) },
    code_challenge: { code_challenge: 'short' },
    code_challenge_method: { code_challenge: codeChallenge, code_challenge_method: 'plain' },
    prompt: { prompt: 'consent' },
    max_age: { max_age: '-1' },
    login_hint: { login_hint: 'x'.repeat(255) },
    screen: { screen: 'constructor' },
  }
  for (const [name, members] of Object.entries(wrong)) {
    const page = await flowVisitor(app).open(signInAt({ return_to: shop, ...members }))
    assert.equal(page.status, 400, name)
    assert.match(textOf(page.text), new RegExp(`This sign-in request isn’t valid[^]*an invalid value for\n${name}\n`))
  }
  assert.equal((await flowVisitor(app).open(signInAt({ state: 'x' }))).status, 400)
  assert.equal((await flowVisitor(app).open(`/login?return_to=${shop}&return_to=${shop}`)).status, 400)
  const large = { return_to: `${shop}?${'x'.repeat(2000)}`, state: 'y'.repeat(512), login_hint: 'z'.repeat(254) }
  assert.equal((await flowVisitor(app).open(signInAt(large))).status, 400)
  const reply = { return_to: `${shop}?code=planted`, code_challenge: codeChallenge }
  assert.equal((await flowVisitor(app).open(signInAt(reply))).status, 400)
})

test('a flow that was changed, belongs to another browser or is an hour old leads nowhere', async () => {
  const ada = await registered(app)
  const signIn = { identifier: ada.email, password: ada.password }
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: shop })
  const other = flowVisitor(app)
  await other.open(address)
  assert.equal(locationOf(await other.send(address, signIn)), '/account')

  const id = flowIn(address)
  const value = new RegExp(`flow_\\d=${id}\\.([^;]+)`).exec(browser.cookie())?.[1] ?? ''
  const [, mac] = value.split('.')
  assert.ok(mac)
  const forged = Buffer.from(JSON.stringify({ startedAt: app.clock.now(), returnTo: 'https://evil.test/' })).toString(
    'base64url',
  )
  for (const [name, cookie] of [
    [id, `${forged}.${mac}`],
    [id, forged],
    [id, `.${mac}`],
    ['AAAAAAAAAAAA', value],
  ]) {
    const thief = flowVisitor(app, { cookie: `flow_1=${name}.${cookie}` })
    await thief.open(`/login?flow=${name}`)
    assert.equal(locationOf(await thief.send(`/login?flow=${name}`, signIn)), '/account')
  }

  app.clock.advance(hour)
  await browser.open(address)
  assert.equal(locationOf(await browser.send(address, signIn)), '/account')
})

test('tabs do not disturb each other, and the oldest flows make room', async () => {
  const ada = await registered(app)
  const browser = flowVisitor(app)
  const addresses: string[] = []
  for (let tab = 0; tab < 7; tab++) {
    app.clock.advance(minute)
    addresses.push(await begin(browser, { return_to: `${shop}/${tab}` }))
  }
  assert.equal(browser.cookie().match(/flow_/g)?.length, 5)
  await browser.open(addresses[3] ?? '')
  await browser.send(addresses[3] ?? '', { identifier: ada.email, password: ada.password })
  for (const tab of [5, 3, 6, 2, 4])
    assert.equal(locationOf(await browser.open(addresses[tab] ?? '')), `${shop}/${tab}`)
})

/** Opens the pages concurrently so that no request contains a cookie from another request's response. */
async function openTogether(browser: Visitor, members: Record<string, string>[]): Promise<string[]> {
  const replies = await Promise.all(members.map((one) => browser.open(signInAt(one))))
  return replies.map(locationOf)
}

for (const [kind, padding, survivors] of [
  ['short', '', 5],
  ['long', 'x'.repeat(2048 - `${shop}/00?`.length), 1],
] as const) {
  test(`twenty ${kind} flows at once leave the cookies small, and the newest work to their end`, async () => {
    const ada = await registered(app)
    const browser = flowVisitor(app)
    const targets = Array.from({ length: 20 }, (_, tab) => `${shop}/${String(tab).padStart(2, '0')}?${padding}`)
    const addresses = await openTogether(
      browser,
      targets.map((return_to) => ({ return_to, state: 's'.repeat(43) })),
    )
    const size = browser.cookie().length
    assert.ok(size < (survivors === 1 ? 3600 : 3500), `${size}`)
    const newest = addresses.length - survivors
    const first = addresses[newest] ?? ''
    assert.equal((await browser.open(first)).status, 200)
    assert.equal(locationOf(await browser.send(first, { identifier: ada.email, password: ada.password })), first)
    for (let tab = newest; tab < addresses.length; tab++) {
      assert.equal(locationOf(await browser.open(addresses[tab] ?? '')), `${targets[tab]}&state=${'s'.repeat(43)}`)
    }
  })
}

test('long and short flows together fit the header of a request', async () => {
  const browser = flowVisitor(app)
  const members = (tab: number, length: number) => ({
    return_to: `${shop}/${tab}?${'x'.repeat(length)}`,
    state: 's'.repeat(90),
  })
  await openTogether(
    browser,
    Array.from({ length: 20 }, (_, tab) => members(tab, 160)),
  )
  await openTogether(
    browser,
    Array.from({ length: 8 }, (_, tab) => members(tab, 2000)),
  )
  assert.equal(browser.cookie().match(/flow_/g)?.length, 6)
  assert.ok(browser.cookie().length < 7200, `${browser.cookie().length}`)
  const last = await begin(browser, { return_to: `${shop}/last` })
  assert.equal((await browser.open(last)).status, 200)
})

test('the second step, its other methods and its cancel button stay in the flow', async () => {
  const ada = await withTotp(app)
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: shop, code_challenge: codeChallenge })
  const flow = flowIn(address)
  const step = locationOf(await browser.send(address, { identifier: ada.email, password: ada.password }))
  assert.equal(step, `/login/verify?flow=${flow}`)
  assert.equal((await browser.open(address)).status, 200, 'a partial session is nobody')
  const page = await browser.open(step)
  assert.match(page.text, new RegExp(`/login/verify\\?method=recovery&amp;flow=${flow}|method=recovery&flow=${flow}`))
  const onward = locationOf(await browser.send(step, { code: ada.code() }))
  assert.equal(onward, address)
  const url = new URL(locationOf(await browser.open(onward)))
  assert.equal((await redeem(url.searchParams.get('code') ?? '')).status, 200)

  const again = flowVisitor(app)
  const second = await begin(again, { return_to: shop })
  const verify = locationOf(await again.send(second, { identifier: ada.email, password: ada.password }))
  await again.open(verify)
  const cancelled = locationOf(await again.send(`/logout?flow=${flowIn(second)}`))
  assert.equal(cancelled, `/login?logout=success&flow=${flowIn(second)}`)
  assert.equal((await again.open(cancelled)).status, 200)
  assert.match(again.cookie(), new RegExp(`flow_\\d=${flowIn(second)}`))
})

test('a fresh proof is asked for without ending the session, and counts once it was given', async () => {
  const ada = await registered(app)
  const browser = flowVisitor(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  const session = /session_id=(ses_[\w-]+)/.exec(browser.cookie())?.[1] ?? ''
  app.clock.advance(10 * minute)
  for (const members of [{ prompt: 'login' }, { max_age: '0' }, { max_age: '599' }] as Record<string, string>[]) {
    const confirm = locationOf(
      await browser.open(signInAt({ return_to: shop, code_challenge: codeChallenge, ...members })),
    )
    assert.match(confirm, /^\/account\/confirm\?flow=/)
    const address = `/login?flow=${flowIn(confirm)}`
    assert.equal(locationOf(await browser.open(address)), confirm, 'nothing is proven yet')
    const page = await browser.open(confirm)
    assert.match(page.text, new RegExp(`href="/login\\?another=true&(amp;)?flow=${flowIn(confirm)}"`))
    const wrong = await browser.send(confirm, { proof: 'not the password' })
    assert.equal(wrong.status, 400)
    assert.equal(locationOf(await browser.send(confirm, { proof: ada.password })), address)
    assert.match(locationOf(await browser.open(address)), /^https:\/\/shop\.test\/callback\?code=/)
    assert.ok(browser.cookie().includes(session), 'the session is the same')
    app.clock.advance(10 * minute)
  }
  assert.equal(locationOf(await browser.open(signInAt({ return_to: shop, max_age: '601' }))), shop)
})

test('a proof from long before the return is too old, however early the flow began', async () => {
  const ada = await registered(app)
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: shop, max_age: '0' })
  await browser.send(address, { identifier: ada.email, password: ada.password })
  app.clock.advance(11 * minute)
  assert.match(locationOf(await browser.open(address)), /^\/account\/confirm\?flow=/)
})

test('another user can sign in if a fresh proof is required', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const browser = flowVisitor(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  app.clock.advance(minute)
  const confirm = locationOf(
    await browser.open(signInAt({ return_to: shop, prompt: 'login', code_challenge: codeChallenge })),
  )
  const page = await browser.open(`/login?another=true&flow=${flowIn(confirm)}`)
  assert.equal(page.status, 200)
  const address = `/login?flow=${flowIn(confirm)}`
  await browser.send(address, { identifier: grace.email, password: grace.password })
  const url = new URL(locationOf(await browser.open(address)))
  assert.equal((await redeem(url.searchParams.get('code') ?? '')).json.user.id, grace.id)
})

test('prompt=none shows no page: it returns, or says that somebody has to sign in', async () => {
  const ada = await withTotp(app)
  const browser = flowVisitor(app)
  const silent = signInAt({ return_to: shop, prompt: 'none', state: 's' })
  const required = `${shop}?error=login_required&state=s`
  assert.equal(locationOf(await browser.open(silent)), required)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  assert.equal(locationOf(await browser.open(silent)), required, 'a partial session is nobody')
  await browser.open('/login/verify')
  await browser.send('/login/verify', { code: ada.code() })
  assert.equal(locationOf(await browser.open(silent)), `${shop}?state=s`)
  app.clock.advance(minute)
  assert.equal(locationOf(await browser.open(`${silent}&max_age=5`)), required)
  assert.doesNotMatch(browser.cookie(), /flow_/)
})

test('hint, language and screen are those that the application asks for', async () => {
  const members = { return_to: shop, login_hint: 'ada@example.com', ui_locales: 'fr es-MX en' }
  for (const [screen, path] of [
    ['', '/login'],
    ['register', '/register'],
    ['mail', '/login/mail'],
    ['forgot', '/forgot'],
  ] as const) {
    const browser = flowVisitor(app)
    const address = locationOf(await browser.open(signInAt({ ...members, ...(screen && { screen }) })))
    assert.ok(address.startsWith(`${path}?flow=`), address)
    const page = await browser.open(address)
    assert.match(page.text, /<html lang="es"/)
    assert.match(page.text, /value="ada@example\.com"/)
    if (screen) assert.match(page.text, new RegExp(`href="/login\\?flow=${flowIn(address)}"`))
  }
  const browser = flowVisitor(app)
  const direct = locationOf(await browser.open(signInAt(members, '/register')))
  assert.match(locationOf(await browser.open(direct)), /^\/register\?flow=/)
})
