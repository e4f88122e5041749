import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CredentialRule, ValidatedCredential } from '../../../packages/server/src/index.ts'
import { isAccessToken } from '../../../packages/server/src/token-form.ts'
import { newOpaqueToken } from '../../../src/modules/oauth/token/token-text.ts'
import { ada, application, appUrl, letIn, serviceUrl, sessionToken } from './support.ts'

const resource = 'https://api.example.com'
const rule: CredentialRule = { kinds: ['token'], resource }
const every: CredentialRule = { kinds: ['session', 'api_key', 'token'], resource }
const opaque = newOpaqueToken()
const jwt = jwtOf({ typ: 'at+jwt', alg: 'ES256', kid: 'key' }, { iss: serviceUrl, sub: 'worker' })
const cookie = { cookie: `__Host-wardenry_session=${sessionToken}` }

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

const content = {
  success: true,
  kind: 'token',
  user: null as unknown,
  session: null,
  service_account: { id: 'account', name: 'Deployment' } as unknown,
  key: null,
  client: { id: 'worker', name: 'Worker', type: 'machine' },
  resource,
  roles: [],
  permissions: ['invoices:read'],
  scopes: ['invoices:read'],
  expires_at: inMinutes(10),
  authenticated_at: null as string | null,
  methods: [] as string[],
  owners: ['client', 'account'],
  age: 0,
}
const ofAda = { user: ada, service_account: null, authenticated_at: inMinutes(-5), methods: ['pwd', 'mfa'] }

function jwtOf(header: object, claims: object): string {
  const encoded = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return [...encoded, 'c2lnbmF0dXJl'].join('.')
}

const bearer = (...tokens: string[]) => ({ authorization: tokens.map((one) => `Bearer ${one}`).join(', ') })

function answering(members: object = {}) {
  const made = application()
  const results = [{ ...content, timestamp: new Date().toISOString(), ...members }]
  made.answers['/auth/bridge/validate'] = [200, { success: true, results }]
  return made
}

async function outcomeOf({ wardenry }: ReturnType<typeof application>, by: CredentialRule, headers: object) {
  const request = new Request(appUrl, { headers: headers as Record<string, string> })
  const reply = await wardenry.requireUser(request, by)
  if (!(reply instanceof Response)) return (reply as Partial<ValidatedCredential>).kind ?? 'no kind'
  return `${reply.status} ${((await reply.json()) as { code: string }).code}`
}

test('a token is validated for the API that is called', async () => {
  const made = answering()
  for (const token of [opaque, jwt])
    assert.equal(await outcomeOf(made, { ...rule, scopes: ['invoices:read'] }, bearer(token)), 'token')
  assert.deepEqual(
    made.asked.map(({ body: { end_users, tags, ...body } }) => body),
    [opaque, jwt].map((token) => ({ credentials: [token], accept: ['token'], resource, scopes: ['invoices:read'] })),
  )
})

test('texts that are no tokens of this service are ignored, and nothing is asked', async () => {
  const header = { typ: 'at+jwt', alg: 'ES256', kid: 'key' }
  const texts = [
    jwtOf(header, { iss: 'https://login.example.net' }),
    jwtOf(header, { iss: `${serviceUrl}/` }),
    jwtOf({ ...header, typ: 'JWT' }, { iss: serviceUrl }),
    jwtOf(header, []),
    jwt.slice(0, jwt.lastIndexOf('.')),
    `${opaque.slice(0, -1)}${opaque.endsWith('a') ? 'b' : 'a'}`,
    'null.null.null',
  ]
  for (const text of texts) {
    assert.equal(isAccessToken(text, serviceUrl), false, text)
    const made = answering()
    assert.equal(await outcomeOf(made, rule, bearer(text)), '401 INVALID_CREDENTIAL')
    assert.deepEqual(made.asked, [])
  }
  const made = application()
  letIn(made.answers)
  assert.equal(await outcomeOf(made, every, { ...bearer(texts[0] as string), ...cookie }), 'session')
})

test('rules without token ignore tokens', async () => {
  const made = application()
  letIn(made.answers)
  const present: CredentialRule = { kinds: ['session', 'api_key'] }
  assert.equal(await outcomeOf(made, present, { ...bearer(jwt), ...cookie }), 'session')
  assert.equal(await outcomeOf(made, { kinds: ['api_key'] }, bearer(opaque)), '401 INVALID_CREDENTIAL')
  assert.equal(await made.wardenry.credentialOf({ headers: bearer(opaque) }), undefined)
  assert.ok(made.asked.every(({ body }) => body.session_ids))
})

