import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer as createSecureServer } from 'node:https'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { TestStep } from '../../src/applications/sign-in-test/test-steps.ts'
import { staffOf } from '../screens/console/support.ts'
import { selfSigned } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, secretsOf, superadminOf } from './support.ts'
import { openApplication, openServer, redirectTo, type Site, withoutCookies } from './tested-site.ts'

let app: TestApp
let url: string
let superadmin: Superadmin
let serial = 0
before(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  app = await startTestApp({
    env: { PUBLIC_URL: url, FRONTEND_URL: url, EVENT_ALLOW_PRIVATE_HOSTS: 'true', RATE_LIMIT_ADMIN: '100000/1m' },
  })
  await app.http.listen({ host: '127.0.0.1', port })
  superadmin = await superadminOf(app)
})
// Rejections of an earlier test do not count.
beforeEach(() => app.clock.advance(1_000))
after(() => app.stop())

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

const loginLink = (members: Record<string, string>) => `${url}/login?${new URLSearchParams(members)}`

/** A new application with this address, and its result without what is usual. */
async function tested(address: string, input: object = {}, body: object = {}) {
  const { id } = await superadmin.create(`app-${serial++}`, {
    return_addresses: [address],
    development: true,
    ...input,
  })
  return { id, ...(await testOf(id, body)) }
}

async function testOf(id: string, body: object = {}) {
  const { status, json } = await superadmin.call('POST', `/${id}/test`, body)
  assert.equal(status, 200, JSON.stringify(json))
  const steps: TestStep[] = json.data.steps
  return { outcome: json.data.outcome, steps, failed: failureIn(steps), text: JSON.stringify(json) }
}

const failureIn = (steps: readonly TestStep[]) => {
  const failed = steps.find(({ outcome }) => outcome === 'failed')
  return failed && [failed.step, failed.reason]
}

const outcomes = (steps: readonly TestStep[]) => steps.map(({ step, outcome }) => `${step} ${outcome}`)

async function serving<Result>(site: Site, work: (site: Site) => Promise<Result>): Promise<Result> {
  try {
    return await work(site)
  } finally {
    await site.stop()
  }
}

const countUsers = async () =>
  (
    await sql<{ users: number; tests: number }>`SELECT (SELECT count(*)::int FROM users) AS users,
    (SELECT count(*)::int FROM application_tests) AS tests`.execute(app.ctx.db)
  ).rows[0]!

const connected = (options: object = {}, change?: Parameters<typeof openApplication>[1]) =>
  openApplication({ url, bridgeSecret, ...options }, change)

test('an application that is connected correctly passes, and the test user is deleted', async () => {
  const before = await countUsers()
  await serving(await connected(), async (site) => {
    const { outcome, steps, id, text } = await tested(site.url, {}, { page: `${site.url}/private` })
    assert.equal(outcome, 'passed', text)
    assert.deepEqual(outcomes(steps), [
      'page passed',
      'sign_in passed',
      'return passed',
      'redeem passed',
      'session passed',
    ])
    assert.equal((await superadmin.call('GET', `/${id}`)).json.data.live_sessions, 0)
  })
  assert.deepEqual(await countUsers(), before)
})

test('the test user signs in in a way that the application accepts', async () => {
  await serving(await connected(), async (site) => {
    for (const sign_in_methods of [['email'], ['password', 'passkey']]) {
      const { outcome, text, id } = await tested(site.url, { sign_in_methods }, { page: `${site.url}/private` })
      assert.equal(outcome, 'passed', text)
      await superadmin.call('PUT', `/${id}`, { return_addresses: [] })
    }
  })
})

test('the console leads to the page where the failure can be corrected', async () => {
  const root = await staffOf(app, 'superadmin')
  for (const [options, link] of [
    [{ bridgeSecret: 'wrong'.repeat(8) }, '/secrets'],
    [{ appUrl: 'http://127.0.0.1:1' }, ''],
  ] as const)
    await serving(await connected(options), async (site) => {
      const { id } = await superadmin.create(`app-${serial++}`, { return_addresses: [site.url], development: true })
      const path = `/admin/applications/${id}`
      await root.open(`${path}/test`)
      const { text } = await root.send(`${path}/test`, { page: `${site.url}/private` })
      assert.match(text, new RegExp(`<a class="small" href="${path}${link}">`))
    })
})

