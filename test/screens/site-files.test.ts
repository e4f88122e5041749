import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const svg = (box: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}"><path d="M0 0h9"/></svg>`

const shown = async (app: TestApp, path: string) => {
  const { status, headers } = await app.get(path)
  assert.equal(headers['cache-control'], 'public, max-age=86400')
  assert.match(String(headers['content-security-policy']), /sandbox$/)
  return [status, headers['content-type'], Number(headers['content-length'])]
}

let version = 0
const useLogo = async (app: TestApp, content: Buffer | string) => {
  const value = `data:;base64,${Buffer.from(content).toString('base64')}`
  await app.ctx.db
    .insertInto('stored_settings')
    .values({ name: 'APP_LOGO', value, version: ++version, changed_at: new Date() })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, version }))
    .execute()
  await app.ctx.settings.refreshAll()
}

test('browsers receive the mark of the brand, or of the service if no square logo is set', async (t) => {
  const app = await startTestApp()
  t.after(() => app.stop())
  const [, , size] = await shown(app, '/favicon.ico')
  for (const path of ['/favicon.ico', '/apple-touch-icon.png'])
    assert.deepEqual(await shown(app, path), [200, 'image/png', size])
  await useLogo(app, svg('0 0 9 9'))
  assert.equal((await shown(app, '/favicon.ico'))[1], 'image/svg+xml')
  assert.deepEqual(await shown(app, '/apple-touch-icon.png'), [200, 'image/png', size])
  await useLogo(app, svg('0 0 90 9'))
  assert.deepEqual(await shown(app, '/favicon.ico'), [200, 'image/png', size])
  await useLogo(app, png)
  for (const path of ['/favicon.ico', '/apple-touch-icon.png'])
    assert.deepEqual(await shown(app, path), [200, 'image/png', png.length])
})

const rules = async (app: TestApp) => (await app.get('/robots.txt')).text

test('crawlers are allowed only on public reading pages', async (t) => {
  const [bare, blog, off] = await Promise.all([
    startTestApp(),
    startTestApp({ modules: ['blog'], env: { BLOG_ENABLED: 'true' } }),
    startTestApp({ modules: ['blog'], env: { BLOG_ENABLED: 'true', BLOG_PAGES: 'false' } }),
  ])
  t.after(() => Promise.all([bare.stop(), blog.stop(), off.stop()]))
  for (const app of [bare, off]) assert.equal(await rules(app), 'User-agent: *\nDisallow: /\n')
  const lines = (await rules(blog)).split('\n')
  for (const line of ['Allow: /blog$', 'Allow: /blog/', 'Disallow: /blog/preview/', 'Disallow: /'])
    assert.ok(lines.includes(line), line)
  assert.match(String((await blog.get('/robots.txt')).headers['content-type']), /^text\/plain/)
})
