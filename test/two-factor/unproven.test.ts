import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { proveInbox } from '../support/second-factor.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { base, withTotp } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
})
after(() => app.stop())

const password = 'a tape without an end'

/** Sets a new password with the emailed link, signs in with it, and returns the response. */
async function signInAfterReset(email: string) {
  await app.post('/auth/password-reset/request', { email })
  const isReset = (text: string) => text.includes('/reset-password?token=')
  let token: string | undefined
  for (const end = performance.now() + 10_000; !token && performance.now() < end; ) {
    const text = (app.inbox?.list({ to: email }) ?? []).map((mail) => mail.text).find(isReset)
    token = /token=([\w-]{43})/.exec(text ?? '')?.[1]
    if (!token) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.equal((await app.post('/auth/password-reset/complete', { token, password })).status, 200)
  return (await app.post('/auth/login', { email, password })).json
}

test('a reset that proves an inbox removes factors that were set up before the proof', async () => {
  const stranger = await withTotp(app)
  const owner = await signInAfterReset(stranger.email)
  assert.deepEqual([owner.success, owner.requires_2fa, owner.user.two_factor], [true, false, false])
  const methods = (await app.get(`${base}/methods`, withSession(owner.sessionId))).json.methods
  assert.deepEqual(methods, [])
  const removed = (await auditOf(app, 'credentials_removed')).map(({ details }) => details.removed)
  assert.deepEqual(removed, [['two_factor']])
})

test('on an account whose inbox is proven a reset leaves the factors where they are', async () => {
  const ada = await withTotp(app)
  await proveInbox(app, ada.id)
  const pending = await signInAfterReset(ada.email)
  assert.deepEqual([pending.success, pending.requires_2fa], [false, true])
})

test('a passkey that a stranger has put on an unproven account opens nothing after the reset', async () => {
  const ada = await registered(app)
  await sql`INSERT INTO two_factor (id, user_id, method, identifier, status)
    VALUES (gen_random_uuid(), ${ada.id}, 'passkey', 'stranger', 'active')`.execute(app.ctx.db)
  assert.equal((await signInAfterReset(ada.email)).success, true)
  const { rows } = await sql`SELECT 1 FROM two_factor WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  assert.deepEqual(rows, [])
})