test('a Spanish page explains the failure in Spanish', async () => {
  const root = await staffOf(app, 'superadmin')
  const { id } = await superadmin.create(`app-${serial++}`, {
    return_addresses: [`http://127.0.0.1:${await freePort()}`],
    development: true,
  })
  await root.open(`/admin/applications/${id}/test`)
  const { text } = await root.send(`/admin/applications/${id}/test`, {}, { 'accept-language': 'es' })
  assert.match(text, /127\.0\.0\.1:\d+ rechazó la conexión: ningún programa escucha en este puerto/)
})

test('the session of the test ends with it', async () => {
  let cookie = ''
  const keep = (response: Response) => {
    const session = response.headers.getSetCookie().find((text) => text.includes('wardenry_session='))
    cookie = session?.split(';', 1)[0] ?? cookie
    return response
  }
  await serving(await connected({}, keep), async (site) => {
    assert.equal((await tested(site.url, {}, { page: `${site.url}/private` })).outcome, 'passed')
    assert.match(cookie, /ses_/)
    assert.equal((await fetch(`${site.url}/private`, { headers: { cookie } })).status, 401)
  })
})

test('without a page, the sign-in path of @wardenry/server is used if the first page is public', async () => {
  await serving(await connected(), async (site) => {
    const { outcome, steps } = await tested(site.url)
    assert.equal(outcome, 'passed')
    assert.equal(steps[0]?.page, `${site.url}/sign-in`)
  })
})

test('the page may lead to the sign-in page by other pages of the application', async () => {
  const detour: Parameters<typeof openApplication>[1] = (response, request) =>
    request.url === '/private' && response.headers.get('location')?.startsWith(url)
      ? new Response(null, { status: 302, headers: { location: '/enter?return_to=/private' } })
      : response
  const paths = { signIn: '/enter', callback: '/enter/callback', signOut: '/leave' }
  await serving(await connected({ paths }, detour), async (site) => {
    const { outcome, text } = await tested(site.url, {}, { page: `${site.url}/private` })
    assert.equal(outcome, 'passed', text)
  })
})

test('a page that does not require a sign-in is reported', async () => {
  await serving(await connected(), async (site) => {
    assert.deepEqual((await tested(site.url, {}, { page: `${site.url}/about` })).failed, ['sign_in', 'no_redirect'])
  })
})

test('a return address that is not declared is found', async () => {
  await serving(await connected(), async (site) => {
    const { failed, steps } = await tested(`${site.url}/shop`, {}, { page: `${site.url}/private` })
    assert.deepEqual(failed, ['sign_in', 'not_declared'])
    assert.equal(steps[1]?.detail, `${site.url}/sign-in/callback`)
  })
})

test('a return address of another application is found', async () => {
  await serving(await connected(), async (site) => {
    await superadmin.create(`app-${serial++}`, { return_addresses: [`${site.url}/sign-in`], development: true })
    const { failed } = await tested(site.url, {}, { page: `${site.url}/private` })
    assert.deepEqual(failed, ['sign_in', 'address_of_other_application'])
  })
})

test('a wrong address of the sign-in service is found, and that host is never requested', async () => {
  let requests = 0
  const other = await openServer(() => (_request, reply) => {
    requests++
    reply.end()
  })
  await serving(other, async () => {
    await serving(await connected({ url: other.url }), async (site) => {
      const { failed, steps } = await tested(site.url, {}, { page: `${site.url}/private` })
      assert.deepEqual(failed, ['sign_in', 'other_host'])
      assert.equal(steps[1]?.detail, new URL(other.url).host)
      assert.equal(requests, 0)
    })
  })
})

test('a wrong parameter of the sign-in page is named', async () => {
  const site = await openServer((own) => (_request, reply) => {
    redirectTo(reply, loginLink({ return_to: `${own}/callback`, code_challenge: 'short' }))
  })
  await serving(site, async () => {
    const { failed, steps } = await tested(site.url)
    assert.deepEqual([failed, steps[1]?.detail], [['sign_in', 'parameter'], 'code_challenge'])
  })
})

test('a wrong bridge secret is found, and so is one without the right for sessions', async () => {
  await serving(await connected({ bridgeSecret: 'another-secret-Yw83mQz7LrT5wYc1NdB8sHfJ2' }), async (site) => {
    assert.deepEqual((await tested(site.url)).failed, ['redeem', 'secret'])
  })
  const { id, create } = await secretsOf(superadmin, `app-${serial++}`, { development: true })
  const { secret } = await create({ rights: ['users'] })
  await serving(await connected({ bridgeSecret: secret }), async (site) => {
    await superadmin.call('PUT', `/${id}`, { return_addresses: [site.url] })
    const { failed, steps } = await testOf(id)
    assert.deepEqual(failed, ['redeem', 'secret_right'])
    assert.equal(steps[3]?.detail, 'sessions')
  })
})

