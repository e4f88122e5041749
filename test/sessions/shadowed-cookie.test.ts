import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hiddenFields } from '../screens/support.ts'
import { registered } from '../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { PUBLIC_URL: 'https://id.example.com' } })
})
after(() => app.stop())

const stale = `ses_${'s'.repeat(43)}`
const ofParent = 'Domain=example.com; Path=/'
const ofPath = 'Domain=example.com; Path=/login'

/** A browser's session cookies, by domain and path, as browsers distinguish them. */
function browserWith(cookies: Record<string, string>) {
  const jar = new Map(Object.entries(cookies))
  const follow = async (method: string, path: string, body?: URLSearchParams): Promise<Reply> => {
    const cookie = [...jar].map(([, value]) => `session_id=${value}`).join('; ')
    const form = body && { 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { accept: 'text/html', cookie, 'sec-fetch-site': 'same-origin', ...form }
    const reply = await app.call(method, path, { headers, ...(body && { body: `${body}` }) })
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, value, where] = /^session_id=([^;]*); (.*Path=[^;]*)/.exec(line) ?? []
      if (where !== undefined) value ? jar.set(where, value) : jar.delete(where)
    }
    if (reply.headers['clear-site-data']) jar.clear()
    const { location } = reply.headers
    return location === undefined ? reply : follow('GET', new URL(location, 'https://id.example.com').href.slice(22))
  }
  return {
    jar,
    open: (path: string) => follow('GET', path),
    send: (path: string, form: object) => follow('POST', path, new URLSearchParams({ ...form })),
  }
}

test('a stale cookie of the parent domain is removed, and the good one works again', async () => {
  const ada = await registered(app)
  for (const order of [
    { [ofParent]: stale, 'Path=/': ada.sessionToken },
    { 'Path=/': ada.sessionToken, [ofParent]: stale },
  ]) {
    const api = browserWith(order)
    assert.equal((await api.open('/auth/me?format=json')).status, 401)
    assert.deepEqual([...api.jar], [['Path=/', ada.sessionToken]])
    assert.equal((await api.open('/auth/me?format=json')).status, 200)
    const pages = browserWith(order)
    const page = await pages.open('/account')
    assert.match(page.text, /several session cookies[\s\S]*<a [^>]*href="\/account"/)
    assert.match((await pages.open('/account')).text, /<form[^>]*action="\/logout"/)
    const signIn = browserWith(order)
    assert.ok((await signIn.open('/login')).text.includes('several session cookies'))
    assert.deepEqual([...signIn.jar], [['Path=/', ada.sessionToken]])
  }
})

test('a sign-in removes the other cookies', async () => {
  const ada = await registered(app)
  const cookie = `session_id=${stale}; session_id=ses_${'t'.repeat(43)}`
  const login = await app.post('/auth/login', { email: ada.email, password: ada.password }, { headers: { cookie } })
  const lines = [login.headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('session_id='))
  assert.equal(lines.length, 2)
  assert.match(lines[0]!, /^session_id=; Domain=example\.com; Path=\/; Max-Age=0/)
  assert.match(lines[1]!, new RegExp(`^session_id=${login.json.sessionId}; Path=/; Max-Age=[1-9]`))
})

test('with one cookie, the parent domain keeps its own', async () => {
  const ada = await registered(app)
  const headers = { cookie: `session_id=${stale}` }
  for (const reply of [
    await app.get('/auth/me', { headers }),
    await app.post('/auth/login', { email: ada.email, password: ada.password }, { headers }),
  ])
    assert.doesNotMatch([reply.headers['set-cookie'] ?? []].flat().join('\n'), /Domain/)
})

test('if a cookie cannot be removed by name, the sign-in page says so and offers to remove all', async () => {
  const ada = await registered(app)
  const browser = browserWith({ [ofPath]: stale, 'Path=/': ada.sessionToken })
  const page = await browser.open('/login')
  assert.match(page.text, /several session cookies[^<]*<a href="\/logout[^"]*">Sign out and delete the cookies/)
  const asked = await browser.open('/logout')
  const done = await browser.send('/logout', hiddenFields(asked.text, '/logout'))
  assert.equal(done.status, 200)
  assert.doesNotMatch(done.text, /several session cookies/)
  assert.deepEqual([...browser.jar], [])
})
