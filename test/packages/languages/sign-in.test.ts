import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { declaringApplication, grant } from '../../roles/support.ts'
import { type Example, startExample, startService } from '../../support/examples.ts'
import { freePort } from '../../support/free-port.ts'
import { languageExamples } from '../../support/languages.ts'
import { registered, type SignedIn, withSession } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Front, type Page, startFront, type Visitor, visitorOf } from './support.ts'

interface Began {
  code: string
  state: string
}
type Outcome = [status: number, sentence: RegExp]

const notOurs: Outcome = [400, /has expired or was started in another browser\./]
const used: Outcome = [400, /has expired or was already used\./]
const cancelled: Outcome = [403, /was cancelled\./]
const unavailable: Outcome = [503, /temporarily unavailable\./]
const failed: Outcome = [403, /sign-in failed\./]

/** Callback URLs that must be rejected, built from the browser's own sign-in and from another browser's. */
const rejections: Record<string, [outcome: Outcome, query: (own: Began, other: Began) => string]> = {
  'without a state': [notOurs, ({ code }) => `code=${code}`],
  'with an empty state': [notOurs, ({ code }) => `code=${code}&state=`],
  'with a wrong state': [notOurs, ({ code, state }) => `code=${code}&state=${state.slice(0, -1)}-`],
  'with a state that is no ASCII': [notOurs, ({ code }) => `code=${code}&state=%C3%A9%FF`],
  'that another browser has begun': [notOurs, (_, { code, state }) => `code=${code}&state=${state}`],
  'without a code': [used, ({ state }) => `state=${state}`],
  'with an invented code': [used, ({ state }) => `code=${'c'.repeat(43)}&state=${state}`],
  'with the code of another browser': [used, ({ state }, { code }) => `code=${code}&state=${state}`],
  'that was cancelled': [cancelled, ({ state }) => `error=access_denied&state=${state}`],
  'that failed, although there is a code': [
    failed,
    ({ code, state }) => `error=server_error&code=${code}&state=${state}`,
  ],
  'that somebody else calls cancelled': [notOurs, () => 'error=access_denied&state=x'],
}

/** Failures that leave the application unable to know who is signed in because the response is not from the service. */
const silences: Record<string, (reply: ServerResponse) => void> = {
  'does not answer': (reply) => reply.destroy(),
  'is behind a proxy that asks for a password': (reply) => reply.writeHead(401).end('<h1>Unauthorized</h1>'),
  'is behind a proxy with a JSON of its own': (reply) => reply.writeHead(401).end('{"message":"no"}'),
  'answers with nothing': (reply) => reply.writeHead(200).end('null'),
  'refuses the bridge secret': (reply) => reply.writeHead(401).end('{"success":false,"code":"BRIDGE_SECRET_REQUIRED"}'),
  'refuses because of a limit': (reply) => reply.writeHead(429).end('{"success":false,"code":"RATE_LIMITED"}'),
  'redirects to somewhere else': (reply) => reply.writeHead(302, { location: '/elsewhere' }).end(),
}

/** In Go and PHP, the route of the page accepts every method. */
const mainWithForm = async (): Promise<string> =>
  `${await readFile(join(import.meta.dirname, '../../../examples/fastapi/main.py'), 'utf8')}
app.post('/private')(private)
`

const beganOf = ({ searchParams }: URL): Began => ({
  code: searchParams.get('code')!,
  state: searchParams.get('state')!,
})

