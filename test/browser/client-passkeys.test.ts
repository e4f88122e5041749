// Setup: own process
// The bundler adds listeners to the process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { addAuthenticator, becomesTrue, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { bundleWithClient } from '../support/bundle-client.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const program = `
import { createClient, supportsPasskeys } from '@wardenry/client'
globalThis.wardenry = createClient({ url: serviceUrl })
globalThis.supportsPasskeys = supportsPasskeys
`

/** The section of the guide about a form of one's own: its page and the page's program. */
const guide = readFileSync(new URL('../../docs/integrate.md', import.meta.url), 'utf8')
const [, sampleForm = '', sampleProgram = ''] =
  /## A form of your own\n.*?```html\n(.*?)```\n\n```js\n(.*?)```/s.exec(guide) ?? []

describe('passkeys in an application’s own form, on another origin', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  let site: Server
  before(async () => {
    const [port, own] = [await freePort(), await freePort()]
    home = `http://localhost:${own}`
    const url = `http://localhost:${port}`
    const env = { PUBLIC_URL: url, FRONTEND_URL: url, CORS_ORIGINS: home, WEBAUTHN_ORIGINS: `${url},${home}` }
    const limits = ['REGISTRATION', 'LOGIN', 'TOKEN_LOGIN', 'TOKEN_VALIDATE', 'PASSKEY_OPTIONS']
    const wide = Object.fromEntries(limits.map((limit) => [`RATE_LIMIT_${limit}`, '1000/1m']))
    app = await startTestApp({ env: { ...env, ...wide, PASSKEY_REQUIRED_FOR: 'writer' } })
    await app.http.listen({ host: '127.0.0.1', port })
    browser = await openBrowser()
    const script = `globalThis.serviceUrl = ${JSON.stringify(url)};${await bundleWithClient(program)}`
    const field = '<input autocomplete="username webauthn" aria-label="Email">'
    const body = `<!doctype html>${field}<script type="module">${script}</script>`
    const sample = await bundleWithClient(sampleProgram.replace('http://localhost:3000', url))
    const form = `<!doctype html>${sampleForm}<script type="module">${sample}</script>`
    site = createServer((request, reply) => {
      reply.setHeader('content-type', 'text/html').end(request.url === '/sign-in' ? form : body)
    })
    await once(site.listen(own, '127.0.0.1'), 'listening')
  })
  after(async () => {
    await browser?.close()
    site?.close()
    await app?.stop()
  })

  const inPage = <Value = unknown>(page: Page, code: string): Promise<Value> =>
    page.evaluate<Value>(`(async () => { ${code} })()`)
  const failure = (call: string) =>
    `return ${call}.then(() => 'no error', ({ code, name }) => name === 'WardenryError' ? code : name)`

  async function open() {
    const page = await (await browser.newContext()).newPage()
    const { storedIds } = await addAuthenticator(page)
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/auth/passkey/login/options')) asked++
    })
    await page.goto(home)
    return { page, storedIds, countAsked: () => asked }
  }

  /** A page whose user has created an account with a passkey, and signed out. */
  async function openAsOwner(prepare = '') {
    const opened = await open()
    const { page } = opened
    const { email } = person()
    await inPage(page, `${prepare}; globalThis.begun = await wardenry.registerWithPasskey({ email: '${email}' })`)
    const code = /^\d{6}$/m.exec((await app.mailTo(email)).text)?.[0]
    const wrong = code === '000000' ? '000001' : '000000'
    assert.equal(await inPage(page, failure(`begun.complete({ code: '${wrong}' })`)), 'INVALID_CODE')
    const proof = JSON.stringify({ code, name: 'Ada', lastName: 'Lovelace' })
    const [status, user, recoveryCodes] = await inPage<[string, Record<string, string>, string[]]>(
      page,
      `const { status, user, recoveryCodes } = await begun.complete(${proof}); return [status, user, recoveryCodes]`,
    )
    assert.equal(recoveryCodes?.length, 10)
    assert.deepEqual([status, user.email, user.name, user.last_name], ['signed_in', email, 'Ada', 'Lovelace'])
    assert.equal(await inPage(page, 'return (await wardenry.currentUser()).email'), email)
    await inPage(page, 'await wardenry.signOut()')
    return { ...opened, email }
  }

  const offer = (more = '') => `
    globalThis.results = []
    return wardenry.autofillPasskey({
      onSignIn: ({ user }) => results.push(user.email),
      onError: ({ code, unknownCredential }) => results.push({ code, unknownCredential }),
      ${more}
    })`
  const spy = `
    globalThis.told = []
    PublicKeyCredential.signalAllAcceptedCredentials = async ({ allAcceptedCredentialIds: ids }) => told.push(ids.length)`
  const firstResult = (page: Page) => becomesTrue<unknown>(page, 'results[0]')

  for (const [how, prepare] of [
    ['that converts passkeys itself', ''],
    [
      'that does not convert passkeys',
      `delete PublicKeyCredential.parseRequestOptionsFromJSON
       delete PublicKeyCredential.parseCreationOptionsFromJSON
       delete PublicKeyCredential.prototype.toJSON`,
    ],
    [
      'whose password manager returns an object of its own',
      'PublicKeyCredential.prototype.toJSON = () => { throw new TypeError("Illegal invocation") }',
    ],
  ] as const)
    test(`a user registers, and signs in by the field and by the button, in a browser ${how}`, async () => {
      const { page, email } = await openAsOwner(prepare)
      await inPage(page, spy)
      assert.equal(await inPage(page, offer()), true)
      assert.equal(await firstResult(page), email)
      assert.deepEqual(await inPage(page, 'return told'), [1])
      assert.equal(await inPage(page, 'return (await wardenry.currentUser()).email'), email)
      await inPage(page, 'await wardenry.signOut()')
      const call = 'const { status, user } = await wardenry.signInWithPasskey({ deviceId: "shop" })'
      assert.deepEqual(await inPage(page, `${call}; return [status, user.email]`), ['signed_in', email])
      await page.context().close()
    })

  test('the button works while the field waits, which is offered again if the dialog is cancelled', async () => {
    const { page, countAsked } = await open()
    assert.equal(await inPage(page, offer()), true)
    await eventually(() => countAsked() === 1)
    assert.equal(await inPage(page, failure('wardenry.signInWithPasskey()')), 'PASSKEY_CANCELLED')
    assert.equal(await inPage(page, failure('wardenry.signInWithPasskey()')), 'PASSKEY_CANCELLED')
    assert.equal(countAsked(), 3, 'the field keeps its challenge')
    assert.deepEqual(await inPage(page, 'return results'), [])
    await page.context().close()
  })

  test('an aborted call rejects with the reason, and sends no response', async () => {
    const { page, countAsked } = await openAsOwner()
    await inPage(
      page,
      `globalThis.aborted = new AbortController(); aborted.abort(new DOMException('left', 'AbortError'))`,
    )
    const given = '{ signal: aborted.signal }'
    assert.equal(await inPage(page, failure(`wardenry.signInWithPasskey(${given})`)), 'AbortError')
    assert.equal(await inPage(page, offer('signal: aborted.signal')), false)
    assert.equal(countAsked(), 0)
    await page.context().close()
  })

  test('the field gets a new challenge before the old one expires, and none after it was aborted', async () => {
    const { page, countAsked } = await open()
    await page.clock.install()
    await inPage(page, 'globalThis.form = new AbortController()')
    assert.equal(await inPage(page, offer('signal: form.signal')), true)
    await eventually(() => countAsked() === 1)
    await page.clock.runFor('03:50')
    assert.equal(countAsked(), 1)
    await page.clock.runFor('00:30')
    await eventually(() => countAsked() === 2)
    await inPage(page, 'form.abort()')
    await page.clock.runFor('10:00')
    assert.equal(countAsked(), 2)
    assert.deepEqual(await inPage(page, 'return results'), [])
    await page.context().close()
  })

  test('the form of the guide signs in from its field, with its button and with a password', async () => {
    const { page, email } = await openAsOwner()
    await page.goto(`${home}/sign-in`)
    await page.waitForURL(`${home}/`)
    assert.equal(await inPage(page, 'return (await wardenry.currentUser()).email'), email)
    await inPage(page, 'await wardenry.signOut()')
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    await page.goto(`${home}/sign-in`)
    await page.click('#passkey')
    await page.waitForURL(`${home}/`)
    const ada = person()
    await inPage(page, `await wardenry.post('/auth/register/public', { body: ${JSON.stringify(ada)} })`)
    await inPage(page, 'await wardenry.signOut()')
    await page.goto(`${home}/sign-in`)
    await page.fill('[name=email]', ada.email)
    await page.fill('[name=password]', 'a wrong password')
    await page.press('[name=password]', 'Enter')
    await page.waitForSelector('#problem:not(:empty)')
    await page.fill('[name=password]', ada.password)
    await page.press('[name=password]', 'Enter')
    await page.waitForURL(`${home}/`)
    assert.equal(await inPage(page, 'return (await wardenry.currentUser()).email'), ada.email)
    await inPage(page, 'await wardenry.signOut()')
    await sql`UPDATE users SET user_type = 'writer' WHERE email = ${ada.email}`.execute(app.ctx.db)
    await page.goto(`${home}/sign-in`)
    await page.fill('[name=email]', ada.email)
    await page.fill('[name=password]', ada.password)
    await page.press('[name=password]', 'Enter')
    await page.waitForURL(`${app.ctx.config.PUBLIC_URL}/login`)
    await page.context().close()
  })

  test('a passkey that no user has leaves the browser, and the error says so', async () => {
    const { page, email, storedIds } = await openAsOwner()
    await sql`DELETE FROM passkeys USING users WHERE user_id = users.id AND email = ${email}`.execute(app.ctx.db)
    await inPage(page, offer())
    assert.deepEqual(await firstResult(page), { code: 'INVALID_CREDENTIALS', unknownCredential: true })
    await eventually(async () => (await storedIds()).length === 0)
    await page.context().close()
  })

  test('the first passkey of a user without a password comes with recovery codes', async () => {
    const { page } = await open()
    const ada = person()
    await inPage(page, `await wardenry.post('/auth/register/public', { body: ${JSON.stringify(ada)} })`)
    const add = 'return (await wardenry.addPasskey()).recoveryCodes ?? null'
    assert.equal(await inPage(page, add), null)
    await sql`DELETE FROM passkeys USING users WHERE user_id = users.id AND email = ${ada.email}`.execute(app.ctx.db)
    await sql`UPDATE users SET password_hash = NULL WHERE email = ${ada.email}`.execute(app.ctx.db)
    assert.equal((await inPage<string[]>(page, add)).length, 10)
    await page.context().close()
  })

  test('a user who must have a passkey adds one in the sign-in, once, and then signs in with it', async () => {
    const { page } = await open()
    const ada = await registered(app)
    await sql`UPDATE users SET user_type = 'writer', is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
    const credentials = JSON.stringify({ email: ada.email, password: ada.password })
    const signIn = `globalThis.result = await wardenry.signIn(${credentials}); return result.status`
    assert.equal(await inPage(page, signIn), 'passkey_required')
    assert.equal(
      await inPage(page, 'return (await wardenry.get("/auth/me").catch(({ code }) => code))'),
      'TWO_FACTOR_REQUIRED',
    )
    await inPage(page, 'globalThis.changes = []; wardenry.onChange((change) => changes.push(change))')
    const add = `const { status, user } = await result.addPasskey({ name: 'My phone' }); return [status, user.email]`
    assert.deepEqual(await inPage(page, add), ['signed_in', ada.email])
    assert.deepEqual(await inPage(page, 'return changes'), ['signed_in'])
    assert.equal(await inPage(page, 'return (await wardenry.currentUser()).email'), ada.email)
    await inPage(page, 'await wardenry.signOut()')
    assert.equal(await inPage(page, signIn), 'passkey_required')
    assert.equal(await inPage(page, failure('result.addPasskey()')), 'FORBIDDEN')
    assert.equal(await inPage(page, 'return (await wardenry.signInWithPasskey()).user.email'), ada.email)
    await page.context().close()
  })

  test('a signed-in user adds a passkey once on a device, and removed ones leave the browser', async () => {
    const { page, storedIds } = await open()
    const ada = person()
    await inPage(page, `await wardenry.post('/auth/register/public', { body: ${JSON.stringify(ada)} })`)
    const id = await inPage<string>(page, `return (await wardenry.addPasskey({ name: 'My phone' })).id`)
    const list = `return (await wardenry.get('/auth/passkeys')).passkeys.map(({ id, name }) => ({ id, name }))`
    assert.deepEqual(await inPage(page, list), [{ id, name: 'My phone' }])
    assert.equal(await inPage(page, failure('wardenry.addPasskey()')), 'PASSKEY_EXISTS')
    await sql`DELETE FROM passkeys WHERE id = ${id}`.execute(app.ctx.db)
    // The list is withheld while a passkey is being created.
    await sql`DELETE FROM one_time_secrets WHERE purpose = 'passkey_setup'`.execute(app.ctx.db)
    await inPage(page, 'await wardenry.signalPasskeys()')
    await eventually(async () => (await storedIds()).length === 0)
    await page.context().close()
  })
})
