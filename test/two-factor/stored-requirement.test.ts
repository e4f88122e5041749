import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let root: SignedIn
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
  root = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

const change = (changes: { name: string; value: string | null }[]) =>
  app.call('PUT', '/auth/admin/settings', { body: { changes }, ...withSession(root.sessionToken) })
const required = (value: string | null) => ({ name: 'TWO_FACTOR_REQUIRED_FOR', value })

test('superadmins cannot require a second factor of themselves before they have one', async () => {
  const name = { name: 'APP_NAME', value: 'Example' }
  for (const changes of [[required('superadmin')], [name, required('admin,superadmin')]]) {
    const { status, json } = await change(changes)
    assert.deepEqual([status, json.details?.[0]?.field], [400, 'TWO_FACTOR_REQUIRED_FOR'])
  }
  assert.notEqual(app.ctx.config.APP_NAME, 'Example')
  assert.equal((await change([required('admin')])).status, 200)
  await sql`UPDATE sessions SET two_factor_verified = true WHERE user_id = ${root.id}`.execute(app.ctx.db)
  app.clock.advance(6000)
  assert.equal((await change([required('superadmin')])).status, 200)
  assert.equal((await change([required(null)])).status, 200)
})
