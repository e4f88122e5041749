import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../../src/lib/time.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { addOwnPasskey, homeOf } from '../../support/passkeys.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import { memberOf, signedInBrowser } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_REGISTRATION: '1000/1h', RATE_LIMIT_LOGIN: '100/15m' } })
})
after(() => app.stop())

const list = '/account/security'
const sessionOf = ({ cookie }: { cookie(): string }) => ({ headers: { cookie: cookie() } })

/** A user in a browser without scripts, with a passkey. */
async function owner(of = app) {
  const ada = await memberOf(of)
  const authenticator = createAuthenticator(homeOf(of))
  const added = await addOwnPasskey(of, ada.sessionToken, authenticator)
  assert.equal(added.status, 200, added.text)
  return { ...ada, authenticator, id: String(added.json.id) }
}

/** Adds a passkey as the script of the page does. */
async function addOnPage(ada: Awaited<ReturnType<typeof memberOf>>, name: string) {
  await ada.open(`${list}/add`)
  const start = await app.post('/auth/passkeys/options', {}, sessionOf(ada))
  const created = createAuthenticator(homeOf(app)).create(start.json.options)
  return ada.send(`${list}/add`, { name, response: JSON.stringify(created) })
}

test('without any module, the account has a page for passkeys and a link to it', async () => {
  const ada = await memberOf(app)
  assert.ok((await ada.open('/account')).text.includes(`href="${list}"`))
  assert.match(textOf((await ada.open(list)).text), /Passkeys[\s\S]*Add a passkey/)
  const added = await addOnPage(ada, 'Laptop')
  assert.equal(added.headers.location, `${list}?done=passkey_added`)
  const page = textOf((await ada.open(`${list}?done=passkey_added`)).text)
  assert.match(page, /The passkey was added\.[\s\S]*Laptop\nOnly on one device\nAdded .*, not used yet/)
  assert.match(page, /exists on only one device/)
})

test('the first passkey of a user without a password comes with recovery codes and what they are for', async () => {
  const ada = await memberOf(app)
  await sql`UPDATE users SET password_hash = NULL WHERE email = ${ada.email}`.execute(app.ctx.db)
  const added = await addOnPage(ada, 'Laptop')
  assert.match(textOf(added.text), /you can recover your account with one of these codes and a code that we email you/)
})

test('the service shows why a passkey was not added', async () => {
  const ada = await memberOf(app)
  await ada.open(`${list}/add`)
  const bare = await ada.send(`${list}/add`, { name: 'Laptop' })
  assert.equal(bare.status, 400)
  assert.match(textOf(bare.text), /browser that supports passkeys/)
  assert.ok(bare.text.includes('value="Laptop"'))
  for (const response of ['no JSON', '{}']) {
    const broken = await ada.send(`${list}/add`, { response })
    assert.equal(broken.status, 400)
    assert.match(textOf(broken.text), /The passkey wasn’t created/)
  }
  assert.match(textOf((await addOnPage(ada, 'x'.repeat(65))).text), /at most 64 characters/)
})

test('after the time in which a sign-in is recent, the user confirms the identity and comes back', async () => {
  const ada = await owner()
  app.clock.advance(11 * minute)
  await ada.open(`${list}/add`)
  const back = (path: string) => `/account/confirm?next=${encodeURIComponent(path)}`
  assert.equal((await ada.send(`${list}/add`)).headers.location, back(`${list}/add`))
  const removal = `${list}/passkeys/remove?id=${ada.id}`
  await ada.open(removal)
  assert.equal((await ada.send(`${list}/passkeys/remove`)).headers.location, back(removal))
  await ada.open(back(removal))
  const proven = await ada.send('/account/confirm', { proof: ada.password })
  assert.equal(proven.headers.location, `${removal}&done=confirmed`)
  assert.match(textOf((await ada.open(String(proven.headers.location))).text), /You can continue now/)
})

test('the page that confirms the identity offers the passkey of a user who has one', async () => {
  const ada = await owner()
  const page = await ada.open('/account/confirm?next=/account/security')
  assert.match(page.text, /<a href="\/account\/confirm\?next=[^"]*way=passkey">Passkey</)
  const asked = await ada.open('/account/confirm?next=/account/security&way=passkey')
  assert.match(asked.text, /id="passkey"[\s\S]*"ask":"\/auth\/passkeys\/options","about":{"action":"reauth"}/)
  const grace = await memberOf(app)
  assert.doesNotMatch((await grace.open('/account/confirm')).text, /way=passkey/)
})

test('a passkey is renamed', async () => {
  const ada = await owner()
  const path = `${list}/passkeys/rename`
  await ada.open(`${path}?id=${ada.id}`)
  const bad = await ada.send(path, { name: ' ' })
  assert.equal(bad.status, 400)
  assert.match(textOf(bad.text), /at most 64 characters/)
  assert.equal((await ada.send(path, { name: 'Work phone' })).headers.location, `${list}?done=passkey_renamed`)
  assert.match(textOf((await ada.open(list)).text), /Work phone/)
})

test('a removal is confirmed, and ends all other sessions', async () => {
  const ada = await owner()
  const other = await signedInBrowser(app, ada)
  const asked = await ada.open(`${list}/passkeys/remove?id=${ada.id}`)
  assert.match(textOf(asked.text), /signed out everywhere else/)
  const path = `${list}/passkeys/remove`
  assert.equal((await ada.send(path, {}, { 'sec-fetch-site': 'cross-site' })).status, 403)
  await ada.open(`${path}?id=${ada.id}`)
  assert.equal((await ada.send(path)).headers.location, `${list}?done=passkey_removed`)
  assert.equal((await ada.open(list)).status, 200)
  assert.equal((await other.open(list)).status, 303)
})

test('the pages of another user’s passkey lead back to the list', async () => {
  const [ada, grace] = [await owner(), await memberOf(app)]
  for (const page of ['rename', 'remove'])
    assert.equal((await grace.open(`${list}/passkeys/${page}?id=${ada.id}`)).headers.location, list)
})

test('the page says why the only way to sign in is not removed', async () => {
  const ada = await owner()
  await sql`UPDATE users SET password_hash = NULL, is_verified = false WHERE email = ${ada.email}`.execute(app.ctx.db)
  const path = `${list}/passkeys/remove`
  await ada.open(`${path}?id=${ada.id}`)
  const rejected = await ada.send(path)
  assert.equal(rejected.status, 400)
  assert.match(textOf(rejected.text), /This is your only way to sign in\. Add another one first\./)
  const { json } = await app.get('/auth/passkeys', sessionOf(ada))
  assert.equal(json.passkeys.length, 1)
})
