import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { textOf } from './all-pages.ts'
import { flowIn, locationOf, shop, signInAt } from './flow-support.ts'
import { flowVisitor, linkIn, resetMail } from './support.ts'

let app: TestApp
const publicUrl = 'http://localhost:3000'
before(async () => {
  const env = {
    ALLOWED_REDIRECTS: 'https://shop.test',
    FRONTEND_URL: 'https://app.test',
    PUBLIC_URL: publicUrl,
    VERIFY_REGISTRATION: 'false',
  }
  app = await startTestApp({ env })
})
after(() => app.stop())

const begun = async (screen: string) => {
  const browser = flowVisitor(app)
  const address = locationOf(await browser.open(signInAt({ return_to: shop, screen })))
  await browser.open(address)
  return { browser, address, flow: flowIn(address) }
}

const loginMail = async (email: string) => {
  for (let count = 0; ; count++) {
    const mail = await app.mailTo(email, count)
    if (/\/login\?flow=/.test(mail.text)) return mail
  }
}

test('the link of a mail leads back to the application in the browser that asked for it', async () => {
  const ada = await registered(app)
  const { browser, address, flow } = await begun('mail')
  assert.equal(locationOf(await browser.send(address, { email: ada.email })), `/login/code?flow=${flow}`)
  const mail = await loginMail(ada.email)
  assert.ok(mail.text.includes(`${publicUrl}/login?flow=${flow}&token=`), mail.text)
  await browser.open(linkIn(mail))
  const onward = locationOf(await browser.send(`/auth/token/login?flow=${flow}`))
  const notice = await browser.open(onward)
  assert.match(textOf(notice.text), /Your previous password was removed/)
  assert.ok(notice.text.includes(`href="/login?flow=${flow}"`))
  assert.equal(locationOf(await browser.open(`/login?flow=${flow}`)), shop)
})

test('in another browser the link signs in there, and leads on', async () => {
  const ada = await registered(app)
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const { browser, address, flow } = await begun('mail')
  await browser.send(address, { email: ada.email })
  const other = flowVisitor(app)
  const link = linkIn(await loginMail(ada.email))
  assert.doesNotMatch(textOf((await browser.open(link)).text), /where you started/)
  assert.match(textOf((await other.open(link)).text), /To sign in on the device where you started, enter the code/)
  const onward = locationOf(await other.send(`/auth/token/login?flow=${flow}`))
  const page = await other.open(onward)
  assert.equal(page.status, 200)
  assert.match(textOf(page.text), /On this device only\.\nContinue/)
  assert.doesNotMatch(textOf(page.text), /close this page/)
  assert.equal((await other.open('/account')).status, 200)
  assert.equal((await browser.open(address.replace('/login/mail', '/login'))).status, 200, 'not signed in here')
})

test('a registration returns once the address is proven, by link or code, and another browser is told to close the page', async () => {
  const ada = person()
  const { browser, address, flow } = await begun('register')
  await browser.open(`${address}&with=password`)
  const fields = { email: ada.email, password: ada.password, name: '', last_name: '' }
  assert.equal(locationOf(await browser.send(address, fields)), `/verify-email?flow=${flow}`)
  const mail = await app.mailTo(ada.email)
  assert.match(mail.text, new RegExp(`/auth/token/verify\\?token=[\\w-]+&flow=${flow}`))
  const whole = `${linkIn(mail)}&flow=${flow}`
  const other = flowVisitor(app)
  await other.open(whole)
  const sendOutcome = await other.open(locationOf(await other.send(`/auth/token/verify?flow=${flow}`)))
  assert.match(textOf(sendOutcome.text), /close this page and continue where you started/)
  const waiting = await browser.open(`/verify-email?flow=${flow}`)
  assert.ok(waiting.text.includes(`href="/login?flow=${flow}"`))
  assert.equal(locationOf(await browser.open(`/login?flow=${flow}`)), shop)
})

test('the tab that waited for the verification says that another tab has continued', async () => {
  const ada = person()
  const { browser, address, flow } = await begun('register')
  await browser.open(`${address}&with=password`)
  await browser.send(address, { email: ada.email, password: ada.password, name: '', last_name: '' })
  await browser.open(`${linkIn(await app.mailTo(ada.email))}&flow=${flow}`)
  const onward = locationOf(await browser.send(`/auth/token/verify?flow=${flow}`))
  assert.equal(locationOf(await browser.open(onward)), shop)
  const waiting = await browser.open(`/verify-email?flow=${flow}`)
  assert.match(textOf(waiting.text), /continued in another tab/)
  assert.ok(waiting.text.includes('href="/account"'))
})

test('the link of a message, opened again where the sign-in began, leads on to the application', async () => {
  const ada = person()
  const { browser, address, flow } = await begun('register')
  await browser.open(`${address}&with=password`)
  await browser.send(address, { email: ada.email, password: ada.password, name: '', last_name: '' })
  const whole = `${linkIn(await app.mailTo(ada.email))}&flow=${flow}`
  const press = async (one: typeof browser) => {
    await one.open(whole)
    return one.send(`/auth/token/verify?flow=${flow}`)
  }
  const other = flowVisitor(app)
  assert.equal((await press(other)).status, 303)
  const again = await press(browser)
  assert.equal(again.status, 200)
  assert.match(textOf(again.text), /Already confirmed\nto continue to\nshop\.test\n[^\n]+\nContinue\n/)
  assert.ok(again.text.includes(`href="/login?flow=${flow}"`))
  assert.equal(locationOf(await browser.open(`/login?flow=${flow}`)), shop)
  assert.match(textOf((await press(other)).text), /Go to your account/, 'the flow is not of this browser')
})

test('a new password returns after the sign-in that it allows', async () => {
  const ada = await registered(app)
  const { browser, address, flow } = await begun('forgot')
  assert.equal(locationOf(await browser.send(address, { email: ada.email })), `/forgot/sent?flow=${flow}`)
  const mail = await resetMail(app, ada.email)
  assert.ok(mail.text.includes(`${publicUrl}/reset-password?flow=${flow}&token=`), mail.text)
  const choose = locationOf(await browser.open(linkIn(mail)))
  assert.equal(choose, `/reset-password?flow=${flow}`)
  await browser.open(choose)
  const password = 'a kettle sings in the hall'
  const onward = locationOf(await browser.send(choose, { password }))
  assert.equal(onward, `/login?reset=success&flow=${flow}`)
  await browser.open(onward)
  const signIn = `/login?flow=${flow}`
  assert.equal(locationOf(await browser.send(signIn, { identifier: ada.email, password })), signIn)
  assert.equal(locationOf(await browser.open(signIn)), shop)
})

test('an address registered through the API gets no flow except by its id', async () => {
  const reply = await app.post('/auth/register/public', { ...person(), flow: 'x&token=planted' })
  assert.equal(reply.status, 400)
  assert.equal(reply.json.details[0].field, 'flow')
})
