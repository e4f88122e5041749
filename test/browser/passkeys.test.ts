import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { addAuthenticator, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { person } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const skip = skipWithoutChromium()
let app: TestApp
let browser: Browser
let base: string
before(async () => {
  if (skip) return
  // Passkeys are bound to a host name, which must be localhost on loopback. PUBLIC_URL contains the port, so the port
  // must be known before the start.
  const port = await freePort()
  base = `http://localhost:${port}`
  app = await startTestApp({ modules: ['two-factor'], env: { PUBLIC_URL: base } })
  await app.http.listen({ host: '127.0.0.1', port })
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await app?.stop()
})

/** One of the service's pages, in a browser with a virtual authenticator. */
async function openWithAuthenticator(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await addAuthenticator(page)
  await page.goto(`${base}/login`)
  return page
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the type of a reply is not known at compile time.
  json: any
}

/** Runs a script in the page, with the browser's cookies. */
const run = (page: Page, script: string, given: object): Promise<unknown> =>
  page.evaluate(`(async (given) => { ${script} })(${JSON.stringify(given)})`)

const post = (page: Page, path: string, body: object = {}) =>
  run(
    page,
    `const headers = { 'content-type': 'application/json' }
    const reply = await fetch(given.path, { method: 'POST', headers, body: JSON.stringify(given.body) })
    return { status: reply.status, json: await reply.json() }`,
    { path, body },
  ) as Promise<Answer>

const create = (page: Page, options: object) =>
  run(
    page,
    `const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given)
    return (await navigator.credentials.create({ publicKey })).toJSON()`,
    options,
  )

const answer = (page: Page, options: object) =>
  run(
    page,
    `const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given)
    return (await navigator.credentials.get({ publicKey })).toJSON()`,
    options,
  )

test('a browser makes a passkey, signs in with it alone, and confirms a password with it', { skip }, async () => {
  const page = await openWithAuthenticator()
  const ada = person()
  assert.equal((await post(page, '/auth/register/public', ada)).status, 200)
  const setup = await post(page, '/auth/two_factor/passkey/setup', { name: 'laptop' })
  const made = await create(page, setup.json.options)
  const { method_id } = setup.json
  const active = await post(page, '/auth/two_factor/verify', { action: 'setup', method_id, response: made })
  assert.deepEqual([active.status, active.json.status], [200, 'active'], JSON.stringify(active.json))
  await post(page, '/auth/logout')

  const asked = await post(page, '/auth/passkey/login/options')
  const response = await answer(page, asked.json.options)
  const { challenge_id } = asked.json
  const signedIn = await post(page, '/auth/passkey/login', { challenge_id, response })
  assert.deepEqual([signedIn.status, signedIn.json.user?.email], [200, ada.email], JSON.stringify(signedIn.json))
  assert.equal((await post(page, '/auth/passkey/login', { challenge_id, response })).status, 401)
  await post(page, '/auth/logout')

  const pending = await post(page, '/auth/login', { email: ada.email, password: ada.password })
  assert.equal(pending.json.requires_2fa, true)
  const start = await post(page, '/auth/two_factor/passkey/start')
  const confirmed = await post(page, '/auth/two_factor/verify', {
    method: 'passkey',
    response: await answer(page, start.json.options),
  })
  assert.deepEqual([confirmed.status, confirmed.json.session_activated], [200, true], JSON.stringify(confirmed.json))
})