const judgements: [name: string, members: object, more: Partial<CredentialRule>, outcome: string][] = [
  ['the API', {}, {}, 'token'],
  ['another spelling of the API', { resource: 'https://API.example.com:443/' }, {}, 'token'],
  ['another API', { resource: 'https://other.example.com' }, {}, '401 INVALID_CREDENTIAL'],
  ['a scope', {}, { scopes: ['invoices:read'] }, 'token'],
  ['a scope that it lacks', {}, { scopes: ['invoices:write'] }, '403 INSUFFICIENT_SCOPE'],
  ['a permission that it lacks', {}, { permission: 'invoices:write' }, '403 INSUFFICIENT_SCOPE'],
  ['a user type of a machine', {}, { userTypes: ['customer'] }, '403 FORBIDDEN'],
  ['a recent sign-in of a machine', {}, { maxAge: 600 }, '403 FORBIDDEN'],
  ['a second factor of a machine', { methods: ['mfa'] }, { twoFactor: true }, '403 FORBIDDEN'],
  ['a recent sign-in of a user', ofAda, { maxAge: 600 }, 'token'],
  ['a more recent sign-in of a user', ofAda, { maxAge: 60 }, '403 REAUTH_REQUIRED'],
  ['a sign-in whose time is unknown', { ...ofAda, authenticated_at: null }, { maxAge: 600 }, '403 REAUTH_REQUIRED'],
  ['a second factor of a user', ofAda, { twoFactor: true }, 'token'],
  ['a second factor without one', { ...ofAda, methods: ['pwd'] }, { twoFactor: true }, '403 TWO_FACTOR_REQUIRED'],
  ['the role of a user', ofAda, { role: 'accountant' }, '403 FORBIDDEN'],
]
for (const [name, members, more, outcome] of judgements)
  test(`a rule that demands ${name} of a token: ${outcome}`, async () => {
    assert.equal(await outcomeOf(answering(members), { ...rule, ...more }, bearer(jwt)), outcome)
  })

test('a response that is malformed is neither a valid nor an invalid token', async () => {
  for (const wrong of [
    { kind: 'api_key' },
    { kind: 'session' },
    { session: {} },
    { key: { id: 'key', ip_ranges: [] } },
    { client: null },
    { resource: null },
    { scopes: 'invoices:read' },
    { owners: undefined },
    { user: ada },
    { service_account: null },
    { expires_at: null },
    { methods: 'mfa' },
    { authenticated_at: undefined },
    { success: false, code: 'RESOURCE_REQUIRED' },
  ])
    assert.equal(await outcomeOf(answering(wrong), every, bearer(jwt)), '503 UNAVAILABLE', JSON.stringify(wrong))
})

test('the challenge names the error and the scopes (RFC 6750, 3)', async () => {
  const scopes = ['invoices:read', 'invoices:write']
  const challengeOf = async (by: CredentialRule, headers: object) => {
    const request = new Request(appUrl, { headers: headers as Record<string, string> })
    const reply = (await answering().wardenry.requireUser(request, by)) as Response
    return reply.headers.get('www-authenticate')
  }
  assert.equal(await challengeOf(rule, {}), 'Bearer')
  assert.equal(await challengeOf({ ...rule, scopes }, {}), 'Bearer scope="invoices:read invoices:write"')
  const elsewhere = { ...rule, resource: 'https://other.example.com' }
  assert.equal(await challengeOf(elsewhere, bearer(jwt)), 'Bearer error="invalid_token"')
  const insufficient = 'Bearer error="insufficient_scope", scope="invoices:read invoices:write"'
  assert.equal(await challengeOf({ ...rule, scopes }, bearer(jwt)), insufficient)
  assert.equal(await challengeOf({ kinds: ['api_key'] }, {}), null)
})

test('the error names the kinds of credentials that the rule accepts', async () => {
  const sentences: [CredentialRule['kinds'], string][] = [
    [['token'], 'access token'],
    [['session', 'token'], 'session or access token'],
    [['session', 'api_key', 'token'], 'session, API key or access token'],
  ]
  const made = application()
  const refused = { success: false, code: 'INVALID_CREDENTIAL' }
  made.answers['/auth/bridge/validate'] = [200, { success: true, results: [refused] }]
  for (const [kinds, named] of sentences) {
    const reply = await made.wardenry.requireUser(new Request(appUrl, { headers: bearer(opaque) }), { kinds, resource })
    assert.ok(reply instanceof Response)
    assert.equal(((await reply.json()) as { error: string }).error, `A valid ${named} is required.`)
  }
  const page = new Request(appUrl, { headers: { accept: 'text/html' } })
  const reply = await made.wardenry.requireUser(page, rule)
  assert.ok(reply instanceof Response)
  assert.match(await reply.text(), /A valid access token is required\..*Programs send it/s)
})

test('a token and another accepted credential in headers are rejected, and nothing is asked', async () => {
  const made = answering()
  for (const headers of [
    bearer(jwt, opaque),
    bearer(sessionToken, jwt),
    { ...bearer(jwt), 'x-session-id': sessionToken },
  ])
    assert.equal(await outcomeOf(made, every, headers), '401 INVALID_CREDENTIAL')
  assert.deepEqual(made.asked, [])
})

test('credentialOf returns tokens only for a named API', async () => {
  const { wardenry } = answering()
  assert.equal((await wardenry.credentialOf({ headers: bearer(jwt) }, { resource }))?.kind, 'token')
  const other = 'https://other.example.com'
  assert.equal(await wardenry.credentialOf({ headers: bearer(jwt) }, { resource: other }), undefined)
  for (const options of [{ resource: undefined }, { resources: [resource] }, { resource: 'api' }])
    await assert.rejects(wardenry.credentialOf({ headers: bearer(jwt) }, options as object), TypeError)
})
