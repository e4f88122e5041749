// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { asked, redeem } from '../passwordless/support.ts'
import { issued, redeemed } from '../support/handover.ts'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

/** All texts in which a copy of the row could be presented. */
const formsOf = (hash: Buffer): string[] => {
  const texts = (['hex', 'base64', 'base64url', 'latin1', 'utf8'] as const).map((form) => hash.toString(form))
  return [...texts, `\\x${hash.toString('hex')}`]
}

async function hashIn(table: string, column: string): Promise<Buffer> {
  const { rows } = await sql<{ hash: Buffer }>`SELECT ${sql.ref(column)} AS hash FROM ${sql.table(table)}
    ORDER BY created_at DESC, id DESC LIMIT 1`.execute(app.ctx.db)
  const hash = rows[0]?.hash
  assert.ok(hash instanceof Buffer && hash.length === 32, `${table}.${column} contains the 32 bytes of a hash`)
  return hash
}

/** Some forms are not even valid input, for example because they contain a control character. */
const assertRefused = ({ status }: { status: number }, form: string) =>
  assert.ok(status === 400 || status === 401, form)

test('the stored hash of a session token is not accepted as the token', async () => {
  const ada = await registered(app)
  const forms = formsOf(await hashIn('sessions', 'token_hash'))
  const validate = (session_id: string) =>
    app.post('/auth/bridge/validate', { session_id }, { headers: { 'x-bridge-secret': bridgeSecret } })
  for (const form of forms.flatMap((text) => [text, `ses_${text}`])) {
    assertRefused(await validate(form), form)
    assertRefused(await app.get('/auth/me', withSession(encodeURI(form))), form)
  }
  assert.equal((await validate(ada.sessionToken)).status, 200)
})

test('the stored hash of a handover code is not accepted as the code', async () => {
  const ada = await registered(app)
  const code = await issued(app, ada.sessionToken)
  for (const form of formsOf(await hashIn('handover_codes', 'code_hash')))
    assertRefused(await redeemed(app, { ...code, code: form }), form)
  assert.equal((await redeemed(app, code)).status, 200)
})

test('the stored hashes of a sign-in link and its code are accepted as neither', async () => {
  const ada = await registered(app)
  const { id, token } = await asked(app, ada.email)
  const ofCode = await hashIn('one_time_secrets', 'code_hash')
  for (const form of [...formsOf(await hashIn('one_time_secrets', 'secret_hash')), ...formsOf(ofCode)])
    assertRefused(await redeem(app, { token: form }), form)
  for (const form of formsOf(ofCode)) assertRefused(await redeem(app, { token_id: id, code: form }), form)
  assert.equal((await redeem(app, { token })).status, 200)
})
