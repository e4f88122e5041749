import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { drawn, pathOf, upload } from './support.ts'

let app: TestApp
let path: string
before(async () => {
  app = await startTestApp()
  const ada = await registered(app)
  path = pathOf(app, (await upload(app, ada.sessionToken, await drawn(50, 50).png().toBuffer())).json.data.picture_url)
})
after(() => app.stop())

test('a picture can be shown by any page, can do nothing there, and may be cached for a day', async () => {
  for (const url of [path, path.replace('.webp', '-96.webp')]) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await app.call(method, url, { headers: { origin: 'https://elsewhere.example' } })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'image/webp')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox")
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      assert.equal(headers['content-disposition'], `inline; filename="${url.split('/').at(-1)}"`)
      assert.equal(headers['cache-control'], 'public, max-age=86400, immutable')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['set-cookie'], undefined)
      assert.ok(Number(headers['content-length']) > 0)
    }
  }
})

test('no session is looked at: whatever is sent with the request, the answer is the same', async () => {
  const plain = await app.get(path)
  for (const headers of [{ cookie: 'session_id=ses_nobody' }, { 'x-session-id': 'ses_nobody' }]) {
    const reply = await app.get(path, { headers })
    assert.equal(reply.status, 200)
    assert.equal(reply.text, plain.text)
    assert.equal(reply.headers['set-cookie'], undefined)
  }
})

test('any other name is 404, and is not even looked for', async () => {
  const { files } = app.ctx
  const asked: string[] = []
  app.ctx.files = {
    ...files,
    get: async (name) => {
      asked.push(name)
      return files.get(name)
    },
  }
  const name = path.split('/').at(-1) ?? ''
  for (const file of [
    'secrets.json',
    '..%2f..%2fsecrets.json',
    '%2e%2e',
    '.draft-1',
    name.toUpperCase(),
    name.replace('.webp', ''),
    name.replace('.webp', '.svg'),
    name.replace('.webp', '-97.webp'),
    `${name};x`,
    `a${name}`,
    'x'.repeat(199),
  ]) {
    const reply = await app.get(`/auth/pictures/${file}`)
    assert.equal(reply.status, 404, file)
    assert.equal(reply.headers['cache-control'], 'no-store', file)
    assert.equal(reply.headers['cross-origin-resource-policy'], 'same-site', file)
  }
  assert.deepEqual(asked, [])
  assert.equal((await app.get(`/auth/pictures/${'0'.repeat(32)}.webp`)).status, 404)
  assert.equal(asked.length, 1)
  app.ctx.files = files
})

test('a store that does not answer is 503 for this picture, and nothing is kept of that answer', async () => {
  const { files } = app.ctx
  app.ctx.files = { ...files, get: () => Promise.reject(new Error('the store does not answer')) }
  const { status, headers } = await app.get(path)
  app.ctx.files = files
  assert.equal(status, 503)
  assert.equal(headers['cache-control'], 'no-store')
  assert.ok(headers['retry-after'])
})
