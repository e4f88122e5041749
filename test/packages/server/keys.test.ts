import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CredentialKind, CredentialRule, Rule, ValidatedCredential } from '../../../packages/server/src/index.ts'
import { isKey } from '../../../packages/server/src/key-form.ts'
import { newKey } from '../../../src/modules/api-keys/key-text.ts'
import { ada, application, appUrl, browserRequest, letIn, serviceUrl, sessionToken } from './support.ts'

const key = newKey('personal')
const serviceKey = newKey('service')
const cookie = { cookie: `__Host-wardenry_session=${sessionToken}` }
const both: CredentialKind[] = ['session', 'api_key']

const content = {
  success: true,
  kind: 'api_key',
  user: ada,
  session: null,
  service_account: null,
  key: { id: 'key', name: 'deploy', kind: 'personal', last_used_at: null, ip_ranges: [] as string[] },
  roles: [],
  permissions: ['invoices:read'],
  scopes: ['invoices:read', 'wardenry:profile:read'],
  expires_at: null,
  authenticated_at: null,
  methods: [],
  owners: ['key', ada.id],
  age: 0,
}
const ofService = { user: null, service_account: { id: 'account', name: 'Deployment' } }

const result = (members: object) => ({ ...content, timestamp: new Date().toISOString(), ...members })
const bearer = (...keys: string[]) => ({ authorization: keys.map((one) => `Bearer ${one}`).join(', ') })

function accepting(members: object | undefined = {}, options = {}) {
  const made = application(options)
  const answer = members.constructor === Object ? result(members) : members
  made.answers['/auth/bridge/validate'] = [200, { success: true, results: [answer] }]
  return made
}

type Made = ReturnType<typeof application>

async function outcomeOf({ wardenry }: Made, rule: Rule | CredentialRule, headers: object, method = 'GET') {
  const reply = await wardenry.requireUser(
    new Request(appUrl, { method, headers: headers as Record<string, string> }),
    rule,
  )
  if (!(reply instanceof Response)) return (reply as Partial<ValidatedCredential>).kind ?? 'no kind'
  return `${reply.status} ${((await reply.json()) as { code: string }).code}`
}

test('the form of a key includes its checksum', () => {
  for (let count = 0; count < 50; count++) {
    const made = newKey(count % 2 ? 'personal' : 'service')
    assert.ok(isKey(made), made)
    const wrong = [made.slice(0, -1), `${made}0`, made.toUpperCase(), ` ${made}`, `${made}\n`, made.replace('_', '-')]
    const other = made.at(-1) === 'a' ? 'b' : 'a'
    for (const text of [...wrong, made.slice(0, -1) + other, `wka_${made.slice(4)}`]) assert.ok(!isKey(text), text)
  }
})

test('a key is validated with its kind, its scopes and its visitor, and gives the result of its kind', async () => {
  const made = accepting({}, { trustedProxies: ['127.0.0.1'] })
  const request = {
    headers: { ...bearer(key), 'user-agent': 'curl', 'x-forwarded-for': '203.0.113.7' },
    method: 'POST',
    socket: { remoteAddress: '127.0.0.1' },
  }
  const found = await made.wardenry.getSession(request, { kinds: ['api_key'], scopes: ['invoices:read'] })
  assert.deepEqual(made.asked[0]?.body, {
    credentials: [key],
    accept: ['api_key'],
    scopes: ['invoices:read'],
    tags: [''],
    end_users: [{ ip: '203.0.113.7', user_agent: 'curl' }],
  })
  assert.deepEqual([found.kind, found.user?.id, found.session, found.key?.id], ['api_key', ada.id, null, 'key'])
  assert.deepEqual(found.scopes, content.scopes)
})

test('without kinds, a request with a key is that of a present application', async () => {
  const made = application()
  letIn(made.answers)
  assert.equal(await outcomeOf(made, {}, { ...bearer(key), ...cookie }), 'no kind')
  assert.equal(await outcomeOf(made, {}, bearer(key)), '401 INVALID_SESSION')
  assert.deepEqual(
    made.asked.map(({ body }) => Object.keys(body)),
    [['session_ids', 'tags', 'end_users']],
  )
  assert.deepEqual(made.asked[0]?.body.session_ids, [sessionToken])
  assert.equal(await outcomeOf(made, { kinds: ['session'] }, { ...bearer(key), ...cookie }), 'session')
  assert.deepEqual(made.asked[1]?.body, made.asked[0]?.body)
})

