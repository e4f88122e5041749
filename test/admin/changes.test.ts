import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, second } from '../../src/lib/time.ts'
import { mailWith, tokenAfter } from '../email-addresses/change-support.ts'
import { asked, redeem, settled, verify } from '../passwordless/support.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
let superadmin: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h', USER_TYPES: 'partner' } })
  admin = await signedInAs(app, 'admin')
  superadmin = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

const twins = ['/auth/admin/users', '/auth/users']
const as = (who: SignedIn) => withSession(who.sessionToken)
const put = (id: string, body: unknown, who = admin, path = twins[0]) =>
  app.call('PUT', `${path}/${id}`, { ...as(who), body })
const create = (body: unknown, who = admin, path = '/auth/admin/users') => app.post(path, body, as(who))
const details = async (id: string, who = superadmin) => (await app.get(`/auth/admin/users/${id}`, as(who))).json.data
const isAlive = async ({ sessionToken }: SignedIn) =>
  (await app.get('/auth/me', withSession(sessionToken))).status === 200

test('a created user is a verified customer with the members given, and can sign in', async () => {
  const somebody = person()
  const { status, json } = await create({
    ...somebody,
    name: 'Ada',
    lastName: 'Lovelace',
    phone: '+447700900123',
    title: 'Dr.',
  })
  assert.equal(status, 200)
  const { user } = json.data
  assert.deepEqual(Object.keys(json.data), ['user'])
  assert.deepEqual(
    { ...user, id: '', created_at: '', updated_at: '' },
    {
      id: '',
      email: somebody.email,
      name: 'Ada',
      last_name: 'Lovelace',
      user_name: somebody.user_name,
      user_type: 'customer',
      picture: '',
      phone: '+447700900123',
      is_verified: true,
      two_factor: false,
      created_at: '',
      updated_at: '',
      first_time: true,
      title: 'Dr.',
      blocked: null,
    },
  )
  assert.equal((await app.post('/auth/login', { email: somebody.email, password: somebody.password })).status, 200)
  const [created] = (await auditOf(app, 'admin_user_created')).slice(-1)
  assert.equal(created?.target_id, user.id)
  assert.deepEqual(created?.details, { user_type: 'customer', is_verified: true })
})

test('an invited user sets the first password by a mailed link, and has none before', async () => {
  const { email, password } = person()
  const { json } = await create({ email, send_invite: true, name: 'Ada' })
  assert.deepEqual([json.data.user.is_verified, (await details(json.data.user.id)).user.is_verified], [false, false])
  const mail = await app.mailTo(email)
  assert.match(mail.subject, /new Wardenry account/)
  const token = /reset-password\?token=([\w-]{43})/.exec(mail.text)?.[1]
  assert.equal((await app.post('/auth/login', { email, password })).json.code, 'INVALID_CREDENTIALS')
  app.clock.advance(day - second)
  assert.equal((await app.post('/auth/password-reset/complete', { token, password })).status, 200)
  assert.equal((await details(json.data.user.id)).user.is_verified, true)
  assert.equal((await app.post('/auth/login', { email, password })).status, 200)
  assert.equal((await app.post('/auth/password-reset/complete', { token, password })).json.code, 'INVALID_TOKEN')
})

test('an invitation keeps what the administrator gave, and writes in the language they chose', async () => {
  const somebody = { email: person().email, phone: '+447700900781', send_invite: true }
  const { user } = (await create({ ...somebody, lang: 'es-MX' })).json.data
  const mail = await app.mailTo(somebody.email)
  assert.match(mail.text, /se creó una cuenta/)
  const token = /reset-password\?token=([\w-]{43})/.exec(mail.text)?.[1]
  await app.post('/auth/password-reset/complete', { token, password: person().password })
  assert.deepEqual(
    [(await details(user.id)).user.phone, (await details(user.id)).user.is_verified],
    [somebody.phone, true],
  )
  const trusted = (await create({ email: person().email, send_invite: true, is_verified: true })).json.data.user
  assert.equal(trusted.is_verified, true)
  assert.equal((await create({ email: person().email, send_invite: true, lang: '?' })).json.details[0].field, 'lang')
})

