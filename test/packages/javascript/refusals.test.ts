import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Example, startExample, startService } from '../../support/examples.ts'
import { freePort } from '../../support/free-port.ts'
import { registered, type SignedIn } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Page, type Visitor, visitorOf } from '../languages/support.ts'

const examples: Record<string, { command: string; build?: string }> = {
  express: { command: 'node main.js' },
  fastify: { command: 'node main.js' },
  hono: { command: 'node main.js' },
  koa: { command: 'node main.js' },
  nextjs: {
    build: 'BRIDGE_SECRET= NEXT_TELEMETRY_DISABLED=1 next build',
    command: 'next start -H 127.0.0.1 -p $PORT',
  },
}

interface Began {
  code: string
  state: string
}
type Outcome = [status: number, sentence: RegExp]

const notOurs: Outcome = [400, /was started in another browser\./]
const used: Outcome = [400, /has expired or was already used\./]

/** Callback URLs that must be rejected, built from the browser's own sign-in and from another browser's. */
const rejections: Record<string, [outcome: Outcome, query: (own: Began, other: Began) => string]> = {
  'without a state': [notOurs, ({ code }) => `code=${code}`],
  'with an empty state': [notOurs, ({ code }) => `code=${code}&state=`],
  'with a wrong state': [notOurs, ({ code, state }) => `code=${code}&state=${state.slice(0, -1)}-`],
  'with two states': [notOurs, ({ code, state }) => `code=${code}&state=${state}&state=${state}`],
  'that another browser has begun': [notOurs, (_, { code, state }) => `code=${code}&state=${state}`],
  'without a code': [used, ({ state }) => `state=${state}`],
  'with an invented code': [used, ({ state }) => `code=${'c'.repeat(43)}&state=${state}`],
  'with a code of another verifier': [used, ({ state }, { code }) => `code=${code}&state=${state}`],
  'that failed, although there is a code': [
    [400, /sign-in failed\./],
    ({ code, state }) => `error=server_error&code=${code}&state=${state}`,
  ],
}

for (const [name, { command, build }] of Object.entries(examples)) {
  describe(`the example for ${name}`, () => {
    let service: { app: TestApp; home: string }
    let example: Example
    let ada: SignedIn
    before(async () => {
      const port = await freePort()
      service = await startService([port])
      example = await startExample(name, { port, service: service.home, command, ...(build && { build }) })
      ada = await registered(service.app)
    })
    after(async () => {
      await example?.stop()
      await service?.app.stop()
    })

    /** Signs in up to the callback, and returns the callback URL that the browser would open next. */
    async function beginSignIn(visitor: Visitor, path = '/private'): Promise<URL> {
      const { location = '' } = await visitor.open(`/sign-in?return_to=${encodeURIComponent(path)}`)
      const { origin, pathname, search } = new URL(location)
      assert.equal(origin + pathname, `${service.home}/login`)
      const { headers } = await service.app.get(pathname + search, {
        headers: { cookie: `session_id=${ada.sessionToken}` },
      })
      const callback = new URL(String(headers.location))
      assert.equal(callback.origin + callback.pathname, `${example.url}/sign-in/callback`)
      return callback
    }
    const beganOf = ({ searchParams }: URL): Began => ({
      code: searchParams.get('code')!,
      state: searchParams.get('state')!,
    })
    const isSignedIn = async (visitor: Visitor) => (await visitor.open('/private')).status === 200
    const assertNotice = (page: Page, [status, sentence]: Outcome) => {
      assert.equal(page.status, status, page.text)
      assert.match(page.text, sentence)
    }

    for (const [how, [outcome, queryOf]] of Object.entries(rejections)) {
      test(`refuses to complete a sign-in ${how}`, async () => {
        const visitor = visitorOf(example.url)
        const own = beganOf(await beginSignIn(visitor))
        const other = beganOf(await beginSignIn(visitorOf(example.url)))
        assertNotice(await visitor.open(`/sign-in/callback?${queryOf(own, other)}`), outcome)
        assert.equal(await isSignedIn(visitor), false)
      })
    }

    test('refuses to complete a sign-in in a browser without its verifier', async () => {
      const visitor = visitorOf(example.url)
      const { pathname, search } = await beginSignIn(visitor)
      visitor.cookies.clear()
      assertNotice(await visitor.open(pathname + search), notOurs)
      assert.equal(await isSignedIn(visitor), false)
    })

    test('accepts a code once', async () => {
      const [visitor, thief] = [visitorOf(example.url), visitorOf(example.url)]
      const callback = await beginSignIn(visitor)
      const { code } = beganOf(callback)
      assert.equal((await visitor.open(callback.pathname + callback.search)).status, 303)
      assertNotice(await visitor.open(callback.pathname + callback.search), notOurs)
      assert.equal(await isSignedIn(visitor), true)
      const { state } = beganOf(await beginSignIn(thief))
      assertNotice(await thief.open(`/sign-in/callback?code=${code}&state=${state}`), used)
      assert.equal(await isSignedIn(thief), false)
    })

    test('a form that is refused gets a page', async () => {
      const page = await visitorOf(example.url).send('/sign-out', { origin: 'https://evil.example' })
      assertNotice(page, [
        403,
        /<title>This request came from a page of another site\.[ <].*>Back to the application</s,
      ])
    })

    test('a person who cancels is not signed in', async () => {
      const visitor = visitorOf(example.url)
      const { state } = beganOf(await beginSignIn(visitor))
      const page = await visitor.open(`/sign-in/callback?error=access_denied&state=${state}`)
      assertNotice(page, [200, /You cancelled the sign-in\./])
      assert.equal(await isSignedIn(visitor), false)
    })

    test('leads back to the page that was asked for, and to no other host', async () => {
      for (const [path, expected] of [
        ['/private?order=2', '/private?order=2'],
        ['//evil.example', '/'],
        ['/\\evil.example', '/'],
        ['https://evil.example', '/'],
        ['/\t/evil.example', '/'],
        ['/é\r\nx: y', '/'],
        [`/${'a'.repeat(5_000)}`, '/'],
      ] as const) {
        const visitor = visitorOf(example.url)
        const { pathname, search } = await beginSignIn(visitor, path)
        const { location = '' } = await visitor.open(pathname + search)
        assert.equal(new URL(location, example.url).href, example.url + expected, path)
      }
    })
  })
}

describe('the static example', () => {
  test('its sign-in page leads to no address that the service does not know', async () => {
    const port = await freePort()
    const { app, home } = await startService([port])
    try {
      const ada = await registered(app)
      const headers = { cookie: `session_id=${ada.sessionToken}` }
      const open = (returnTo: string) => app.get(`/login?return_to=${encodeURIComponent(returnTo)}`, { headers })
      assert.equal((await open(`http://localhost:${port}/`)).headers.location, `http://localhost:${port}/`)
      for (const foreign of [`http://localhost:${port}.evil.example/`, 'https://evil.example/', '//evil.example']) {
        const { status, headers } = await open(foreign)
        assert.equal(status, 400, `${home} ${foreign}`)
        assert.equal(headers.location, undefined)
      }
    } finally {
      await app.stop()
    }
  })
})
