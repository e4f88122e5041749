import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { cancelPath, requestPath, startedChange, verifyPath } from '../email-addresses/change-support.ts'
import { onboardingLife } from '../modules/onboarding/support.ts'
import { privacyLife } from '../modules/privacy/support.ts'
import { asked, withSecret } from '../passwordless/support.ts'
import { drawn, upload } from '../pictures/support.ts'
import { type OidcServer, startOidcServer } from '../social/oidc-server.ts'
import { apiDocument, resolve } from '../support/api-document.ts'
import { issued, redeemed } from '../support/handover.ts'
import { passkeyOwner } from '../support/passkeys.ts'
import { person, registered, signedInAs, withSession } from '../support/people.ts'
import { requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { twoFactorLife } from '../two-factor/support.ts'
import { administrationLife } from './administration-life.ts'
import { passkeyLife } from './passkey-life.ts'
import { declaredRoutes } from './support.ts'

interface Operation {
  summary: string
  tags: string[]
  responses: Record<string, { description: string; content?: Record<string, { schema: TSchema }> }>
  parameters?: { name: string; in: string; schema: object; required: boolean; example?: string }[]
  requestBody?: { content: Record<string, { schema: TSchema }> }
  security?: Record<string, string[]>[]
  'x-access': string
  'x-rate-limit': string
}

interface Document {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, object> }
}

let app: TestApp
/** The document with alternative paths and resolved references. */
let document: Document
/** The document as sent. */
let published: Document
let provider: OidcServer
before(async () => {
  provider = await startOidcServer()
  app = await startTestApp({ modules: ['onboarding', 'privacy', 'two-factor'], env: provider.env })
  document = await apiDocument(app)
  published = (await app.get('/openapi.json')).json
})
after(async () => {
  await app?.stop()
  await provider?.stop()
})

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]): [string, Operation] => [`${method.toUpperCase()} ${path}`, one]),
  )

test('the description is OpenAPI 3.1 and holds nothing but what the specification knows', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/)
  assert.deepEqual(Object.keys(document).toSorted(), [
    'components',
    'info',
    'openapi',
    'paths',
    'servers',
    'tags',
    'webhooks',
  ])
  assert.ok(document.info.title && document.info.version)
  assert.deepEqual(document.servers, [{ url: app.ctx.config.PUBLIC_URL }])
  for (const path of Object.keys(document.paths)) assert.match(path, /^\/[\w./{}-]*$/)
  for (const [name, operation] of operations()) {
    assert.match(name, /^(GET|POST|PUT|PATCH|DELETE) /)
    for (const { name: parameter, in: place, schema, required } of operation.parameters ?? []) {
      assert.ok(parameter && schema, name)
      assert.ok(place === 'query' || place === 'header' || (place === 'path' && required), name)
    }
    assert.ok(operation.security, `${name} does not say which credentials it takes`)
    for (const needed of operation.security.flatMap(Object.keys))
      assert.ok(needed in document.components.securitySchemes, name)
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      assert.match(status, /^([1-5]\d\d|[1-5]XX|default)$/, name)
      assert.ok(description, name)
      for (const { schema } of Object.values(content ?? {})) assert.doesNotThrow(() => Compile(schema), name)
    }
    for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
      assert.doesNotThrow(() => Compile(schema), name)
  }
  for (const [, reference = ''] of JSON.stringify(published).matchAll(/"\$ref":"([^"]+)"/g))
    assert.ok(resolve(reference, published), reference)
})

test('every route that is not hidden is described, with summary, tag, replies, access and limit; no other is', () => {
  const known = declaredRoutes(app).filter(({ rule }) => !rule.hidden)
  assert.deepEqual(
    operations()
      .map(([name]) => name)
      .toSorted(),
    known.map(({ method, url }) => `${method} ${inBraces(url)}`).toSorted(),
  )
  for (const { method, url, rule } of known) {
    const operation = document.paths[inBraces(url)]?.[method.toLowerCase()]
    assert.ok(operation, url)
    assert.match(operation.summary, /^[A-Z].{5,}[^.]$/, url)
    assert.equal(operation.tags.length, 1, url)
    assert.equal(operation['x-access'], rule.access.description)
    assert.equal(operation['x-rate-limit'], rule.limit)
    for (const status of ['200', '400', '429', '500', '503']) assert.ok(status in operation.responses, url)
    for (const { name, in: place, example } of operation.parameters ?? [])
      if (place === 'path') assert.ok(example, `${url} has no example for ${name}`)
    const { bridge, session, unlessToken, onlyToLink } = rule.access
    const [needed = {}] = operation.security ?? []
    assert.equal('bridge' in needed, bridge === 'required', url)
    const takesSession = session !== 'none' && session !== 'optional'
    assert.equal('session' in needed, takesSession, url)
    const isFree = operation.security?.some((one) => Object.keys(one).length === 0) || operation.security?.length === 0
    const needsSession = takesSession && !unlessToken && !onlyToLink
    assert.equal(isFree, bridge !== 'required' && !needsSession, url)
  }
})