test('a sign-in cookie that is not kept is found', async () => {
  await serving(await connected({}, withoutCookies('wardenry_flow')), async (site) => {
    assert.deepEqual((await tested(site.url)).failed, ['redeem', 'no_cookie'])
  })
})

/** An application of its own kind. `redeem` gets the query of the return address. */
const openOther = (callback: (query: URLSearchParams, own: string, redeem: Redeem) => Promise<number>) =>
  openServer((own) => async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', own)
    if (pathname !== '/callback') {
      reply.setHeader('set-cookie', 'state=1; Path=/')
      return redirectTo(reply, loginLink({ return_to: `${own}/callback`, code_challenge: challenge }))
    }
    const redeem: Redeem = (members = {}) =>
      app.post(
        '/auth/bridge/redeem',
        { code: searchParams.get('code'), code_verifier: verifier, return_to: `${own}/callback`, ...members },
        { headers: { 'x-bridge-secret': bridgeSecret } },
      )
    reply.writeHead(await callback(searchParams, own, redeem)).end()
  })
type Redeem = (members?: object) => Promise<unknown>

test('why a code was not redeemed is found', async () => {
  const cases: [string, (redeem: Redeem) => Promise<unknown>][] = [
    ['code_verifier', (redeem) => redeem({ code_verifier: 'w'.repeat(43) })],
    ['return_to', (redeem) => redeem({ return_to: 'https://elsewhere.test/' })],
    ['used', (redeem) => redeem().then(() => redeem())],
    [
      'expired',
      (redeem) => {
        app.clock.advance(61_000)
        return redeem()
      },
    ],
    ['not_redeemed', async () => {}],
  ]
  for (const [reason, act] of cases) {
    const site = await openOther(async (_query, _own, redeem) => {
      await act(redeem)
      return 400
    })
    await serving(site, async () => assert.deepEqual((await tested(site.url)).failed, ['redeem', reason]))
  }
})

test('an application that cannot be reached or fails is found', async () => {
  const closed = await openServer(() => () => {})
  await closed.stop()
  const unreachable = await tested(closed.url)
  assert.deepEqual(unreachable.failed, ['page', 'unreachable'])
  assert.match(String(unreachable.steps[0]?.detail), /refused the connection/)
  await serving(await openServer(() => (_request, reply) => reply.writeHead(502).end()), async (site) => {
    assert.deepEqual((await tested(site.url)).failed, ['page', 'status'])
  })
  await serving(await openOther(async () => 500), async (site) => {
    const { failed, steps } = await tested(site.url)
    assert.deepEqual([failed, steps[2]?.status], [['return', 'status'], 500])
  })
})

test('a certificate that is not valid is found', async () => {
  const { key, certificate } = selfSigned()
  const site = await openServer(
    () => (_request, reply) => reply.end(),
    (listener) => createSecureServer({ key, cert: certificate }, listener) as never,
    'https',
  )
  await serving(site, async () => {
    const { failed, steps } = await tested(site.url)
    assert.deepEqual(failed, ['page', 'unreachable'])
    assert.match(String(steps[0]?.detail), /certificate of .* is not valid/)
  })
})

test('redirects without an end are found', async () => {
  const site = await openServer((own) => (_request, reply) => redirectTo(reply, `${own}/again`))
  await serving(site, async () => assert.deepEqual((await tested(site.url)).failed, ['page', 'redirect_loop']))
})

test('a session that the application does not keep is found', async () => {
  await serving(await connected({}, withoutCookies('wardenry_session')), async (site) => {
    assert.deepEqual((await tested(site.url, {}, { page: `${site.url}/private` })).failed, ['session', 'signed_out'])
  })
})

/** On the host of the service, whose cookie its browsers send to all ports. */
const onLocalhost = (address: string) => address.replace('127.0.0.1', 'localhost')

