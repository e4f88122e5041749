// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuthenticator, type Ways } from '../support/authenticator.ts'
import { eventually } from '../support/eventually.ts'
import { addOwnPasskey, homeOf, passkeyLogin } from '../support/passkeys.ts'
import { person, registered, withSession } from '../support/people.ts'
import {
  completeRecovery,
  manyRecoveries,
  type PasswordlessUser,
  passwordlessUser,
  recoveryMails,
  recoverySession,
  requestRecovery,
} from '../support/recovery.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { ...manyRecoveries, TOKEN_LOGIN_ENABLED: 'false' } })
})
after(() => app?.stop())

const path = '/auth/recovery'

const listOf = async (sessionToken: string) => (await app.get('/auth/passkeys', withSession(sessionToken))).json

/** The user's unused codes. */
const remainingOf = async (user: PasswordlessUser): Promise<number> => {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM recovery_codes
    WHERE user_id = ${user.id} AND used_at IS NULL`.execute(app.ctx.db)
  return rows[0]?.count ?? 0
}

test('a mailed code and a recovery code lead to a new passkey, and the lost one is removed', async () => {
  const ada = await passwordlessUser(app)
  assert.equal(new Set(ada.recoveryCodes).size, 10)
  const sessionToken = await recoverySession(app, ada)
  const { json } = await app.get(`${path}/passkeys`, withSession(sessionToken))
  assert.deepEqual([json.email, json.passkeys.length], [ada.email, 1])
  const authenticator = createAuthenticator(homeOf(app))
  const remove = [json.passkeys[0].id]
  const reply = await completeRecovery(app, sessionToken, { authenticator, remove, name: 'New phone' })
  assert.deepEqual([reply.status, reply.json.success, reply.json.requires_2fa], [200, true, false], reply.text)
  assert.equal(reply.json.recovery_codes, undefined, 'the other codes stay valid')
  assert.equal(reply.cookies.session_id?.value, reply.json.sessionId)
  const { passkeys, recovery_codes } = await listOf(reply.json.sessionId)
  assert.deepEqual(
    passkeys.map(({ name, created_via }: Record<string, string>) => [name, created_via]),
    [['New phone', 'recovery']],
  )
  assert.equal(recovery_codes.remaining, 9)
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 401)
  assert.equal((await passkeyLogin(app, authenticator)).json.user.id, ada.id)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401, 'other sessions end')
  const mine = (event: string) => auditOf(app, event).then((rows) => rows.filter((row) => row.target_id === ada.id))
  assert.equal((await mine('partial_created')).at(-1)?.details.proof, 'recovery')
  assert.equal((await mine('backup_code_used')).at(-1)?.details.remaining, 9)
  assert.equal((await mine('passkey_added')).at(-1)?.details.via, 'recovery')
  assert.equal((await mine('passkey_removed')).length, 1)
  assert.equal((await mine('session_ended')).at(-1)?.details.reason, 'recovered')
  const subjects = (app.inbox?.list({ to: ada.email }) ?? []).map(({ subject }) => subject)
  for (const part of ['A recovery code', 'passkey was added', 'passkey was removed'])
    assert.ok(
      subjects.some((subject) => subject.includes(part)),
      `${part}: ${subjects}`,
    )
})

test('one of the two codes alone starts nothing and consumes nothing', async () => {
  const [ada, grace] = [await passwordlessUser(app), await passwordlessUser(app)]
  const proof = await requestRecovery(app, ada)
  const wrongCode = proof.code === '111111' ? '222222' : '111111'
  const before = await rowCounts(app)
  const attempts = [
    { ...proof, code: wrongCode, recovery_code: ada.recoveryCodes[0] },
    { ...proof, recovery_code: 'aaaa-bbbb-ccccc' },
    { ...proof, recovery_code: grace.recoveryCodes[0] },
  ]
  for (const body of attempts) {
    const reply = await app.post(path, body)
    const { status, json, cookies } = reply
    assert.deepEqual([status, json.code, json.error], [400, 'INVALID_CODE', 'Invalid or expired code'])
    assert.equal(cookies.session_id, undefined)
  }
  for (const missing of ['code', 'recovery_code', 'recovery_id']) {
    const { [missing]: _left, ...rest } = { ...proof, recovery_code: ada.recoveryCodes[0] } as Record<string, string>
    const { status, json } = await app.post(path, rest)
    assert.deepEqual([status, json.details[0].field], [400, missing])
  }
  const shapeless = await app.post(path, { ...proof, recovery_code: 'not one' })
  assert.deepEqual([shapeless.status, shapeless.json.details[0].field], [400, 'recovery_code'])
  assert.equal((await rowCounts(app)).sessions, before.sessions)
  assert.deepEqual([await remainingOf(ada), await remainingOf(grace)], [10, 10])
  const rejections = (await auditOf(app, 'token_rejected')).slice(-attempts.length)
  for (const { details, target_id } of rejections)
    assert.deepEqual([details.reason, target_id], ['recovery_code', ada.id])
  assert.equal((await app.post(path, { ...proof, recovery_code: ada.recoveryCodes[0] })).status, 200)
  assert.equal(await remainingOf(ada), 9)
})

test('the codes of two users are not mixed', async () => {
  const [ada, grace] = [await passwordlessUser(app), await passwordlessUser(app)]
  const [ofAda, ofGrace] = [await requestRecovery(app, ada), await requestRecovery(app, grace)]
  const crossed = { recovery_id: ofGrace.recovery_id, code: ofAda.code, recovery_code: ada.recoveryCodes[0] }
  assert.equal((await app.post(path, crossed)).status, 400)
  assert.equal((await app.post(path, { ...ofGrace, recovery_code: ada.recoveryCodes[0] })).status, 400)
})

test('neither code can be used twice', async () => {
  const ada = await passwordlessUser(app)
  const proof = await requestRecovery(app, ada)
  const body = { ...proof, recovery_code: ada.recoveryCodes[0] }
  assert.equal((await app.post(path, body)).status, 200)
  assert.equal((await app.post(path, body)).status, 400, 'both were used')
  assert.equal((await app.post(path, { ...proof, recovery_code: ada.recoveryCodes[1] })).status, 400)
  const second = await requestRecovery(app, ada)
  assert.equal((await app.post(path, { ...second, recovery_code: ada.recoveryCodes[0] })).status, 400)
  assert.equal((await app.post(path, { ...second, recovery_code: ada.recoveryCodes[1] })).status, 200)
})

test('of twelve simultaneous recoveries with the same codes one succeeds, and of twelve completions one', async () => {
  const ada = await passwordlessUser(app)
  const body = { ...(await requestRecovery(app, ada)), recovery_code: ada.recoveryCodes[0] }
  const twelve = Array.from({ length: 12 })
  const started = await Promise.all(twelve.map(() => app.post(path, body)))
  const [winner, ...others] = started.filter(({ status }) => status === 200)
  assert.deepEqual([others.length, await remainingOf(ada)], [0, 9])
  const session = withSession(winner?.json.sessionId)
  const { json } = await app.post(`${path}/passkeys/options`, {}, session)
  const response = createAuthenticator(homeOf(app)).create(json.options)
  const ended = await Promise.all(twelve.map(() => app.post(`${path}/passkeys`, { response }, session)))
  assert.equal(ended.filter(({ status }) => status === 200).length, 1)
  assert.ok(ended.every(({ status }) => status < 500))
  assert.equal((await listOf(winner?.json.sessionId)).passkeys.length, 2)
})

test('a newer code leaves an older one valid, so nobody can cancel the owner’s, and a recovery ends all', async () => {
  const ada = await passwordlessUser(app)
  const older = await requestRecovery(app, ada)
  const others = [await requestRecovery(app, ada), await requestRecovery(app, ada), await requestRecovery(app, ada)]
  assert.equal((await app.post(path, { ...older, recovery_code: ada.recoveryCodes[0] })).status, 200)
  for (const other of others)
    assert.equal((await app.post(path, { ...other, recovery_code: ada.recoveryCodes[1] })).status, 400)
  assert.equal(await remainingOf(ada), 9)
})

test('a code expires', async () => {
  const ada = await passwordlessUser(app)
  const proof = await requestRecovery(app, ada)
  app.clock.advance(app.ctx.config.CODE_TTL + 1000)
  assert.equal((await app.post(path, { ...proof, recovery_code: ada.recoveryCodes[0] })).status, 400)
  assert.equal(await remainingOf(ada), 10)
})

test('five attempts are allowed for each code, whichever of the two codes is wrong', async () => {
  for (const wrong of [{ recovery_code: 'aaaa-bbbb-ccccc' }, { code: 'nocode' }]) {
    const ada = await passwordlessUser(app)
    const proof = { ...(await requestRecovery(app, ada)), recovery_code: ada.recoveryCodes[0] }
    for (let attempt = 0; attempt < 5; attempt++) await app.post(path, { ...proof, ...wrong })
    assert.equal((await app.post(path, proof)).status, 400, JSON.stringify(wrong))
    assert.equal(await remainingOf(ada), 10)
  }
})

test('ten wrong codes in a quarter of an hour are allowed for each user, with any number of emails', async () => {
  const ada = await passwordlessUser(app)
  const rightCode = { recovery_code: ada.recoveryCodes[0] }
  for (let nth = 0; nth < 3; nth++) {
    const { recovery_id } = await requestRecovery(app, ada)
    const wrong = { recovery_id, code: 'nocode', ...rightCode }
    for (let attempt = 0; attempt < 4; attempt++) await app.post(path, wrong)
  }
  const proof = { ...(await requestRecovery(app, ada)), ...rightCode }
  assert.equal((await app.post(path, proof)).status, 400)
  app.clock.advance(15 * 60_000 + 1000)
  const later = { ...(await requestRecovery(app, ada)), ...rightCode }
  assert.equal((await app.post(path, later)).status, 200)
})

test('nobody without a recovery code uses up the owner’s attempts', async () => {
  const ada = await passwordlessUser(app)
  const other = await requestRecovery(app, ada)
  const proof = await requestRecovery(app, ada)
  // The last id is not that of a code.
  for (const recovery_id of [other.recovery_id, ada.id]) {
    const blind = { recovery_id, code: '111111', recovery_code: 'aaaa-bbbb-ccccc' }
    for (let attempt = 0; attempt < 11; attempt++) assert.equal((await app.post(path, blind)).json.code, 'INVALID_CODE')
  }
  assert.equal((await app.post(path, { ...proof, recovery_code: ada.recoveryCodes[0] })).status, 200)
})

test('beyond the limits, attempts cause the same work as others, which does not reveal who is known', async () => {
  const ada = await passwordlessUser(app)
  const [first, second] = [await requestRecovery(app, ada), await requestRecovery(app, ada)]
  for (const recovery_code of ['aaaa-bbbb-ccccc', ada.recoveryCodes[0]]) {
    for (let attempt = 0; attempt < 11; attempt++)
      await app.post(path, { recovery_id: first.recovery_id, code: 'nocode', recovery_code })
    await app.post(path, { recovery_id: second.recovery_id, code: 'nocode', recovery_code })
  }
  const { rows } = await sql<{ guesses: number }>`SELECT guesses FROM one_time_secrets
    WHERE id = ${second.recovery_id}`.execute(app.ctx.db)
  assert.equal(rows[0]?.guesses, 2)
})

test('unknown addresses and users without recovery codes look alike, and receive no code', async () => {
  const [ada, grace] = [await passwordlessUser(app), await registered(app, 'grace')]
  await sql`UPDATE users SET is_verified = true WHERE id = ${grace.id}`.execute(app.ctx.db)
  const replies = []
  for (const email of [ada.email, grace.email, person().email]) replies.push(await app.post(`${path}/code`, { email }))
  const [first, ...others] = replies
  for (const { status, json } of others) {
    assert.deepEqual(
      [status, Object.keys(json), json.message, json.expires_in],
      [200, Object.keys(first?.json), first?.json.message, first?.json.expires_in],
    )
  }
  const ids = replies.map(({ json }) => json.recovery_id)
  const requests = async () => (await auditOf(app, 'token_sent')).filter(({ details }) => ids.includes(details.token))
  await eventually(async () => (await requests()).length === 3)
  const reasons = new Set((await requests()).map(({ details }) => details.reason))
  assert.deepEqual(reasons, new Set([undefined, 'no_recovery_codes', 'unknown']))
  assert.equal(recoveryMails(app, grace.email).length, 0)
  const guess = { code: '123456', recovery_code: ada.recoveryCodes[0] }
  for (const { json } of others) {
    const reply = await app.post(path, { recovery_id: json.recovery_id, ...guess })
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
  }
})

test('an address that is not verified, or no longer the user’s, recovers nothing', async () => {
  const ada = await passwordlessUser(app)
  const proof = { ...(await requestRecovery(app, ada)), recovery_code: ada.recoveryCodes[0] }
  await sql`UPDATE users SET email = ${person().email} WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal((await app.post(path, proof)).json.code, 'INVALID_CODE')
  await sql`UPDATE users SET email = ${ada.email}, is_verified = false WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal((await app.post(path, proof)).json.code, 'INVALID_CODE')
  assert.equal(await remainingOf(ada), 10)
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal((await app.post(path, proof)).status, 200, 'a rejected request consumed nothing')
})

test('a blocked user is told so only after both codes, and no code is consumed', async () => {
  const ada = await passwordlessUser(app)
  const proof = { ...(await requestRecovery(app, ada)), recovery_code: ada.recoveryCodes[0] }
  await sql`INSERT INTO user_blocks (user_id, since, reason) VALUES (${ada.id}, now(), 'test')`.execute(app.ctx.db)
  assert.equal((await app.post(path, { ...proof, recovery_code: 'aaaa-bbbb-ccccc' })).json.code, 'INVALID_CODE')
  assert.deepEqual((await app.post(path, proof)).json.code, 'ACCOUNT_BLOCKED')
  assert.equal(await remainingOf(ada), 10)
})

const bad: [what: string, ways: Ways][] = [
  ['the page of somebody else', { origin: 'https://evil.test' }],
  ['no user verified', { userVerified: false }],
  ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
]
for (const [what, ways] of bad) {
  test(`with ${what}, the session stays limited and no passkey is removed`, async () => {
    const ada = await passwordlessUser(app)
    const sessionToken = await recoverySession(app, ada)
    const { json } = await app.get(`${path}/passkeys`, withSession(sessionToken))
    const reply = await completeRecovery(app, sessionToken, { ways, remove: [json.passkeys[0].id] })
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
    assert.equal((await auditOf(app, 'passkey_rejected')).at(-1)?.target_id, ada.id)
    assert.equal((await app.get('/auth/me', withSession(sessionToken))).json.code, 'TWO_FACTOR_REQUIRED')
    assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
  })
}

test('a challenge of another session or for the settings adds no passkey', async () => {
  const [ada, grace] = [await passwordlessUser(app), await passwordlessUser(app)]
  const [ofAda, ofGrace] = [await recoverySession(app, ada), await recoverySession(app, grace)]
  const start = await app.post(`${path}/passkeys/options`, {}, withSession(ofAda))
  const response = createAuthenticator(homeOf(app)).create(start.json.options)
  assert.equal((await app.post(`${path}/passkeys`, { response }, withSession(ofGrace))).json.code, 'INVALID_CODE')
  const second = await recoverySession(app, ada, 1)
  assert.equal((await app.post(`${path}/passkeys`, { response }, withSession(second))).json.code, 'INVALID_CODE')
  assert.equal((await app.post('/auth/passkeys', { response }, withSession(ada.sessionToken))).status, 400)
  const settings = await app.post('/auth/passkeys/options', {}, withSession(ada.sessionToken))
  const other = createAuthenticator(homeOf(app)).create(settings.json.options)
  assert.equal((await app.post(`${path}/passkeys`, { response: other }, withSession(ofAda))).status, 400)
  const done = await app.post(`${path}/passkeys`, { response }, withSession(ofAda))
  assert.equal(done.status, 200, done.text)
  assert.equal((await app.post(`${path}/passkeys`, { response }, withSession(ofAda))).json.code, 'FORBIDDEN')
})

test('a passkey of another user, or one that does not exist, is not removed, and nothing is added', async () => {
  const [ada, grace] = [await passwordlessUser(app), await passwordlessUser(app)]
  const sessionToken = await recoverySession(app, ada)
  const { passkeys } = await listOf(grace.sessionToken)
  for (const id of [passkeys[0].id, '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90']) {
    const reply = await completeRecovery(app, sessionToken, { remove: [id] })
    assert.deepEqual([reply.status, reply.json.details?.[0]?.field], [400, 'remove'])
  }
  assert.equal((await passkeyLogin(app, grace.authenticator)).status, 200)
  assert.equal((await app.get(`${path}/passkeys`, withSession(sessionToken))).json.passkeys.length, 1)
})

test('the session of a recovery ends after a few minutes, and at a sign-out', async () => {
  const ada = await passwordlessUser(app)
  const first = await recoverySession(app, ada)
  app.clock.advance(app.ctx.config.PARTIAL_SESSION_TTL + 1000)
  const late = await app.post(`${path}/passkeys/options`, {}, withSession(first))
  assert.deepEqual([late.status, late.json.code], [401, 'SESSION_EXPIRED'])
  const second = await recoverySession(app, ada, 1)
  assert.equal((await app.post('/auth/logout', {}, withSession(second))).status, 200)
  assert.equal((await app.get(`${path}/passkeys`, withSession(second))).json.code, 'INVALID_SESSION')
})

test('full sessions and sessions that wait for a second factor are none of a recovery', async () => {
  const ada = await passwordlessUser(app)
  assert.equal((await app.get(`${path}/passkeys`, withSession(ada.sessionToken))).json.code, 'FORBIDDEN')
  await sql`UPDATE sessions SET status = 'pending' WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  const waiting = await app.post(`${path}/passkeys/options`, {}, withSession(ada.sessionToken))
  assert.equal(waiting.json.code, 'TWO_FACTOR_REQUIRED')
})

