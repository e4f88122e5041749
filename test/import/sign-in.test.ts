import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { sources } from '../../src/import/sources/index.ts'
import { createUser } from '../../src/users/create-user.ts'
import { person } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { mapFixture } from './read-fixture.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const { password } = person('ada')

for (const { name, title } of sources.filter(({ name }) => name !== 'cognito')) {
  test(`users of ${title} sign in with their old passwords, which replaces the hashes`, async () => {
    const records = mapFixture(name).flatMap((mapped) => ('record' in mapped ? mapped.record : []))
    const withPassword = records.filter((record) => record.password_hash)
    assert.ok(withPassword.length > 0)
    for (const record of withPassword) {
      const { email, user_name } = person()
      const hash = await app.ctx.passwords.importHash(record.password_hash ?? '')
      const user = { email, user_name, user_type: 'customer', is_verified: true, password_hash: hash }
      assert.ok('user' in (await createUser(app.ctx, user)))
      assert.equal((await app.post('/auth/login', { email, password: 'not the password' })).status, 401)
      assert.match(await hashOf(email), /^imported:/)
      const reply = await app.post('/auth/login', { email, password })
      assert.equal(reply.status, 200)
      assert.equal((await app.post('/auth/login', { email, password })).status, 200)
      assert.match(await hashOf(email), /^\$argon2id\$/)
    }
  })
}

async function hashOf(email: string): Promise<string> {
  const { rows } = await sql<{ password_hash: string }>`
    SELECT password_hash FROM users WHERE email = ${email}`.execute(app.ctx.db)
  return rows[0]?.password_hash ?? ''
}
