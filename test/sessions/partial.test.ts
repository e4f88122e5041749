// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { asked as askedFor, redeem } from '../passwordless/support.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ secondFactor: emailFactor })
})
after(() => app.stop())

async function pendingAda() {
  const ada = await registered(app)
  await requireSecondFactor(app, ada.id)
  const reply = await app.post('/auth/login', { email: ada.email, password: ada.password })
  return { ...ada, sessionToken: reply.json.sessionId as string, reply }
}

test('a right password of a user with a second factor opens a partial session', async () => {
  const { reply, id } = await pendingAda()
  const { json } = reply
  assert.equal(reply.status, 200)
  assert.equal(json.success, false)
  assert.equal(json.requires_2fa, true)
  assert.equal(json.verification_sent, true)
  assert.equal(json.expires_in, 300)
  assert.deepEqual(
    json.available_methods.map(({ method, status }: { method: string; status: string }) => [method, status]),
    [['email', 'active']],
  )
  assert.equal(Date.parse(json.expiresAt) - app.clock.now(), 5 * minute)
  assert.ok(Number(reply.cookies.session_id?.maxAge) <= 300)
  assert.equal(reply.cookies.kd, undefined)
  assert.equal((await auditOf(app, 'partial_created')).filter(({ target_id }) => target_id === id).length, 1)
})

test('the views of the current session show a partial one as not signed in', async () => {
  const { sessionToken } = await pendingAda()
  for (const url of ['/auth/me', '/auth/validation', '/auth/session/current']) {
    const { status, json } = await app.get(url, withSession(sessionToken))
    assert.equal(status, 200, url)
    assert.equal(json.success, false, url)
    assert.equal(json.requires_2fa, true, url)
    assert.equal(json.sessionId, sessionToken)
  }
  const { json } = await app.get('/auth/user/me', {
    headers: { 'x-session-id': sessionToken, 'x-bridge-secret': bridgeSecret },
  })
  assert.equal(json.success, false)
  assert.equal(json.requires_2fa, true)
  assert.equal(json.available_methods.length, 1)
})

test('the bridge takes a partial session for none, and never serves it from a copy', async () => {
  const { sessionToken } = await pendingAda()
  for (let count = 0; count < 3; count++) {
    const reply = await app.post(
      '/auth/bridge/validate',
      { session_id: sessionToken },
      { headers: { 'x-bridge-secret': bridgeSecret } },
    )
    assert.equal(reply.status, 401)
    assert.equal(reply.json.error, 'Invalid session')
    assert.equal(reply.json.code, 'TWO_FACTOR_REQUIRED')
  }
})

test('routes for full sessions answer a partial one with TWO_FACTOR_REQUIRED', async () => {
  const { sessionToken } = await pendingAda()
  for (const url of ['/auth/refresh', '/auth/invalidate/me']) {
    const reply = await app.post(url, undefined, withSession(sessionToken))
    assert.equal(reply.status, 401, url)
    assert.equal(reply.json.code, 'TWO_FACTOR_REQUIRED', url)
  }
  const resend = await app.post('/auth/resend-verification', {}, withSession(sessionToken))
  assert.equal(resend.status, 400)
})

test('a partial session lives five minutes, whatever its use, and can be logged out', async () => {
  const first = await pendingAda()
  app.clock.advance(4 * minute)
  assert.equal((await app.get('/auth/me', withSession(first.sessionToken))).status, 200)
  app.clock.advance(minute)
  const expired = await app.get('/auth/me', withSession(first.sessionToken))
  assert.equal(expired.status, 401)
  assert.equal(expired.json.code, 'SESSION_EXPIRED')
  const second = await pendingAda()
  assert.equal((await app.post('/auth/logout', undefined, withSession(second.sessionToken))).status, 200)
  assert.equal((await app.get('/auth/me', withSession(second.sessionToken))).status, 401)
})

test('what a partial session still needs depends on how it was opened, whenever that is asked', async () => {
  const asked: string[] = []
  const watching = await startTestApp({
    secondFactor: {
      ...emailFactor,
      requiredMethods: (db, user, proof) => {
        asked.push(proof)
        return emailFactor.requiredMethods(db, user, proof)
      },
    },
  })
  try {
    const ada = await registered(watching)
    await requireSecondFactor(watching, ada.id)
    const { token } = await askedFor(watching, ada.email)
    // The first verification of the email address removes all existing second factors.
    await redeem(watching, { token })
    await requireSecondFactor(watching, ada.id)
    const { json } = await redeem(watching, { token: (await askedFor(watching, ada.email)).token })
    assert.equal(json.requires_2fa, true)
    asked.length = 0
    await watching.get('/auth/me', withSession(json.sessionId))
    assert.deepEqual(asked, ['login_token'])
  } finally {
    await watching.stop()
  }
})