test('with passkeys off, or without mail, there is no recovery', async () => {
  const settings: Record<string, string>[] = [{ PASSKEYS_ENABLED: 'false' }, { PUBLIC_URL: 'http://127.0.0.1:3000' }]
  for (const env of settings) {
    const closed = await startTestApp({ env })
    try {
      const code = await closed.post(`${path}/code`, { email: person().email })
      assert.equal(code.json.code, 'NOT_CONFIGURED')
      const id = '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90'
      const start = await closed.post(path, { recovery_id: id, code: '123456', recovery_code: 'aaaa-bbbb-ccccc' })
      assert.equal(start.json.code, 'NOT_CONFIGURED')
    } finally {
      await closed.stop()
    }
  }
})

test('the first passkey of a user without a password comes with codes, and that of others does not', async () => {
  const ada = await passwordlessUser(app, { eligible: true })
  const second = await addOwnPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  assert.deepEqual([second.status, second.json.recovery_codes], [200, undefined])
  const grace = await registered(app, 'grace')
  const added = await addOwnPasskey(app, grace.sessionToken, createAuthenticator(homeOf(app)))
  assert.deepEqual([added.status, added.json.recovery_codes], [200, undefined])
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${grace.id}`.execute(app.ctx.db)
  const third = await addOwnPasskey(app, grace.sessionToken, createAuthenticator(homeOf(app)))
  assert.equal(third.json.recovery_codes.length, 10)
})
