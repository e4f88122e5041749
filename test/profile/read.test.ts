import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('users read everything that they can change, with their number and language, and no hash', async () => {
  const ada = await registered(app)
  const read = async () => (await app.get('/auth/profile', withSession(ada.sessionToken))).json
  const { success, data } = await read()
  assert.equal(success, true)
  assert.deepEqual(Object.keys(data).toSorted(), ['has_password', 'lang', 'phone', 'user'])
  assert.deepEqual([data.phone, data.lang, data.has_password], ['', null, true])
  assert.deepEqual(data.user, (await app.get('/auth/me', withSession(ada.sessionToken))).json.user)

  const body = { phone: '+44 7700 900 211', lang: 'es-mx', name: 'Ada' }
  await app.call('PUT', '/auth/profile', { body, ...withSession(ada.sessionToken) })
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  const { data: then } = await read()
  assert.deepEqual([then.phone, then.lang, then.has_password, then.user.name], ['+447700900211', 'es-MX', false, 'Ada'])
})
