import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertError } from '../http/support.ts'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const update = (sessionToken: string, body: unknown, path = '/auth/profile', method = 'PUT') =>
  app.call(method, path, { body, ...withSession(sessionToken) })

const me = async ({ sessionToken }: SignedIn) => (await app.get('/auth/me', withSession(sessionToken))).json.user

async function rowOf({ id }: SignedIn) {
  const { rows } = await sql<Record<string, unknown>>`SELECT * FROM users WHERE id = ${id}`.execute(app.ctx.db)
  return rows[0] ?? {}
}

const everything = {
  name: ' Ada ',
  last_name: 'Lovelace',
  phone: '+44 7700 900 200',
  picture: 'https://example.com/ada.webp',
  lang: 'es-mx',
  metadata: { theme: 'dark', nested: { list: [1, null, 'two'] } },
  tmz: 'Europe/London',
  dob: '1990-12-10',
  display_name: 'Countess Ada',
  gender: 'female',
  title: 'Dr.',
  first_time: false,
}

test('every member is stored in its one form and shown at once, at the top and under data', async () => {
  const ada = await registered(app)
  const { status, json } = await update(ada.sessionToken, everything)
  assert.equal(status, 200)
  const shown = { ...everything, name: 'Ada', lang: 'es-MX', phone: undefined }
  const { id, email, user_name, user_type, is_verified, two_factor } = json.user
  assert.deepEqual(
    { ...json.user, phone: undefined },
    { ...shown, id, email, user_name, user_type, is_verified, two_factor },
  )
  const { user, ...top } = json.data
  assert.deepEqual(user, json.user)
  assert.deepEqual(top, json.user)
  assert.deepEqual(await me(ada), json.user)
  assert.equal((await rowOf(ada)).phone, '+447700900200')
})

test('both paths, both verbs and both spellings do the same', async () => {
  const ada = await registered(app)
  await update(ada.sessionToken, { lastName: 'one' }, '/auth/user/me')
  assert.equal((await me(ada)).last_name, 'one')
  await update(ada.sessionToken, { last_name: 'two' }, '/auth/user/me', 'PATCH')
  assert.equal((await me(ada)).last_name, 'two')
  await update(ada.sessionToken, { displayName: 'three', firstTime: false }, '/auth/profile', 'PATCH')
  const { display_name, first_time } = await me(ada)
  assert.deepEqual({ display_name, first_time }, { display_name: 'three', first_time: false })
})

test('"" clears what may be empty and leaves address, user name and language; null and absence leave everything', async () => {
  const ada = await registered(app)
  await update(ada.sessionToken, { ...everything, phone: '+447700900201' })
  const full = await me(ada)
  const nothing = Object.fromEntries(Object.keys(everything).map((name) => [name, null]))
  await update(ada.sessionToken, { ...nothing, metadata: undefined, email: null, user_name: null })
  assert.deepEqual(await me(ada), full)
  const cleared = ['name', 'last_name', 'phone', 'picture', 'display_name', 'gender', 'title', 'tmz', 'dob']
  const empty = Object.fromEntries([...cleared, 'email', 'user_name', 'lang'].map((name) => [name, '']))
  assert.equal((await update(ada.sessionToken, empty)).status, 200)
  const unset = { display_name: null, gender: null, title: null, tmz: null, dob: null }
  assert.deepEqual(await me(ada), { ...full, name: '', last_name: '', picture: '', ...unset })
  assert.equal((await rowOf(ada)).phone, null)
})

test('metadata is replaced as a whole, and null empties it', async () => {
  const ada = await registered(app)
  await update(ada.sessionToken, { metadata: { a: 1, b: 2 } })
  await update(ada.sessionToken, { metadata: { b: 3 } })
  assert.deepEqual((await me(ada)).metadata, { b: 3 })
  await update(ada.sessionToken, { metadata: null })
  assert.deepEqual((await me(ada)).metadata, {})
})

const refused: [member: string, value: unknown][] = [
  ['name', 'x'.repeat(101)],
  ['name', 'a\nb'],
  ['last_name', '\u202eevil'],
  ['user_name', 'ad'],
  ['user_name', 'ada@example.com'],
  ['user_name', 'a'.repeat(33)],
  ['user_name', '\u0430da_b'],
  ['phone', 'call me'],
  ['phone', '07700 900200'],
  ['phone', '+1'],
  ['picture', 'javascript:alert(1)'],
  ['picture', 'data:text/html,x'],
  ['picture', 'http://169.254.169.254/'],
  ['picture', 'file:///etc/passwd'],
  ['picture', 'https://ada:secret@example.com/'],
  ['picture', `https://example.com/${'a'.repeat(2048)}`],
  ['lang', 'not a language'],
  ['lang', 'x'.repeat(36)],
  ['tmz', 'Europe/Atlantis'],
  ['tmz', '+01:00'],
  ['dob', '1899-12-31'],
  ['dob', '2999-01-01'],
  ['dob', '2023-02-29'],
  ['dob', '1990-1-1'],
  ['dob', '1990-12-10T00:00:00Z'],
  ['dob', '0000-00-00'],
  ['display_name', 'x'.repeat(101)],
  ['gender', 'x'.repeat(33)],
  ['title', 'a\u2028b'],
  ['metadata', []],
  ['metadata', 'text'],
  ['metadata', { constructor: {} }],
  ['metadata', { deep: [{ prototype: 1 }] }],
  ['metadata', { a: 'x'.repeat(9_000), b: 'x'.repeat(9_000) }],
  ['first_time', 'false'],
  ['first_time', 0],
  ['name', ['Ada']],
  ['phone', { $ne: null }],
]
for (const [member, value] of refused) {
  test(`${member} = ${JSON.stringify(value).slice(0, 40)} is refused by name, and nothing beside it is written`, async () => {
    const ada = await registered(app)
    const before = await rowOf(ada)
    const body = { title: 'beside', [member]: value }
    const details = assertError(await update(ada.sessionToken, body), 400, 'VALIDATION_ERROR', member)
    assert.deepEqual(
      details.map(({ field }) => field),
      [member],
    )
    assert.deepEqual(await rowOf(ada), before)
  })
}

