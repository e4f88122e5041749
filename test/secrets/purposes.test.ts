import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { person, registered } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { asked, newNumber, setPhone, withSecret } from '../tokens/support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''

/** `earlier`: how many mails the address has had. */
async function resetTokenOf(email: string, earlier: number): Promise<string> {
  await app.post('/auth/password-reset/request', { email })
  return tokenIn((await app.mailTo(email, earlier)).text)
}

/** Every kind of secret × every route that consumes one. */
const consumers: Record<string, (token: string) => Promise<number>> = {
  verify_email: async (token) => (await app.post('/auth/token/verify', { token })).status,
  login: async (token) => (await app.post('/auth/token/login', { token })).status,
  'login by text': async (token) => (await app.post('/auth/token/validate', { token }, withSecret)).status,
  setup: async (token) => (await app.post('/auth/setup', { ...person(), token })).status,
  password_reset: async (token) =>
    (await app.post('/auth/password-reset/complete', { token, password: 'moths around the relay' })).status,
}

test('a secret acts only where its purpose is asked for, and a wrong place does not spend it', async () => {
  const ada = await registered(app)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  const issued: Record<string, string> = {
    verify_email: tokenIn((await app.mailTo(ada.email)).text),
    login: (await asked(app, ada.email)).token,
    'login by text': (await asked(app, phone)).token,
    setup: tokenIn((await createSetupLink(app.ctx)) ?? ''),
    password_reset: await resetTokenOf(ada.email, 2),
  }
  for (const [kind, token] of Object.entries(issued)) {
    for (const [place, consume] of Object.entries(consumers)) {
      const isSame = kind === place || (kind.startsWith('login') && place.startsWith('login'))
      if (!isSame) assert.equal(await consume(token), 400, `${kind} at ${place}`)
    }
  }
  for (const [kind, token] of Object.entries(issued)) assert.equal(await consumers[kind]?.(token), 200, kind)
})

test('a verification link proves the address that it was sent to, not the one the user has now', async () => {
  const ada = await registered(app)
  const token = tokenIn((await app.mailTo(ada.email)).text)
  const moved = person().email
  await sql`UPDATE users SET email = ${moved} WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal(await consumers.verify_email?.(token), 400)
  const { rows } = await sql<{ is_verified: boolean }>`SELECT is_verified FROM users WHERE id = ${ada.id}`.execute(
    app.ctx.db,
  )
  assert.equal(rows[0]?.is_verified, false)
  assert.ok((await auditOf(app, 'token_rejected')).length > 0)
})

test('the link of a deleted user verifies nobody', async () => {
  const ada = await registered(app)
  const token = tokenIn((await app.mailTo(ada.email)).text)
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal(await consumers.verify_email?.(token), 400)
})
