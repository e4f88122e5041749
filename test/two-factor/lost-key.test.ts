import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp } from '../support/test-app.ts'
import { pending, verify, withTotp } from './support.ts'

test('an authenticator whose seed cannot be read refuses codes, and a recovery code still signs in', async (t) => {
  const app = await startTestApp({ modules: ['two-factor'] })
  t.after(() => app.stop())
  const ada = await withTotp(app)
  await sql`UPDATE two_factor SET secret = 'lost.AAAA.AAAA.AAAA' WHERE id = ${ada.methodId}`.execute(app.ctx.db)
  const { sessionToken } = await pending(app, ada)
  const refused = await verify(app, sessionToken, { method_id: ada.methodId, code: ada.code() })
  assert.deepEqual([refused.status, refused.json.code], [400, 'INVALID_CODE'])
  assert.match(app.logged(), /could not decrypt the seed of an authenticator/)
  assert.equal((await verify(app, sessionToken, { code: ada.recoveryCodes[0] })).status, 200)
})