test('all wrong members are named at once', async () => {
  const ada = await registered(app)
  const details = assertError(
    await update(ada.sessionToken, { phone: 'x', tmz: 'x/y', dob: 'x', name: 'Ada' }),
    400,
    'VALIDATION_ERROR',
  )
  assert.deepEqual(
    details.map(({ field }) => field),
    ['phone', 'tmz', 'dob'],
  )
})

test('__proto__ goes nowhere, at any depth', async () => {
  const ada = await registered(app)
  for (const body of ['{"__proto__": {"user_type": "admin"}}', '{"metadata": {"a": {"__proto__": {"polluted": 1}}}}'])
    assertError(await update(ada.sessionToken, body), 400, 'VALIDATION_ERROR', body)
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)
})

test('what a user may not set about themselves is ignored, under every spelling', async () => {
  const ada = await registered(app)
  const before = await rowOf(ada)
  const rights = {
    user_type: 'superadmin',
    userType: 'superadmin',
    is_verified: true,
    isVerified: true,
    two_factor: true,
    password: 'another quiet river',
    password_hash: 'x',
    id: '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf',
    created_at: '2000-01-01T00:00:00.000Z',
    session_epoch: 99,
    deleted_at: '2000-01-01T00:00:00.000Z',
    phone_verified: true,
    phone_trusted: false,
    is_business: true,
    gdpr_consent_at: '2000-01-01T00:00:00.000Z',
    acquisition_source: 'canary of a source',
    team_size_range: 'canary of a team',
    first_time: true,
  }
  const { status, json } = await update(ada.sessionToken, rights)
  assert.equal(status, 200)
  assert.equal(json.user.user_type, 'customer')
  assert.deepEqual(await rowOf(ada), before)
  assert.equal(
    (await update(ada.sessionToken, { metadata: { user_type: 'superadmin', is_verified: true } })).status,
    200,
  )
  const { user_type, is_verified } = await me(ada)
  assert.deepEqual({ user_type, is_verified }, { user_type: 'customer', is_verified: false })
})

test('a user name or number of somebody else is refused, whatever its spelling, and names nobody', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  await update(grace.sessionToken, { phone: '+447700900300' })
  const before = await rowOf(ada)
  const cases: [object, string][] = [
    [{ user_name: grace.user_name }, 'USER_NAME_TAKEN'],
    [{ user_name: grace.user_name.toUpperCase(), name: 'beside' }, 'USER_NAME_TAKEN'],
    [{ phone: '+44 (7700) 900-300', name: 'beside' }, 'PHONE_TAKEN'],
  ]
  for (const [body, code] of cases) {
    const reply = await update(ada.sessionToken, body)
    assertError(reply, 400, code)
    assert.doesNotMatch(reply.text, new RegExp(grace.email))
  }
  assert.deepEqual(await rowOf(ada), before)
})

test('the own user name in another case is a change and no conflict', async () => {
  const ada = await registered(app)
  const { json } = await update(ada.sessionToken, { user_name: ada.user_name.toUpperCase() })
  assert.equal(json.user.user_name, ada.user_name.toUpperCase())
})

test('the trace names the members that changed and no value; what stays the same leaves none', async () => {
  const ada = await registered(app)
  const traces = async () => (await auditOf(app, 'profile_updated')).filter(({ target_id }) => target_id === ada.id)
  await update(ada.sessionToken, { name: 'Canary Ada', title: 'Dr.', metadata: { a: 1 } })
  await update(ada.sessionToken, { name: 'Canary Ada', title: 'Dr.', metadata: { a: 1 }, user_name: ada.user_name })
  await update(ada.sessionToken, {})
  const [trace, ...others] = await traces()
  assert.deepEqual(others, [])
  assert.deepEqual(trace?.details, { changed: ['name', 'title', 'metadata'] })
})

test('back ends see the change at once', async () => {
  const ada = await registered(app)
  const seen = async () =>
    (
      await app.post(
        '/auth/bridge/validate',
        { session_id: ada.sessionToken },
        { headers: { 'x-bridge-secret': bridgeSecret } },
      )
    ).json.user.name
  assert.equal(await seen(), '')
  assert.equal(await seen(), '')
  await update(ada.sessionToken, { name: 'Ada' })
  assert.equal(await seen(), 'Ada')
})

test('without a session nothing is changed', async () => {
  const body = { name: 'Eve', ...person() }
  assertError(await app.call('PUT', '/auth/profile', { body }), 401, 'INVALID_SESSION')
  const headers = { 'x-bridge-secret': bridgeSecret }
  assertError(await app.call('PUT', '/auth/user/me', { body, headers }), 401, 'INVALID_SESSION')
})
