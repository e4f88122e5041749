import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { asked, redeem } from '../passwordless/support.ts'
import { textOf } from '../screens/all-pages.ts'
import { visitor } from '../screens/support.ts'
import { type OidcServer, startOidcServer } from '../social/oidc-server.ts'
import { jsonSignIn, signedInBy, toldFrontEnd } from '../social/support.ts'
import { person } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Behaviour, type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { hookSecret, invalidResponses, json } from './support.ts'

let app: TestApp
let receiver: Receiver
let server: OidcServer
let env: Record<string, string>
before(async () => {
  receiver = await startReceiver()
  server = await startOidcServer()
  env = {
    REGISTRATION_HOOK_URL: receiver.url,
    REGISTRATION_HOOK_SECRET: hookSecret,
    REGISTRATION_HOOK_TIMEOUT: '1s',
    TOKEN_LOGIN_AUTO_REGISTER: 'true',
    RATE_LIMIT_REGISTRATION: '1000/1h',
    ...server.env,
  }
  app = await startTestApp({ env })
})
after(async () => {
  await app?.stop()
  await server?.stop()
  await receiver?.close()
})
beforeEach(() => {
  receiver.behave(allow)
  receiver.received.length = 0
})

const allow = json({ allow: true })
const refuse = json({ allow: false, message: 'Use the address of your company.' })
const register = (body: object = person(), target = app) => target.post('/auth/register/public', body)

const known = (email: string): string => {
  server.people.set(email, { sub: email, email, email_verified: true, given_name: 'Ada' })
  return email
}

/** Behaves like `behaviour` after it has looked at what the database contains at that time. */
const observing =
  (behaviour: Behaviour, counts: unknown[]): Behaviour =>
  async (reply, received) => {
    counts.push((await rowCounts(app)).users)
    return behaviour(reply, received)
  }

test('a registration is sent to the hook, signed and without the password', async () => {
  const ada = { ...person(), name: 'Ada', phone: '+447700900123' }
  const reply = await register(ada)
  assert.equal(reply.status, 200, reply.text)
  const [request] = receiver.received
  assert.ok(request)
  new Webhook(hookSecret).verify(request.body, request.headers as Record<string, string>)
  assert.ok(!request.body.includes(ada.password))
  const { ip, user_agent, user_name, ...data } = request.event.data
  assert.equal(request.event.type, 'registration.check')
  assert.deepEqual(data, {
    method: 'password',
    email: ada.email,
    email_verified: false,
    name: 'Ada',
    phone: '+447700900123',
  })
  assert.deepEqual([typeof ip, typeof user_agent, typeof user_name], ['string', 'string', 'string'])
})

test('a refused registration leaves nothing but an audit event, and the response has the message of the hook', async () => {
  receiver.behave(refuse)
  const before = await rowCounts(app)
  const { status, json: body } = await register()
  assert.deepEqual([status, body.code, body.error], [403, 'REGISTRATION_REFUSED', 'Use the address of your company.'])
  const { audit_events: events, ...rest } = await rowCounts(app)
  const { audit_events: earlier, ...same } = before
  assert.deepEqual(rest, same)
  assert.equal(Number(events), Number(earlier) + 1)
  const event = (await auditOf(app, 'register')).at(-1)
  assert.deepEqual([event?.outcome, event?.details.reason], ['failure', 'hook_refused'])
})

test('without a message, the response has the usual sentence', async () => {
  for (const message of [undefined, '', '  ', 7, null]) {
    receiver.behave(json({ allow: false, message }))
    assert.equal((await register()).json.error, 'An account cannot be created with these details')
  }
  receiver.behave(json({ allow: false, message: 'Not\u0000 here\u202e.\n' }))
  assert.equal((await register()).json.error, 'Not  here .')
  receiver.behave(json({ allow: false, message: 'x'.repeat(1000) }))
  assert.equal((await register()).json.error.length, 200)
})

test('the hook is also called for a taken address, so a rejection does not reveal accounts', async () => {
  const ada = person()
  assert.equal((await register(ada)).status, 200)
  receiver.behave(refuse)
  const [taken, free] = [await register(ada), await register()]
  assert.deepEqual([taken.status, taken.json.error], [free.status, free.json.error])
})

test('invalid input and a weak password do not reach the hook', async () => {
  assert.equal((await register({ ...person(), email: 'nobody' })).status, 400)
  assert.equal((await register({ ...person(), password: 'password1' })).json.code, 'WEAK_PASSWORD')
  assert.deepEqual(receiver.received, [])
})

for (const [name, behaviour] of Object.entries(invalidResponses({ allow: true }))) {
  test(`a hook that ${name} lets nobody register, and another attempt succeeds`, async () => {
    receiver.behave(behaviour)
    const ada = person()
    const { status, json: body } = await register(ada)
    assert.deepEqual([status, body.code], [503, 'UNAVAILABLE'])
    assert.equal((await auditOf(app, 'dependency_down')).at(-1)?.details.name, 'registration.check')
    receiver.behave(allow)
    assert.equal((await register(ada)).status, 200)
  })
}