const ofTwoFactor = (path: string): string => `/two-factor${path}`

/** Converts `/auth/sessions/:id` to the document's notation. */
const inBraces = (url: string): string => url.replace(/:(\w+)/g, '{$1}')

/** The documented path that matches a requested path. */
function describedPath(path: string): string {
  const isInstance = (one: string) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
  return path in document.paths ? path : (Object.keys(document.paths).find(isInstance) ?? path)
}

const isAbsent = (moduleId: string | undefined): boolean =>
  moduleId !== undefined && !app.ctx.modules.isInstalled(moduleId)

test('the replies of a whole life are what the description says', async () => {
  const seen = new Set<string>()
  const check = (method: string, url: string, reply: Reply): Reply => {
    const path = describedPath(url.replace(/\?.*$/, ''))
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
    const schema = responses[reply.status]?.content?.['application/json']?.schema
    assert.ok(schema, `${method} ${url} ${reply.status}`)
    const compiled = Compile(schema)
    assert.ok(compiled.Check(reply.json), `${method} ${url}: ${JSON.stringify([...compiled.Errors(reply.json)])}`)
    if (reply.status === 200) seen.add(`${method} ${path}`)
    return reply
  }
  const get = async (url: string, call = {}) => check('GET', url, await app.get(url, call))
  const post = async (url: string, body?: unknown, call = {}) => check('POST', url, await app.post(url, body, call))

  const ada = await registered(app)
  // The link must be read before the next email is sent because a new link would invalidate it.
  const link = /token=([\w-]{43})/.exec((await app.mailTo(ada.email)).text)?.[1]
  await get(`/auth/token/verify?token=${link}&format=json`)
  await post('/auth/token/verify', { token: link })
  await post('/auth/register', person('grace'))
  await post('/auth/register/public', person('grace'))
  await post('/auth/register/public', { ...person(), email: ada.email })
  await post('/auth/login', { email: ada.email, password: 'not the password' })
  await post('/auth/login', { email: ada.email })
  await post('/auth/resend-verification', { email: ada.email })
  const grace = await registered(app, 'grace')
  await post('/auth/token/verify', { token: /token=([\w-]{43})/.exec((await app.mailTo(grace.email)).text)?.[1] })

  const put = async (url: string, body?: unknown, call = {}) =>
    check('PUT', url, await app.call('PUT', url, { body, ...call }))
  await get('/auth/profile', withSession(ada.sessionToken))
  for (const url of ['/auth/profile', '/auth/user/me']) await put(url, { name: 'Ada' }, withSession(ada.sessionToken))
  for (const path of ['/auth/token/login', '/auth/token/create']) {
    const { id, token, code } = await asked(app, ada.email)
    await post(path, { email: person().email })
    await post(path, { token })
    await post(path, { token_id: id, code })
  }
  for (const method of ['GET', 'POST']) {
    const { token } = await asked(app, ada.email)
    const url = '/auth/token/validate'
    if (method === 'GET') await get(`${url}?token=${token}`, withSecret)
    else await post(url, { token }, withSecret)
    await post(url, { token }, withSecret)
  }

  const other = await registered(app)
  await twoFactorLife(app, check)
  await passkeyLife(app, check)
  const { authenticator } = await passkeyOwner(app)
  const { challenge_id, options } = (await post('/auth/passkey/login/options')).json
  const answered = { challenge_id, response: authenticator.get(options) }
  for (const _ of ['once', 'and no more']) await post('/auth/passkey/login', answered)
  const self = { current_password: other.password, new_password: 'moths around the relay' }
  await post('/auth/reauthenticate', { password: other.password }, withSession(other.sessionToken))
  await post('/auth/password-check', { password: 'password123' })
  await post('/auth/password-change/self', self, withSession(other.sessionToken))
  for (const [count, route] of ['complete', 'reset'].entries()) {
    await post('/auth/password-reset/request', { email: other.email })
    const mail = await app.mailTo(other.email, 2 + count * 2)
    const token = /token=([\w-]{43})/.exec(mail.text)?.[1]
    await post('/auth/password-reset/validate', { token })
    await get(`/auth/password-reset/validate?token=${token}`)
    await get(`/auth/password-reset/validate/${token}`)
    await post(`/auth/password-reset/${route}`, { token, password: `a tape without an end ${count}` })
    await app.mailTo(other.email, 3 + count * 2)
  }
  const boss = await signedInAs(app, 'superadmin')
  const forced = { user_id: other.id, new_password: 'seven quiet river stones' }
  await post('/auth/password-change/admin', forced, withSession(boss.sessionToken))

  for (const over of [false, true]) {
    const { current, fresh, cancel } = await startedChange(app, ada)
    await get('/auth/email-change', withSession(ada.sessionToken))
    if (over) {
      await get(`${verifyPath}?token=${current}&format=json`)
      await post(verifyPath, { token: fresh })
    } else {
      await get(`${cancelPath}?token=${cancel}&format=json`)
      await post(cancelPath, {}, withSession(ada.sessionToken))
    }
  }
  await post(requestPath, { new_email: person().email }, withSession(ada.sessionToken))
  await get('/auth/email-change', withSession(ada.sessionToken))
  await put('/auth/profile', { email: person().email }, withSession(ada.sessionToken))
  await post(cancelPath, {}, withSession(ada.sessionToken))

  const uploaded = check(
    'POST',
    '/auth/upload/picture',
    await upload(app, ada.sessionToken, await drawn(8, 8).png().toBuffer()),
  )
  const shown = await app.get(new URL(uploaded.json.data.picture_url).pathname)
  const kinds = document.paths['/auth/pictures/{file}']?.get?.responses[200]?.content ?? {}
  assert.deepEqual([shown.status, Object.keys(kinds)], [200, [shown.headers['content-type']]])
  seen.add('GET /auth/pictures/{file}')
  const events = await app.get('/auth/bridge/events', withSecret)
  const eventKinds = document.paths['/auth/bridge/events']?.get?.responses[200]?.content ?? {}
  assert.deepEqual([events.status, Object.keys(eventKinds)], [200, [events.headers['content-type']]])
  seen.add('GET /auth/bridge/events')
  const [own] = (await get('/auth/sessions', withSession(ada.sessionToken))).json.data.sessions
  const end = async (url: string) => check('DELETE', url, await app.call('DELETE', url, withSession(ada.sessionToken)))
  await end('/auth/sessions')
  await end(`/auth/sessions/${own.id.replaceAll(/\d/g, '0')}`)
  const { json: elsewhere } = await app.post('/auth/login', {
    email: (await get('/auth/me', withSession(ada.sessionToken))).json.user.email,
    password: ada.password,
  })
  const [newest] = (await get('/auth/sessions', withSession(elsewhere.sessionId))).json.data.sessions
  await end(`/auth/sessions/${newest.id}`)
  const deletion = await app.call('DELETE', '/auth/upload/picture', withSession(ada.sessionToken))
  check('DELETE', '/auth/upload/picture', deletion)

  const social = '/auth/social/oidc'
  provider.people.set('mary', { sub: 'mary', email: 'mary@example.com', email_verified: true })
  await get('/auth/brand')
  await get('/auth/social/providers')
  const visit = await get(`${social}/login?format=json`)
  const back = await provider.signIn(visit.json.url, 'mary')
  const flow = { headers: { 'x-oauth-flow': visit.json.flow } }
  const mary = withSession((await get(`${back.pathname}${back.search}`, flow)).json.sessionId)
  await get(`${back.pathname}${back.search}&format=json`, flow)
  await get('/auth/social/accounts', mary)
  await post(`${social}/link`, {}, mary)
  check('DELETE', `/auth/social/accounts/oidc`, await app.call('DELETE', '/auth/social/accounts/oidc', mary))
  await post(`${social}/login-api`, { id_token: 'x.y.z' })
  await post(`${social}/login-api`, await provider.appCode('mary'))

  await requireSecondFactor(app, grace.id)
  const byLink = await asked(app, grace.email)
  await post('/auth/token/login', { token: byLink.token })
  await post('/auth/token/validate', { token: (await asked(app, grace.email)).token }, withSecret)
  const pending = (await post('/auth/login', { email: grace.email, password: grace.password })).json.sessionId
  for (const sessionToken of [ada.sessionToken, pending, 'ses_unknown']) {
    const { headers } = withSession(sessionToken)
    for (const url of ['/auth/validation', '/auth/session/current', '/auth/me']) await get(url, { headers })
    await get('/auth/user/me', { headers: { ...headers, 'x-bridge-secret': bridgeSecret } })
    await post('/auth/bridge/validate', { session_id: sessionToken }, { headers: { 'x-bridge-secret': bridgeSecret } })
    await post(
      '/auth/bridge/validate',
      { session_ids: [sessionToken] },
      { headers: { 'x-bridge-secret': bridgeSecret } },
    )
    await get('/auth/verify', { headers: { ...headers, 'x-bridge-secret': bridgeSecret } })
    await post('/auth/verify', {}, { headers: { ...headers, 'x-bridge-secret': bridgeSecret } })
    for (const url of ['/auth/validation', '/auth/refresh', '/auth/invalidate/me', '/auth/logout'])
      await post(url, undefined, { headers })
  }
  const shopper = await registered(app)
  check('POST', '/auth/bridge/redeem', await redeemed(app, await issued(app, shopper.sessionToken)))
  const setup = /token=(.+)$/.exec((await createSetupLink(app.ctx)) ?? '')?.[1]
  await post('/auth/setup', { token: setup, email: person().email, password: 'moths around the relay' })
  await post('/auth/setup', { token: setup, email: person().email, password: 'moths around the relay' })
  await get('/auth/admin/audit', withSession(ada.sessionToken))
  const superadmin = withSession((await signedInAs(app, 'superadmin')).sessionToken)
  await get('/auth/admin/overview?range=12m', superadmin)
  await get('/auth/admin/overview?range=forever', superadmin)
  await get('/auth/admin/lockouts', superadmin)
  await get('/auth/admin/bridge-secrets', superadmin)
  await get('/auth/admin/security', superadmin)
  await get('/auth/admin/audit', superadmin)
  await get('/auth/admin/audit/seals', superadmin)
  await get('/auth/admin/events', superadmin)
  await get('/auth/admin/audit/export?format=json', superadmin)
  await get('/auth/admin/audit/export?format=xml', superadmin)
  const drop = async (url: string) => check('DELETE', url, await app.call('DELETE', url, superadmin))
  await get('/auth/users/search?q=ada&page=0', superadmin)
  await get('/auth/users/search?q=ada', superadmin)
  await get('/auth/users/search?deleted=true', superadmin)
  await get('/auth/users/export?format=json', superadmin)
  await get('/auth/users/export?q=ada&format=xml', superadmin)
  const many = [(await registered(app)).id, 'unknown']
  await post('/auth/admin/users/bulk', { action: 'block', ids: many, reason: 'Spam' }, superadmin)
  await post('/auth/admin/users/bulk', { action: 'block', ids: many }, superadmin)
  for (const path of ['/auth/users', '/auth/admin/users']) {
    await get(path, superadmin)
    const { id } = (await post(path, person(), superadmin)).json.data.user
    await get(`${path}/${id}`, superadmin)
    await put(`${path}/${id}`, { user_type: 'writer' }, superadmin)
    await drop(`${path}/${id}/two_factor`)
    await drop(`${path}/${id}`)
    await drop(`${path}/unknown`)
    await post(`/auth/admin/users/${id}/restore`, {}, superadmin)
    await post(`/auth/admin/users/${id}/block`, { reason: 'Spam' }, superadmin)
    await post(`/auth/admin/users/${id}/unblock`, {}, superadmin)
    await post(`/auth/admin/users/${id}/unlock`, {}, superadmin)
  }
  const { id: userId } = await registered(app)
  const [session] = (await get(`/auth/admin/users/${userId}`, superadmin)).json.data.sessions
  await drop(`/auth/admin/users/${userId}/sessions/${session.id}`)
  await drop(`/auth/admin/users/${userId}/sessions`)
  await get('/auth/admin/application-roles', superadmin)
  await get(`/auth/admin/users/${userId}/roles`, superadmin)
  await put(`/auth/admin/users/${userId}/roles`, { roles: [] }, superadmin)
  await get('/auth/admin/settings', superadmin)
  await put('/auth/admin/settings', { changes: [{ name: 'APP_NAME', value: 'Harbour' }] }, superadmin)
  const hub = '/api/v1/modules/install'
  for (const path of ['/dry-run', '/run', ...['/dry-run', '/run', '/update/dry-run', '/update'].map(ofTwoFactor)]) {
    await post(`${hub}${path}`, { verbose: true, with_sql: true }, superadmin)
  }
  for (const path of ['', '/status', ...['/status', '/registry', '/runs'].map(ofTwoFactor)])
    await get(`${hub}${path}`, superadmin)
  await post(`${hub}${ofTwoFactor('/run')}`, { target: 'x' }, superadmin)
  await privacyLife(app, check, superadmin)
  await onboardingLife(app, check)
  await administrationLife(app, check)
  const leaving = withSession((await registered(app)).sessionToken)
  await get('/auth/user/me/export', leaving)
  check('DELETE', '/auth/user/me', await app.call('DELETE', '/auth/user/me', leaving))
  for (const url of ['/health', '/health/live', '/health/ready']) await get(url)

  const present = declaredRoutes(app).filter(({ rule }) => !rule.hidden && !isAbsent(rule.module?.id))
  assert.deepEqual(
    [...seen].toSorted(),
    present.map(({ method, url }) => `${method} ${inBraces(url)}`).toSorted(),
    'every operation has answered 200 once, but for those of modules that this application does not have',
  )
})
