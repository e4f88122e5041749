import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertApplication, replaceAddresses } from '../../../src/applications/queries.ts'
import { newId } from '../../../src/lib/ids.ts'
import { person } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { staffOf } from './support.ts'

const maxBytes = 64_000
/** A long one, because the audit page shows the user agent of each event. */
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('full pages of the console are smaller than 64 kB', async () => {
  const root = await staffOf(app, 'superadmin')
  for (let count = 0; count < 30; count++) {
    const { status } = await app.post('/auth/register/public', person('ada'), { headers: { 'user-agent': browser } })
    assert.equal(status, 200)
  }
  for (let count = 0; count < 30; count++) {
    const id = newId()
    const times = { created_at: new Date(), updated_at: new Date() }
    const row = { id, key: `key-${count}`, name: 'n'.repeat(80), kind: 'website' as const, ...times }
    await insertApplication(app.ctx.db, { ...row, is_enabled: true, is_development: false })
    const addresses = Array.from(
      { length: 50 },
      (_, index) => `https://a${index}.example/${count}/${'p'.repeat(1_000)}`,
    )
    await replaceAddresses(
      app.ctx.db,
      id,
      addresses.map((address) => ({ kind: 'return', address })),
    )
  }
  for (const path of [
    '/admin',
    '/admin/applications',
    '/admin/people',
    '/admin/audit',
    '/admin/security',
    '/admin/modules',
    '/admin/messages',
    '/admin/messages/templates',
    '/admin/settings',
    '/admin/settings?q=e',
    '/admin/settings/rate-limits',
  ]) {
    const { status, text } = await root.open(path)
    assert.equal(status, 200, path)
    const bytes = Buffer.byteLength(text)
    assert.ok(bytes <= maxBytes, `${path} has ${bytes} bytes`)
  }
})
