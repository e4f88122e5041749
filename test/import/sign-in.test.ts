import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { runImport } from '../../src/import/import-users.ts'
import { person } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { fixtureOptions, fixturePath, otherSystems } from './read-fixture.ts'
import { importOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor', 'privacy'] })
})
after(() => app.stop())

const { password } = person('ada')

for (const source of otherSystems.filter(({ name }) => name !== 'cognito')) {
  test(`users of ${source.title} are imported and sign in with their old passwords, which replaces the hashes`, async () => {
    // The fixtures describe the same people.
    await sql`DELETE FROM users`.execute(app.ctx.db)
    const options = fixtureOptions[source.name] ?? {}
    const done = await runImport(app.ctx, importOf(fixturePath(source.name), { source, options }))
    assert.ok(done.users > 0, JSON.stringify(done.shown))
    const { rows } = await sql<{ email: string }>`SELECT email FROM users
      WHERE password_hash LIKE 'imported:%' AND deleted_at IS NULL AND NOT EXISTS (
        SELECT FROM user_blocks WHERE user_id = users.id)`.execute(app.ctx.db)
    assert.ok(rows.length > 0)
    for (const { email } of rows) {
      assert.equal((await app.post('/auth/login', { email, password: 'not the password' })).status, 401)
      assert.match(await hashOf(email), /^imported:/)
      assert.equal((await app.post('/auth/login', { email, password })).status, 200)
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