for (const [name, { command, build, skip }] of Object.entries(languageExamples())) {
  describe(`the example for ${name}`, { skip }, () => {
    let service: { app: TestApp; home: string }
    let front: Front
    let example: Example
    let ada: SignedIn
    let billing: Awaited<ReturnType<typeof declaringApplication>>
    before(async () => {
      const port = await freePort()
      service = await startService([port])
      front = await startFront(service.home)
      const files: Record<string, string> = name === 'fastapi' ? { 'main.py': await mainWithForm() } : {}
      const given = { port, service: front.url, command, files, ...(build && { build }) }
      example = await startExample(name, given)
      ada = await registered(service.app)
      billing = await declaringApplication(service.app, 'billing', {
        permissions: ['invoices:read', 'invoices:read-all'],
        roles: { clerk: ['invoices:read-all'], reader: ['invoices:read'] },
      })
    })
    after(async () => {
      await example?.stop()
      front?.close()
      await service?.app.stop()
    })

    /** Signs in up to the callback, and returns the callback URL that the browser would open next. */
    async function beginSignIn(visitor: Visitor, path: string, user = ada): Promise<URL> {
      const { location = '' } = await visitor.open(`/sign-in?return_to=${encodeURIComponent(path)}`)
      const { pathname, search } = new URL(location)
      assert.equal(pathname, '/login')
      const { headers } = await service.app.get(pathname + search, {
        headers: { cookie: `session_id=${user.sessionToken}` },
      })
      const callback = new URL(String(headers.location))
      assert.equal(callback.origin + callback.pathname, `${example.url}/sign-in/callback`)
      return callback
    }
    async function signIn(visitor: Visitor, path = '/private', user = ada): Promise<Page> {
      const { pathname, search } = await beginSignIn(visitor, path, user)
      const page = await visitor.open(pathname + search)
      assert.equal(page.status, 303, page.text)
      return page
    }
    const countSessions = async ({ sessionToken }: SignedIn): Promise<number> => {
      const { json } = await service.app.get('/auth/sessions', withSession(sessionToken))
      return json.data.sessions.filter(({ application }: { application: unknown }) => application === example.url)
        .length
    }
    const isSignedIn = async (visitor: Visitor) => (await visitor.open('/private')).status === 200
    const assertNotice = (page: Page, [status, sentence]: Outcome) => {
      assert.equal(page.status, status, page.text)
      assert.match(page.text, sentence)
      assert.match(page.text, /<a href="\/sign-in">Sign in again<\/a>/)
      assert.doesNotMatch(page.text, /Traceback|goroutine|Stack trace|Warning:|signed (in|out)/i)
      assert.ok(page.text.length < 300, page.text)
    }

    test('lets only users with a permission do what requires it', async () => {
      const visitor = visitorOf(example.url)
      await signIn(visitor, '/invoices')
      assert.equal((await visitor.open('/invoices')).status, 403)
      await grant(service.app, ada.id, billing.roles.clerk)
      assert.equal((await visitor.open('/invoices')).status, 403)
      await grant(service.app, ada.id, billing.roles.reader)
      const { status, text } = await visitor.open('/invoices')
      assert.deepEqual([status, JSON.parse(text)], [200, { invoices: [] }])
    })

    for (const [how, [outcome, queryOf]] of Object.entries(rejections)) {
      test(`refuses to complete a sign-in ${how}`, async () => {
        const visitor = visitorOf(example.url)
        const own = beganOf(await beginSignIn(visitor, '/private'))
        const other = beganOf(await beginSignIn(visitorOf(example.url), '/private'))
        assertNotice(await visitor.open(`/sign-in/callback?${queryOf(own, other)}`), outcome)
        assert.equal(await isSignedIn(visitor), false)
      })
    }

    test('refuses to complete a sign-in in a browser that has begun none', async () => {
      const { pathname, search } = await beginSignIn(visitorOf(example.url), '/private')
      const visitor = visitorOf(example.url)
      assertNotice(await visitor.open(pathname + search), notOurs)
      assert.equal(await isSignedIn(visitor), false)
    })

    test('accepts a code once', async () => {
      const [visitor, thief] = [visitorOf(example.url), visitorOf(example.url)]
      const { pathname, search, searchParams } = await beginSignIn(visitor, '/private')
      assert.equal((await visitor.open(pathname + search)).status, 303)
      assertNotice(await visitor.open(pathname + search), notOurs)
      assert.equal(await isSignedIn(visitor), true)
      const own = await beginSignIn(thief, '/private')
      const query = `code=${searchParams.get('code')}&state=${own.searchParams.get('state')}`
      assertNotice(await thief.open(`/sign-in/callback?${query}`), used)
      assert.equal(await isSignedIn(thief), false)
    })

    test('a callback that a browser opens twice at the same time signs in once', async () => {
      const alan = await registered(service.app, 'alan')
      const [visitor, twin] = [visitorOf(example.url), visitorOf(example.url)]
      const { pathname, search } = await beginSignIn(visitor, '/private', alan)
      for (const [name, value] of visitor.cookies) twin.cookies.set(name, value)
      const both = [visitor, twin]
      const pages = await Promise.all(both.map((one) => one.open(pathname + search)))
      assert.deepEqual(pages.map(({ status }) => status).sort(), [303, 400])
      const winner = both[pages.findIndex(({ status }) => status === 303)]!
      assert.equal(await isSignedIn(winner), true)
      assert.equal(await countSessions(alan), 1)
    })

    test('leads back to the page that was asked for, and to no other host', async () => {
      const { location = '' } = await visitorOf(example.url).open('/private?order=2&q=a%20b')
      assert.equal(new URL(location, example.url).searchParams.get('return_to'), '/private?order=2&q=a%20b')
      const paths = [
        '/private?order=2',
        '//evil.example',
        '/\\evil.example',
        'https://evil.example',
        '/\t/evil.example',
      ]
      for (const path of [...paths, '/é\r\nx: y', '', `/${'a'.repeat(5_000)}`]) {
        const page = await signIn(visitorOf(example.url), path)
        assert.equal(page.location, path === '/private?order=2' ? example.url + path : `${example.url}/`)
      }
    })

    test('a form that is submitted without a session gets a page that leads back to the form', async (t) => {
      const visitor = visitorOf(example.url)
      const form = { referer: `${example.url}/private?a=1&b=2` }
      const page = await visitor.send('/private', form)
      assert.equal(page.status, 401, page.text)
      assert.match(page.text, /<!doctype html>.*Sign in, then submit the form again\./)
      assert.match(page.text, /<a href="\/sign-in\?return_to=%2Fprivate%3Fa%3D1%26b%3D2">Sign in</)
      for (const referer of ['', 'https://evil.example/private', `${example.url}.evil.example/`]) {
        const { text } = await visitor.send('/private', { referer })
        assert.match(text, /<a href="\/sign-in\?return_to=%2F">Sign in</, referer)
      }
      await signIn(visitor)
      t.after(() => {
        front.instead = undefined
      })
      front.instead = (reply) => reply.destroy()
      for (const path of ['/private', '/sign-out']) {
        const outage = await visitor.send(path, form)
        assert.equal(outage.status, 503)
        assert.match(outage.text, /<!doctype html>.*unavailable\..*<a href="\/private\?a=1&amp;b=2">Back</)
        const quoted = await visitor.send(path, { referer: `${example.url}/"><b>` })
        assert.doesNotMatch(quoted.text, /"><b>/)
      }
      const foreign = await visitor.send('/sign-out', { origin: 'https://evil.example' })
      assert.equal(foreign.status, 403)
      assert.match(foreign.text, /<!doctype html>.*another site\..*<a href="\/">Back</)
    })

    test('describes the visitor, for SESSION_BINDING', async () => {
      const visitor = visitorOf(example.url)
      await signIn(visitor)
      await visitor.send('/private', { 'user-agent': `Mozilla/5.0 ${'x'.repeat(600)}` })
      assert.deepEqual([front.body.compare, front.body.user_agent?.length], ['user_agent', 512])
    })

    test('ends the session that the browser had before', async () => {
      const visitor = visitorOf(example.url)
      const [alan, grace] = [await registered(service.app, 'alan'), await registered(service.app, 'grace')]
      await signIn(visitor, '/private', alan)
      await signIn(visitor, '/private', alan)
      assert.equal(await countSessions(alan), 1)
      await signIn(visitor, '/private', grace)
      assert.deepEqual([await countSessions(alan), await countSessions(grace)], [0, 1])
      assert.match((await visitor.open('/private')).text, new RegExp(grace.email))
    })

    for (const [how, answer] of Object.entries(silences)) {
      test(`says neither signed in nor signed out when the service ${how}`, async (t) => {
        const [visitor, newcomer] = [visitorOf(example.url), visitorOf(example.url)]
        await signIn(visitor)
        const { pathname, search } = await beginSignIn(newcomer, '/private')
        t.after(() => {
          front.instead = undefined
        })
        front.instead = answer
        assertNotice(await newcomer.open(pathname + search), unavailable)
        const pages = [await visitor.open('/'), await visitor.open('/private'), await visitor.send('/sign-out')]
        for (const { status, text, retryAfter } of pages) {
          assert.equal(status, 503, text)
          assert.equal(retryAfter, '1', text)
          assert.doesNotMatch(text, /signed (in|out)|Hello|Traceback|Warning:/i)
        }
        assert.ok(!front.paths.includes('/elsewhere'), 'the bridge secret went elsewhere')
        front.instead = undefined
        assert.equal(await isSignedIn(visitor), true)
        assert.equal((await newcomer.open(pathname + search)).status, 303)
        assert.equal(await isSignedIn(newcomer), true)
      })
    }

    test('names its cookies so that on https no other host can set them', async () => {
      const appUrl = 'https://shop.example'
      const given = { port: await freePort(), service: front.url, command, appUrl, ...(build && { build }) }
      const secure = await startExample(name, given)
      try {
        const { cookies } = await visitorOf(secure.url).open('/sign-in')
        assert.equal(cookies.length, 1)
        assert.match(cookies[0]!, /^__Host-\w+=/)
        for (const attribute of [/; path=\//i, /; secure/i, /; httponly/i, /; samesite=lax/i])
          assert.match(cookies[0]!, attribute)
        assert.doesNotMatch(cookies[0]!, /domain=/i)
      } finally {
        await secure.stop()
      }
      const { cookies } = await visitorOf(example.url).open('/sign-in')
      assert.match(cookies[0]!, /^[a-z]\w+=/)
      assert.doesNotMatch(cookies[0]!, /; secure/i)
    })
  })
}