test('behind a gateway, the cookie of the service must reach the application', async () => {
  const site = await openServer((own) => async (request, reply) => {
    const { status } = await app.get('/auth/verify', {
      headers: { 'x-bridge-secret': bridgeSecret, cookie: request.headers.cookie ?? '' },
    })
    if (status !== 200)
      return redirectTo(
        reply,
        loginLink({ return_to: request.headers.host === new URL(own).host ? own : onLocalhost(own) }),
      )
    reply.end('private')
  })
  await serving(site, async () => {
    assert.deepEqual((await tested(site.url, { kind: 'gateway' })).failed, ['sign_in', 'no_shared_cookie'])
    const { outcome, steps } = await tested(onLocalhost(site.url), { kind: 'gateway' })
    assert.equal(outcome, 'passed')
    assert.equal(steps.find(({ step }) => step === 'redeem')?.reason, 'shared_session')
  })
})

test('of a single-page application, the page and its origin are tested', async () => {
  await serving(await connected(), async (site) => {
    const { id, failed } = await tested(site.url, { kind: 'single_page' })
    assert.deepEqual(failed, ['origin', 'origin_not_declared'])
    await superadmin.call('PUT', `/${id}`, { origins: [site.url] })
    const { outcome, steps } = await testOf(id)
    assert.equal(outcome, 'passed')
    assert.deepEqual(outcomes(steps).slice(0, 3), ['page passed', 'origin passed', 'sign_in skipped'])
    assert.equal(steps[2]?.reason, 'in_browser')
  })
})

test('applications without pages and disabled ones are not tested', async () => {
  const { outcome, steps, id } = await tested('com.example.tested://', { kind: 'mobile' })
  assert.deepEqual([outcome, steps[0]?.reason], ['skipped', 'no_pages'])
  await superadmin.call('POST', `/${id}/disable`)
  assert.deepEqual((await testOf(id)).failed, ['page', 'application_disabled'])
})

test('only pages of the application can be tested', async () => {
  await serving(await connected(), async (site) => {
    const { id } = await tested(site.url)
    for (const page of ['https://elsewhere.test/', 'nonsense', `${url}/`, site.url.replace('//', '//ada:pass@')]) {
      const { status, json } = await superadmin.call('POST', `/${id}/test`, { page })
      assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'], page)
    }
  })
})

test('the result contains no code, token or part of a response', async () => {
  const site = await openServer((own) => (_request, reply) => {
    const link = loginLink({
      return_to: `${own}/callback?tenant=very-secret`,
      code_challenge: 'short',
      state: 'very-secret',
    })
    reply.writeHead(302, { location: link, 'set-cookie': 'a=very-secret', 'x-more': 'very-secret' }).end('very-secret')
  })
  await serving(site, async () => {
    const { text } = await tested(site.url, {}, { page: `${site.url}/?token=very-secret` })
    assert.doesNotMatch(text, /very-secret/)
  })
})

test('one test of an application runs at a time, and the user of an interrupted one is removed', async () => {
  let answer = () => {}
  let arrived = () => {}
  const waiting = new Promise<void>((resolve) => (arrived = resolve))
  const site = await openServer(() => (_request, reply) => {
    answer = () => void reply.end()
    arrived()
  })
  await serving(site, async () => {
    const { id } = await superadmin.create(`app-${serial++}`, { return_addresses: [site.url], development: true })
    const running = testOf(id, { page: site.url })
    await waiting
    const { status, json } = await superadmin.call('POST', `/${id}/test`)
    assert.deepEqual([status, json.code], [429, 'RATE_LIMITED'])
    app.clock.advance(61_000)
    assert.equal((await countUsers()).tests, 1)
    const { id: other } = await superadmin.create(`app-${serial++}`, { kind: 'service' })
    await testOf(other)
    assert.equal((await countUsers()).tests, 0)
    answer()
    assert.deepEqual((await running).failed, ['sign_in', 'no_redirect'])
  })
})

test('a test is recorded with its result, and requires a recent authentication', async () => {
  const { id } = await tested('com.example.other://', { kind: 'mobile' })
  const { rows } = await sql<{ details: object }>`SELECT details FROM audit_events WHERE event = 'application_tested'
    AND details ->> 'application' = ${id}`.execute(app.ctx.db)
  assert.deepEqual(
    rows.map(({ details }) => details),
    [{ application: id, key: `app-${serial - 1}`, result: 'skipped' }],
  )
  app.clock.advance(3_600_000)
  const { status, json } = await superadmin.call('POST', `/${id}/test`)
  assert.deepEqual([status, json.code], [403, 'REAUTH_REQUIRED'])
})