test('what somebody set up on an invited account before the invitation was opened is gone with it', async () => {
  const [squatter, chosen] = [person(), person('grace')]
  const { user } = (await create({ ...squatter, send_invite: true, phone: '+447700900782' })).json.data
  const signedIn = (await app.post('/auth/login', { email: squatter.email, password: squatter.password })).json
  const token = /reset-password\?token=([\w-]{43})/.exec((await app.mailTo(squatter.email)).text)?.[1]
  assert.equal((await app.post('/auth/password-reset/complete', { token, password: chosen.password })).status, 200)
  assert.equal((await app.get('/auth/me', withSession(signedIn.sessionId))).status, 401)
  assert.equal((await app.post('/auth/login', { email: squatter.email, password: squatter.password })).status, 401)
  assert.equal((await details(user.id)).user.phone, '')
})

test('the twin paths do the same, and repeat the members of the user', async () => {
  const made = (await create(person('grace'), admin, '/auth/users')).json.data
  assert.equal(made.id, made.user.id)
  const updated = (await put(made.id, { title: 'Prof.' }, admin, '/auth/users')).json.data
  assert.equal(updated.title, 'Prof.')
  assert.deepEqual(updated.user, (await details(made.id)).user)
  const read = (await app.get(`/auth/users/${made.id}`, as(admin))).json.data
  assert.equal(read.email, made.email)
  assert.deepEqual(read.sessions, [])
  assert.equal(
    (await app.call('PATCH', `/auth/users/${made.id}`, { ...as(admin), body: { name: 'Amazing' } })).json.data.name,
    'Amazing',
  )
})

