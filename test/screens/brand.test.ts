import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from '../support/test-app.ts'

test('anyone can read the name, colours, logo and contacts, and cache them', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'wardenry-brand-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const logo = join(folder, 'logo.svg')
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path d="M0 0h9"/></svg>')
  const app = await startTestApp({
    env: {
      PUBLIC_URL: 'https://id.example.com',
      APP_NAME: 'Baker & Sons',
      APP_ACCENT: '#ffee00',
      APP_LOGO: logo,
      SUPPORT_URL: 'https://example.com/help',
      SUPPORT_EMAIL: 'help@example.com',
    },
  })
  t.after(() => app.stop())
  const { status, headers, json } = await app.get('/auth/brand')
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'public, max-age=300')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; frame-ancestors 'none'/)
  assert.equal(headers['set-cookie'], undefined)
  assert.equal(json.name, 'Baker & Sons')
  assert.match(json.logo.url, /^https:\/\/id\.example\.com\/logo\?v=[0-9a-f]{12}$/)
  assert.deepEqual([json.logo.width, json.logo.height, json.logo.contains_name], [96, 32, true])
  assert.deepEqual([json.support_url, json.support_email], ['https://example.com/help', 'help@example.com'])
  // Yellow is not readable on white.
  assert.equal(json.accent.dark, '#ffee00')
  assert.notEqual(json.accent.light, '#ffee00')
})

test('an installation without a brand has the default name and colours', async (t) => {
  const app = await startTestApp()
  t.after(() => app.stop())
  const { json } = await app.get('/auth/brand')
  assert.deepEqual(json, {
    success: true,
    name: 'Wardenry',
    accent: { light: '#17614c', dark: '#6fcfb0' },
    logo: null,
    support_url: null,
    support_email: null,
  })
})
