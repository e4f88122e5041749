import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { declaredRoutes } from './support.ts'

let app: TestApp
before(async () => {
  const plenty = { RATE_LIMIT_TOKEN_VALIDATE: '1000/1m', RATE_LIMIT_SOCIAL_LOGIN: '1000/1m' }
  app = await startTestApp({ modules: ['privacy'], env: plenty })
})
after(() => app.stop())

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('format=json gets JSON from every route that knows it, also when the request is refused', async () => {
  const routes = declaredRoutes(app).filter(({ method, schema }) => {
    const { properties = {} } = (schema.querystring ?? {}) as { properties?: object }
    return method === 'GET' && 'format' in properties
  })
  assert.ok(routes.length >= 5, `only ${routes.length} routes were found`)
  for (const { url } of routes) {
    for (const provider of ['google', 'twitter']) {
      for (const query of ['', '&token=x', '&code=x&state=x', '&token=x&token=y', '&format=json', '&link=true']) {
        const path = `${url.replace(':provider', provider)}?format=json${query}`
        const reply = await app.get(path, { headers: browser })
        assert.ok(reply.status >= 400, path)
        assert.match(String(reply.headers['content-type']), /^application\/json/, path)
        assert.equal(typeof reply.json.code, 'string', path)
      }
    }
  }
})

test('an address where there is nothing answers in JSON when asked to', async () => {
  const headers = { ...browser, 'sec-fetch-dest': 'document' }
  assert.match(String((await app.get('/nothing', { headers })).headers['content-type']), /^text\/html/)
  assert.equal((await app.get('/nothing?format=json', { headers })).json.code, 'NOT_FOUND')
})

test('a provider that is not configured says so, to programs and to people', async () => {
  const path = '/auth/social/github/login'
  const { status, json } = await app.get(`${path}?format=json`)
  assert.deepEqual([status, json.code], [503, 'NOT_CONFIGURED'])
  assert.equal(json.error, 'Sign-in with this provider is not configured')
  const page = await app.get(path, { headers: browser })
  assert.equal(page.status, 503)
  assert.match(page.text, /This sign-in method isn’t available/)
  assert.ok(!page.text.includes(`href="${path}"`), 'nobody is told to try again')
})