test('a form that the rule does not take is ignored', async () => {
  const made = application()
  letIn(made.answers)
  const mistyped = key.slice(0, -1) + (key.at(-1) === 'a' ? 'b' : 'a')
  for (const other of ['eyJhbGciOi', mistyped, key.slice(0, -1)])
    assert.equal(await outcomeOf(made, { kinds: both }, { ...bearer(other), ...cookie }), 'session')
  assert.ok(made.asked.every(({ body }) => body.session_ids))
  const { length } = made.asked
  assert.equal(await outcomeOf(made, { kinds: ['api_key'] }, cookie), '401 INVALID_CREDENTIAL')
  assert.equal(
    await outcomeOf(made, { kinds: ['api_key'] }, { 'x-session-id': sessionToken }),
    '401 INVALID_CREDENTIAL',
  )
  assert.equal(made.asked.length, length)
})

test('a key decides even if it is rejected and the cookie is valid', async () => {
  for (const code of ['INVALID_CREDENTIAL', 'KEY_PAUSED', 'KEY_NETWORK', 'INSUFFICIENT_SCOPE']) {
    const made = accepting({ success: false, code })
    const status = code.startsWith('I') && code !== 'INSUFFICIENT_SCOPE' ? 401 : code === 'KEY_PAUSED' ? 401 : 403
    assert.equal(await outcomeOf(made, { kinds: both }, { ...bearer(key), ...cookie }), `${status} ${code}`)
    assert.equal(await made.wardenry.credentialOf({ headers: { ...bearer(key), ...cookie } }), undefined)
    assert.ok(made.asked.every(({ body }) => body.credentials))
  }
})

test('several accepted credentials in headers are rejected, and nothing is asked', async () => {
  const made = accepting()
  for (const headers of [
    bearer(key, serviceKey),
    bearer(key, sessionToken),
    bearer(sessionToken, key),
    { ...bearer(key), 'x-session-id': sessionToken },
    { ...bearer(key), 'x-session-id': 'ses_short' },
  ])
    assert.equal(await outcomeOf(made, { kinds: both }, headers), '401 INVALID_CREDENTIAL')
  const rawHeaders = ['Authorization', `Bearer ${key}`, 'Authorization', `Bearer ${serviceKey}`]
  const twice = { headers: bearer(key), rawHeaders, method: 'GET' }
  await assert.rejects(made.wardenry.getSession(twice, { kinds: both }), { code: 'INVALID_CREDENTIAL' })
  assert.deepEqual(made.asked, [])
  assert.equal(await outcomeOf(made, { kinds: both }, bearer(key, key)), 'api_key')
})

test('only a key switches off the check of the page that sent the request', async () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const made = accepting()
  assert.equal(await outcomeOf(made, { kinds: both }, { ...bearer(key), ...foreign, ...cookie }, 'POST'), 'api_key')
  letIn(made.answers)
  for (const headers of [cookie, { ...cookie, ...bearer('eyJ') }, { ...cookie, ...bearer(key.slice(0, -1)) }])
    assert.equal(await outcomeOf(made, { kinds: both }, { ...headers, ...foreign }, 'POST'), '403 CSRF_REJECTED')
})