test('invalid members of a new user are named, and nothing is stored', async () => {
  const taken = await registered(app, 'ada', { phone: '+447700900456' })
  const before = await rowCounts(app)
  const refused: [more: object, code: string, field?: string][] = [
    [{ email: 'nobody' }, 'VALIDATION_ERROR', 'email'],
    [{ email: ['a@example.com'] }, 'VALIDATION_ERROR', 'email'],
    [{ email: undefined }, 'VALIDATION_ERROR', 'email'],
    [{ password: undefined }, 'VALIDATION_ERROR', 'password'],
    [{ password: 'password1' }, 'WEAK_PASSWORD', 'password'],
    [{ email: taken.email.toUpperCase() }, 'EMAIL_TAKEN', 'email'],
    [{ user_name: taken.user_name.toUpperCase() }, 'USER_NAME_TAKEN', 'user_name'],
    [{ phone: '+447700900456' }, 'PHONE_TAKEN', 'phone'],
    [{ name: 'x'.repeat(101) }, 'VALIDATION_ERROR', 'name'],
    [{ title: 'a\nb' }, 'VALIDATION_ERROR', 'title'],
    [{ user_type: 'root' }, 'VALIDATION_ERROR', 'user_type'],
    [{ user_type: 'SuperAdmin' }, 'VALIDATION_ERROR', 'user_type'],
    [{ user_type: ' superadmin' }, 'VALIDATION_ERROR', 'user_type'],
    [{ user_type: ['superadmin'] }, 'VALIDATION_ERROR', 'user_type'],
    [{ is_verified: 'yes' }, 'VALIDATION_ERROR', 'is_verified'],
    [{ user_type: 'superadmin' }, 'FORBIDDEN'],
  ]
  for (const [more, code, field] of refused) {
    const { status, json } = await create({ ...person(), ...more })
    assert.equal(json.code, code, JSON.stringify(more))
    assert.equal(status, code === 'FORBIDDEN' ? 403 : 400)
    if (field)
      assert.deepEqual(
        json.details.map((problem: { field: string }) => problem.field),
        [field],
        JSON.stringify(more),
      )
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('only a superadmin creates superadmins; admins create users with any other role', async () => {
  assert.equal(
    (await create({ ...person(), user_type: 'superadmin' }, superadmin)).json.data.user.user_type,
    'superadmin',
  )
  for (const user_type of ['admin', 'writer', 'customer', 'partner'])
    assert.equal((await create({ ...person(), user_type, is_verified: false })).json.data.user.user_type, user_type)
})

test('members that a route does not list have no effect', async () => {
  const somebody = person()
  const inert = {
    id: admin.id,
    first_time: false,
    two_factor: true,
    created_at: '2001-01-01T00:00:00Z',
    deleted_at: '2001-01-01',
    session_epoch: 99,
    password_hash: 'x',
    search_text: 'x',
    metadata: { a: 1 },
    role: 'superadmin',
    roles: ['superadmin'],
    isAdmin: true,
    gdpr_consent: true,
    __proto__: { user_type: 'superadmin' },
  }
  const { user } = (await create({ ...inert, ...somebody })).json.data
  assert.notEqual(user.id, admin.id)
  assert.deepEqual([user.user_type, user.two_factor, user.first_time], ['customer', false, true])
  const { two_factor: _listed, ...notListed } = inert
  const more = {
    ...notListed,
    email: somebody.email.toUpperCase(),
    password: 'moths around the relay',
    last_name: 'Listed',
  }
  const updated = (await put(user.id, more)).json.data.user
  assert.deepEqual({ ...updated, updated_at: user.updated_at }, { ...user, last_name: 'Listed' })
  assert.equal((await app.post('/auth/login', { email: somebody.email, password: somebody.password })).status, 200)
  for (const nothing of [
    {},
    { email: 'x@example.com' },
    inert.metadata,
    { password: 'moths around the relay', id: user.id },
  ])
    assert.equal((await put(user.id, nothing)).json.code, 'VALIDATION_ERROR')
})

test('a different address is refused, and nothing is written', async () => {
  const ada = await registered(app)
  for (const email of ['other@example.com', 'nobody', '', `${ada.email}.org`]) {
    const { status, json } = await put(ada.id, { email, name: 'Augusta' })
    assert.deepEqual([status, json.code, json.details?.[0].field], [400, 'VALIDATION_ERROR', 'email'], email)
  }
  assert.deepEqual([(await details(ada.id)).user.name, (await details(ada.id)).user.email], ['', ada.email])
  assert.equal((await put(ada.id, { email: ada.email })).status, 200)
})

test('an update writes only differences, once, and records them', async () => {
  const ada = await registered(app, 'ada', { phone: '+447700900789', name: 'Ada' })
  app.clock.advance(second)
  const { json } = await put(ada.id, {
    name: 'Augusta',
    phone: '',
    is_verified: true,
    user_name: '',
    user_type: 'customer',
  })
  const { user } = json.data
  assert.deepEqual([user.name, user.phone, user.is_verified, user.user_name], ['Augusta', '', true, ada.user_name])
  assert.notEqual(user.updated_at, user.created_at)
  assert.deepEqual((await details(ada.id)).user, user)
  const [updated] = (await auditOf(app, 'admin_user_updated')).slice(-1)
  assert.deepEqual(updated?.details, {
    changed: ['name', 'phone', 'is_verified'],
    is_verified: { from: false, to: true },
  })
  assert.ok(await isAlive(ada))

  const events = (await auditOf(app, 'admin_user_updated')).length
  app.clock.advance(second)
  assert.deepEqual((await put(ada.id, { name: 'Augusta', is_verified: true })).json.data.user, user)
  assert.equal((await auditOf(app, 'admin_user_updated')).length, events)
})

test('a changed name reaches back ends at once', async () => {
  const ada = await registered(app)
  await app.get('/auth/me', withSession(ada.sessionToken))
  await put(ada.id, { name: 'Fresh' })
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.user.name, 'Fresh')
})

test('a new role ends all sessions, including partial ones, and notifies the user', async () => {
  const ada = await registered(app)
  const again = (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.sessionId
  assert.equal((await put(ada.id, { user_type: 'writer', name: 'Ada' })).status, 200)
  assert.equal(await isAlive(ada), false)
  assert.equal((await app.get('/auth/me', withSession(again))).json.code, 'INVALID_SESSION')
  const [changed] = (await auditOf(app, 'role_changed')).slice(-1)
  assert.deepEqual([changed?.target_id, changed?.details], [ada.id, { from: 'customer', to: 'writer' }])
  const mail = await app.mailTo(ada.email, 1)
  assert.match(mail.text, /Your role was changed/)
})

test('requiring a second factor, or no longer requiring it, ends all sessions', async () => {
  const ada = await registered(app)
  assert.equal((await put(ada.id, { two_factor: true })).json.data.user.two_factor, true)
  assert.equal(await isAlive(ada), false)
  assert.match((await app.mailTo(ada.email, 1)).text, /Sign-in with a second factor/)
})

test('a new number is reported to the user, allows no sign-in, and ends no session', async () => {
  const ada = await registered(app, 'ada', { phone: '+447700900790' })
  assert.equal((await put(ada.id, { phone: '+447700900791', name: 'Ada' })).json.data.user.phone, '+447700900791')
  assert.match((await app.mailTo(ada.email, 1)).text, /Your phone number was changed/)
  assert.ok(await isAlive(ada))
  await app.post('/auth/token/login', { identifier: '+447700900791' })
  await settled(app)
  assert.deepEqual(app.inbox?.list({ to: '+447700900791' }), [])
})

test('nobody can change their own rights or protection, or those of a higher role', async () => {
  const customer = await registered(app)
  const refused: [who: SignedIn, id: string, body: object][] = [
    [admin, admin.id, { user_type: 'superadmin' }],
    [admin, admin.id, { user_type: 'customer' }],
    [admin, admin.id, { two_factor: true }],
    [admin, admin.id, { is_verified: true }],
    [superadmin, superadmin.id, { user_type: 'admin' }],
    [admin, superadmin.id, { name: 'Mine' }],
    [admin, superadmin.id, { user_type: 'customer' }],
    [admin, superadmin.id, { two_factor: false, name: '' }],
    [admin, customer.id, { user_type: 'superadmin' }],
    [customer, customer.id, { user_type: 'admin' }],
    [customer, customer.id, { name: 'Mine' }],
  ]
  for (const [who, id, body] of refused) {
    const before = await details(id)
    for (const path of twins) {
      const { status, json } = await put(id, body, who, path)
      assert.deepEqual([status, json.code], [403, 'FORBIDDEN'], JSON.stringify(body))
    }
    assert.deepEqual((await details(id)).user, before.user)
    const [denied] = (await auditOf(app, 'authz_denied')).slice(-1)
    assert.equal(denied?.outcome, 'failure')
    assert.equal(denied?.target_id, who === customer ? null : id)
  }
  assert.ok((await isAlive(admin)) && (await isAlive(superadmin)))
  assert.equal((await put(admin.id, { name: 'Own name', user_type: 'admin' })).status, 200)
})

test('only the form of generated ids is accepted as an id', async () => {
  const unknown = '018f0000-0000-7000-8000-000000000000'
  for (const id of [
    '1',
    '..%2f',
    admin.id.toUpperCase(),
    `${admin.id}%0a`,
    `${admin.id}%20`,
    'search%00',
    unknown,
    "'",
    'null',
  ]) {
    for (const path of twins) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const reply = await app.call(method, `${path}/${id}`, {
          ...as(admin),
          ...(method === 'PUT' && { body: { name: 'x' } }),
        })
        assert.ok([404, 400].includes(reply.status), `${method} ${path}/${id} ${reply.status}`)
      }
    }
  }
})

test('the details show sessions without anything that could be used as one', async () => {
  const ada = await registered(app)
  app.clock.advance(second)
  const second_ = (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.sessionId
  await app.post('/auth/logout', {}, withSession(second_))
  const { sessions, sessionCount } = await details(ada.id, admin)
  assert.equal(sessionCount, 1)
  assert.deepEqual(
    sessions.map(({ status }: { status: string }) => status),
    ['revoked', 'active'],
  )
  assert.deepEqual(Object.keys(sessions[0]).toSorted(), [
    'application',
    'applicationId',
    'createdAt',
    'expiresAt',
    'id',
    'impersonated',
    'ipAddress',
    'lastUsedAt',
    'parentId',
    'sessionPrefix',
    'status',
    'userAgent',
    'userDevice',
  ])
  for (const { id, sessionPrefix } of sessions) {
    assert.match(sessionPrefix, /^[0-9a-f]{8}$/)
    assert.ok(!ada.sessionToken.includes(sessionPrefix))
    for (const value of [id, sessionPrefix, `ses_${id}`])
      assert.equal((await app.get('/auth/me', withSession(value))).status, 401)
  }
})

test('sessions of a user are ended all at once or one by one, and only theirs', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const path = `/auth/admin/users/${ada.id}/sessions`
  const [foreign] = (await details(grace.id)).sessions
  assert.equal((await app.call('DELETE', `${path}/${foreign.id}`, as(admin))).status, 404)
  assert.equal((await app.call('DELETE', `${path}/1`, as(admin))).status, 404)
  const [own] = (await details(ada.id)).sessions
  const ended = await app.call('DELETE', `${path}/${own.id}`, as(admin))
  assert.deepEqual(ended.json, { success: true, message: 'One session ended', data: { ended: 1 } })
  assert.equal(await isAlive(ada), false)
  assert.equal((await app.call('DELETE', `${path}/${own.id}`, as(admin))).status, 404)

  await app.post('/auth/login', { email: ada.email, password: ada.password })
  await app.post('/auth/login', { email: ada.email, password: ada.password })
  assert.equal((await app.call('DELETE', path, as(admin))).json.data.ended, 2)
  assert.equal((await app.call('DELETE', path, as(admin))).json.data.ended, 0)
  assert.ok(await isAlive(grace))
  assert.equal(
    (await app.call('DELETE', `/auth/admin/users/${superadmin.id}/sessions`, as(admin))).json.code,
    'FORBIDDEN',
  )
  assert.ok(await isAlive(superadmin))
  const [event] = (await auditOf(app, 'session_ended')).slice(-1)
  assert.equal(event?.details.reason, 'ended_by_admin')
})

for (const [from, to] of [
  ['customer', 'superadmin'],
  ['superadmin', 'customer'],
] as const)
  test(`no link or code from before a change of the role from ${from} to ${to} is accepted`, async () => {
    const ada = await signedInAs(app, from, 'ada')
    await verify(app, ada.id)
    const login = await asked(app, ada.email)
    await app.post('/auth/password-reset/request', { email: ada.email })
    const reset = tokenAfter(await mailWith(app, ada.email, '/reset-password?token='), '/reset-password')
    assert.equal((await put(ada.id, { name: 'Augusta' }, superadmin)).status, 200)
    assert.equal((await app.get(`/auth/password-reset/validate?token=${reset}`)).json.valid, true)
    assert.equal((await put(ada.id, { user_type: to }, superadmin)).status, 200)
    const uses = [
      redeem(app, { token: login.token }),
      redeem(app, { token_id: login.id, code: login.code }),
      app.post('/auth/password-reset/complete', { token: reset, password: 'a tape without an end' }),
    ]
    for (const { status, json } of await Promise.all(uses)) {
      assert.equal(status, 400)
      assert.match(json.code, /^INVALID_(TOKEN|CODE)$/)
    }
  })

test('an invitation from before a change of the role is not accepted, and can be sent again', async () => {
  const { email } = person()
  const invited = await app.post('/auth/admin/users', { email, user_type: 'customer', send_invite: true }, as(admin))
  const link = async (earlier: number) =>
    tokenAfter(await mailWith(app, email, '/reset-password?token=', earlier), '/reset-password')
  const first = await link(0)
  assert.equal((await put(invited.json.data.user.id, { user_type: 'superadmin' }, superadmin)).status, 200)
  const accept = (token: string) =>
    app.post('/auth/password-reset/complete', { token, password: 'a tape without an end' })
  assert.equal((await accept(first)).status, 400)
  const again = await app.post(
    `/auth/admin/users/${invited.json.data.user.id}/send`,
    { message: 'invitation' },
    as(superadmin),
  )
  assert.equal(again.status, 200, again.text)
  assert.equal((await accept(await link(1))).status, 200)
})