test('with REGISTRATION_HOOK_FALLBACK=allow, a hook without an answer allows, but a rejection is a rejection', async (t) => {
  const open = await startTestApp({ env: { ...env, REGISTRATION_HOOK_FALLBACK: 'allow' } })
  t.after(() => open.stop())
  receiver.behave(invalidResponses({ allow: true })['responds with 500']!)
  assert.equal((await register(person(), open)).status, 200)
  receiver.behave(refuse)
  assert.equal((await register(person(), open)).status, 403)
})

test('an account created by a link is checked once the address is proven, and a rejection leaves the link valid', async () => {
  const { email } = person()
  const { token } = await asked(app, email)
  assert.equal(receiver.received.length, 0)
  const counts: unknown[] = []
  receiver.behave(observing(refuse, counts))
  const before = await rowCounts(app)
  const refused = await redeem(app, { token })
  assert.deepEqual([refused.status, refused.json.error], [403, 'Use the address of your company.'])
  assert.equal((await rowCounts(app)).users, before.users)
  assert.equal(receiver.received.map(({ event }) => event.data.email_verified).join(), 'true')
  receiver.behave(observing(allow, counts))
  const reply = await redeem(app, { token })
  assert.deepEqual([reply.status, reply.json.user.email], [200, email])
  assert.deepEqual(counts, [before.users, before.users], 'no user existed during the checks')
  const again = await asked(app, email)
  assert.equal((await redeem(app, { token: again.token })).status, 200)
  assert.equal(receiver.received.length, 2, 'existing users are not checked')
})

test('a wrong code does not reach the hook', async () => {
  const { id, code } = await asked(app, person().email)
  const wrong = code === '111111' ? '222222' : '111111'
  assert.equal((await redeem(app, { token_id: id, code: wrong })).json.code, 'INVALID_CODE')
  assert.deepEqual(receiver.received, [])
  assert.equal((await redeem(app, { token_id: id, code })).status, 200)
  assert.equal(receiver.received.length, 1)
})

test('a link used twice at the same time creates one account, although both are checked', async () => {
  const { token } = await asked(app, person().email)
  const replies = await Promise.all([redeem(app, { token }), redeem(app, { token })])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
})

test('a sign-in with a provider is checked before it creates an account', async () => {
  const subject = known(person().email)
  receiver.behave(refuse)
  const before = await rowCounts(app)
  const refused = await jsonSignIn(app, server, subject)
  assert.deepEqual([refused.status, refused.json.code], [403, 'REGISTRATION_REFUSED'])
  assert.equal((await rowCounts(app)).users, before.users)
  assert.deepEqual(toldFrontEnd(await signedInBy(app, server, subject)), {
    social_login: 'error',
    error: 'registration_refused',
    provider: 'oidc',
  })
  receiver.behave(allow)
  assert.equal((await jsonSignIn(app, server, subject)).status, 200)
  const { method, provider, email_verified } = receiver.received.at(-1)?.event.data ?? {}
  assert.deepEqual([method, provider, email_verified], ['social', 'oidc', true])
  const calls = receiver.received.length
  assert.equal((await jsonSignIn(app, server, subject)).status, 200)
  assert.equal(receiver.received.length, calls, 'existing users are not checked')
})

test('the pages show the message of the hook, or their own text', async () => {
  const ada = person()
  const browser = visitor(app)
  await browser.open('/register?with=password')
  receiver.behave(refuse)
  const filled = { email: ada.email, password: ada.password, name: '', last_name: '' }
  const refused = await browser.send('/register', filled)
  assert.equal(refused.status, 403)
  assert.match(textOf(refused.text), /Use the address of your company\./)
  receiver.behave(json({ allow: false, message: '<script>alert(1)</script>' }))
  assert.ok(!(await browser.send('/register', filled)).text.includes('<script>alert'))
  receiver.behave(json({ allow: false }))
  assert.match(textOf((await browser.send('/register', filled)).text), /can’t be created with these details/)

  const { message } = await asked(app, person().email)
  const link = /http\S+token=\S+/.exec(message.text)?.[0] ?? ''
  const opened = await browser.open(link.slice(link.indexOf('/', 8)))
  assert.equal(opened.status, 200)
  receiver.behave(refuse)
  const notice = await browser.send('/auth/token/login')
  assert.match(textOf(notice.text), /An account can’t be created[\s\S]*Use the address of your company\./)
})

test('administrators and the first administrator create accounts without the hook', async (t) => {
  const admin = { email: 'root@example.com', password: 'a quite long passphrase' }
  const managed = await startTestApp({ env: { ...env, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password } })
  t.after(() => managed.stop())
  receiver.behave(refuse)
  const { sessionId } = (await managed.post('/auth/login', admin)).json
  const created = await managed.post('/auth/admin/users', person(), { headers: { 'x-session-id': sessionId } })
  assert.equal(created.status, 200, created.text)
  assert.deepEqual(receiver.received, [])
})