const judgements: [name: string, members: object, rule: Omit<CredentialRule, 'kinds'>, outcome: string][] = [
  ['a scope that the key has', {}, { scopes: ['invoices:read'] }, 'api_key'],
  ['a scope that it lacks', {}, { scopes: ['invoices:write'] }, '403 INSUFFICIENT_SCOPE'],
  ['one of two scopes', {}, { scopes: ['invoices:read', 'invoices:write'] }, '403 INSUFFICIENT_SCOPE'],
  ['a permission', {}, { permission: 'invoices:read' }, 'api_key'],
  ['a permission that it lacks', {}, { permission: 'invoices:write' }, '403 INSUFFICIENT_SCOPE'],
  ['a role', {}, { role: 'accountant' }, '403 FORBIDDEN'],
  ['a recent sign-in', {}, { maxAge: 300 }, '403 FORBIDDEN'],
  ['a second factor', {}, { twoFactor: true }, '403 FORBIDDEN'],
  ['no second factor', {}, { twoFactor: false }, 'api_key'],
  ['the user type', {}, { userTypes: ['customer'] }, 'api_key'],
  ['another user type', {}, { userTypes: ['admin'] }, '403 FORBIDDEN'],
  ['a user type of a service account', ofService, { userTypes: ['customer'] }, '403 FORBIDDEN'],
  ['nothing of a service account', ofService, {}, 'api_key'],
  ['a network without an address', { key: { ...content.key, ip_ranges: ['203.0.113.0/24'] } }, {}, '403 KEY_NETWORK'],
]
for (const [name, members, rule, outcome] of judgements) {
  test(`a rule that demands ${name} of a key: ${outcome}`, async () => {
    assert.equal(await outcomeOf(accepting(members), { ...rule, kinds: ['api_key'] }, bearer(key)), outcome)
    const { wardenry } = accepting(members)
    const page = await wardenry.requireUser(browserRequest('/', bearer(key)), { ...rule, kinds: both })
    const expected = outcome === 'api_key' ? undefined : 403
    assert.equal(page instanceof Response ? page.status : undefined, expected, 'no redirect to the sign-in page')
  })
}

test('a session needs the permissions with the names of the scopes', async () => {
  const made = application()
  const rule: CredentialRule = { kinds: both, scopes: ['invoices:write'] }
  letIn(made.answers)
  assert.equal(await outcomeOf(made, rule, cookie), '403 INSUFFICIENT_SCOPE')
  letIn(made.answers, { roles: ['accountant'], permissions: ['invoices:write'] })
  assert.equal(await outcomeOf(made, rule, cookie), 'session')
})

test('a response that is malformed is neither a valid nor an invalid key', async () => {
  for (const wrong of [
    { kind: 'session' },
    { session: {} },
    { key: null },
    { key: { ...content.key, ip_ranges: undefined } },
    { key: { ...content.key, ip_ranges: '203.0.113.0/24' } },
    { scopes: 'invoices:read' },
    { permissions: undefined },
    { owners: undefined },
    { owners: [1] },
    { user: null },
    { ...ofService, user: ada },
    { user: {} },
    { expires_at: undefined },
    { expires_at: 'soon' },
    { success: false, code: 'RATE_LIMITED' },
    { success: false, code: 'INVALID_SESSION' },
    { unchanged: true },
  ])
    assert.equal(
      await outcomeOf(accepting(wrong), { kinds: both }, bearer(key)),
      '503 UNAVAILABLE',
      JSON.stringify(wrong),
    )
})

test('a source of sessions alone permits no key', async () => {
  const { wardenry } = application({ source: { peek: () => 'ask', validate: async () => undefined, close() {} } })
  const request = { headers: bearer(key) }
  await assert.rejects(wardenry.getSession(request, { kinds: both }), { code: 'UNAVAILABLE' })
  await assert.rejects(wardenry.credentialOf(request), { code: 'UNAVAILABLE' })
})

test('credentialOf gives the session or the key, and userOf knows no keys', async () => {
  const made = accepting()
  assert.equal((await made.wardenry.credentialOf({ headers: bearer(key) }))?.kind, 'api_key')
  assert.equal(await made.wardenry.userOf({ headers: bearer(key) }), undefined)
  letIn(made.answers)
  const found = await made.wardenry.credentialOf(new Request(appUrl, { headers: cookie }))
  assert.deepEqual([found?.kind, found?.user?.id, found?.key, found?.scopes], ['session', ada.id, null, []])
  assert.equal(await made.wardenry.credentialOf({ headers: {} }), undefined)
})

test('without kinds that include sessions, a visitor is not sent to sign in', async () => {
  const { wardenry } = accepting()
  const reply = await wardenry.requireUser(browserRequest('/'), { kinds: ['api_key'] })
  assert.ok(reply instanceof Response)
  assert.equal(reply.status, 401)
  const toSignIn = await wardenry.requireUser(browserRequest('/'), { kinds: both })
  assert.ok((toSignIn as Response).headers.get('location')?.startsWith(`${serviceUrl}/login`))
})
