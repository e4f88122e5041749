// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { person, registered } from '../support/people.ts'
import { auditOf, inHex, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const rowOf = async (email: string) => {
  const { rows } = await sql<Record<string, unknown>>`SELECT * FROM users WHERE email = ${email}`.execute(app.ctx.db)
  return rows[0]
}

test('registers a customer, signs them in and gives the session at both places', async () => {
  const ada = person()
  const { status, json, cookies } = await app.post('/auth/register/public', {
    ...ada,
    name: 'Ada',
    lastName: 'Lovelace',
  })
  assert.equal(status, 200)
  assert.equal(json.success, true)
  assert.equal(json.requires_2fa, false)
  assert.equal(json.user.name, 'Ada')
  assert.equal(json.user.last_name, 'Lovelace')
  assert.equal(json.user.is_verified, false)
  assert.deepEqual(Object.keys(json.data.user).sort(), [
    'email',
    'id',
    'is_verified',
    'last_name',
    'name',
    'user_name',
    'user_type',
  ])
  for (const member of ['sessionId', 'session_id', 'expiresAt', 'expires_at'])
    assert.equal(json.data[member], json[member], member)
  assert.equal(cookies.session_id?.value, json.sessionId)
  assert.equal((await app.get('/auth/me', { headers: { 'x-session-id': json.sessionId } })).json.user.email, ada.email)
})

test('/auth/register is the same route', async () => {
  assert.equal((await app.post('/auth/register', person())).status, 200)
})

test('a request cannot choose its role, its id or anything else that is not its own', async () => {
  const ada = person()
  const greedy = {
    user_type: 'superadmin',
    is_verified: true,
    two_factor: true,
    id: '00000000-0000-7000-8000-000000000000',
    created_at: '2001-01-01T00:00:00.000Z',
    session_epoch: 9,
    is_business: true,
    gdpr_consent_at: '2001-01-01T00:00:00.000Z',
    acquisition_source: 'canary of an advertisement',
    team_size_range: 'canary of a team',
    first_time: false,
  }
  const { status, json } = await app.post('/auth/register/public', { ...ada, ...greedy })
  assert.equal(status, 200)
  const row = await rowOf(ada.email)
  assert.equal(row?.user_type, 'customer')
  assert.equal(row?.is_verified, false)
  assert.equal(row?.two_factor, false)
  assert.notEqual(row?.id, greedy.id)
  assert.ok(Number(row?.created_at) > Date.UTC(2002, 0))
  assert.doesNotMatch(JSON.stringify(json), /acquisition|team_size/)
})

test('the password is stored as argon2id and nowhere else', async () => {
  const ada = await registered(app)
  const row = await rowOf(ada.email)
  assert.match(String(row?.password_hash), /^\$argon2id\$v=19\$/)
  const { rows } = await sql<{
    dump: string
  }>`SELECT (SELECT string_agg(u::text, '') FROM users u) || (SELECT string_agg(s::text, '') FROM sessions s)
    || (SELECT string_agg(o::text, '') FROM outbox o) || (SELECT string_agg(t::text, '') FROM one_time_secrets t)
    || (SELECT string_agg(a::text, '') FROM audit_events a) AS dump`.execute(app.ctx.db)
  const mail = await app.mailTo(ada.email)
  const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? ''
  assert.equal(token.length, 43)
  for (const secret of [ada.password, ada.sessionToken, token])
    for (const form of [secret, inHex(secret)]) assert.ok(!rows[0]?.dump.includes(form))
})

test('a taken address, user name or number is refused by its own code, and leaves a trace', async () => {
  const ada = await registered(app, 'ada', { phone: '+491701234567' })
  const before = await rowCounts(app)
  const cases = [
    [{ ...person(), email: ada.email.toUpperCase() }, 'EMAIL_TAKEN', 'Email already registered'],
    [{ ...person(), user_name: ada.user_name.toUpperCase() }, 'USER_NAME_TAKEN', 'Username already taken'],
    [{ ...person(), phone: '+49 170 1234567' }, 'PHONE_TAKEN', 'Phone number already in use'],
  ] as const
  for (const [body, code, sentence] of cases) {
    const { status, json } = await app.post('/auth/register/public', body)
    assert.equal(status, 400)
    assert.equal(json.code, code)
    assert.equal(json.error, sentence)
    assert.doesNotMatch(JSON.stringify(json), new RegExp(ada.id))
  }
  assert.deepEqual(await rowCounts(app), before)
  assert.equal((await auditOf(app, 'register_existing')).length, 3)
})

test('bad members are refused by name, and nothing is written', async () => {
  const before = await rowCounts(app)
  const cases: [Record<string, unknown>, string][] = [
    [{ email: 'nobody' }, 'email'],
    [{ email: 'ada＠example.com' }, 'email'],
    [{ email: 'a b@example.com' }, 'email'],
    [{ email: 'ada@example.com,eve@example.com' }, 'email'],
    [{ email: '"ada"@example.com' }, 'email'],
    [{ email: 'ada@localhost' }, 'email'],
    [{ email: 'ada\u200d@example.com' }, 'email'],
    [{ email: ['ada@example.com'] }, 'email'],
    [{ user_name: 'a' }, 'user_name'],
    [{ user_name: 'ada@example.com' }, 'user_name'],
    [{ user_name: 'аdа_cyrillic' }, 'user_name'],
    [{ name: 'a\u0007b' }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ phone: '0170 1234567' }, 'phone'],
    [{ lang: 'not a language' }, 'lang'],
    [{ tmz: 'Mars/Olympus' }, 'tmz'],
    [{ picture: 'javascript:alert(1)' }, 'picture'],
    [{ picture: 'http://169.254.169.254/' }, 'picture'],
    [{ password: 12345678 }, 'password'],
  ]
  for (const [wrong, field] of cases) {
    const { status, json } = await app.post('/auth/register/public', { ...person(), ...wrong })
    assert.equal(status, 400, JSON.stringify(wrong))
    assert.equal(json.code, 'VALIDATION_ERROR')
    assert.deepEqual(
      json.details.map((detail: { field: string }) => detail.field),
      [field],
      JSON.stringify(wrong),
    )
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('two spellings of one mailbox are one account', async () => {
  const { status, json } = await app.post('/auth/register/public', {
    ...person(),
    email: ' Käthe@BÜCHER.example '.replace('ä', 'a'),
  })
  assert.equal(status, 200)
  assert.equal(json.user.email, 'kathe@xn--bcher-kva.example')
  const again = await app.post('/auth/register/public', { ...person(), email: 'kathe@xn--bcher-kva.example' })
  assert.equal(again.json.code, 'EMAIL_TAKEN')
})

test('passwords that guessers try first are refused, whatever is put around them', async () => {
  const ada = person()
  const cases = [
    'short',
    '        ',
    'password',
    '  Password123!!',
    'wardenry2026',
    ada.email,
    ada.user_name,
    '12345678',
    'x'.repeat(257),
    '\ud800aaaaaaa',
  ]
  for (const password of cases) {
    const { status, json } = await app.post('/auth/register/public', { ...ada, password })
    assert.equal(status, 400, password)
    assert.match(json.code, /^(WEAK_PASSWORD|VALIDATION_ERROR)$/)
    assert.equal(json.details[0].field, 'password')
  }
  for (const password of ['ünïcödé ist gut', '🦉🦉🦉🦉🦉🦉🦉🦉', ' leading and trailing ', 'x y z '.repeat(42)]) {
    const somebody = person()
    assert.equal((await app.post('/auth/register/public', { ...somebody, password })).status, 200, password)
    assert.equal(
      (await app.post('/auth/login', { email: somebody.email, password: password.normalize('NFD') })).status,
      200,
      password,
    )
    assert.equal((await app.post('/auth/login', { email: somebody.email, password: `${password}x` })).status, 401)
  }
})
