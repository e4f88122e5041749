import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { MAIL_CAP: '1000/1h' } })
})
after(() => app.stop())

const fresh = 'moths around a quiet lamp'
const verifyPath = '/auth/token/verify'
const [validatePath, completePath] = ['/auth/password-reset/validate', '/auth/password-reset/complete']

/** The emails to an address, oldest first. The first is the verification email. */
async function mail({ email }: { email: string }, earlier: number) {
  const { text } = await app.mailTo(email, earlier)
  const code = /^(\d{6})$/m.exec(text)?.[1] ?? ''
  const token = /token=([\w-]{43})/.exec(text)?.[1] ?? ''
  return { code, token }
}

async function reset(ada: SignedIn, earlier = 1) {
  await app.post('/auth/password-reset/request', { email: ada.email })
  return mail(ada, earlier)
}

const other = (code: string, step = 1): string => String((Number(code) + step) % 1_000_000).padStart(6, '0')
const isVerified = async ({ sessionToken }: SignedIn) =>
  (await app.get('/auth/me', withSession(sessionToken))).json.user.is_verified
const signIn = ({ email }: SignedIn, password: string) => app.post('/auth/login', { email, password })

describe('the code of a verification mail', () => {
  test('verifies the address once, with the address in any spelling, and ends the link', async () => {
    const ada = await registered(app)
    const { code, token } = await mail(ada, 0)
    const { status, json } = await app.post(verifyPath, { email: ` ${ada.email.toUpperCase()}`, code })
    assert.deepEqual([status, json.user], [200, { id: ada.id, email: ada.email, is_verified: true }])
    assert.deepEqual(Object.keys(json).toSorted(), ['message', 'status', 'success', 'user'])
    assert.equal(await isVerified(ada), true)
    assertError(await app.post(verifyPath, { email: ada.email, code }), 400, 'INVALID_CODE')
    assertError(await app.post(verifyPath, { token }), 400, 'INVALID_TOKEN')
    const [used] = (await auditOf(app, 'verify_ok')).filter(({ target_id }) => target_id === ada.id)
    assert.equal(used?.details.by, 'code')
  })

  test('is ended by the link, by a newer mail and by time', async () => {
    const [ada, grace, alan] = [await registered(app), await registered(app, 'grace'), await registered(app, 'alan')]
    const byLink = await mail(ada, 0)
    assert.equal((await app.post(verifyPath, { token: byLink.token })).status, 200)
    assertError(await app.post(verifyPath, { email: ada.email, code: byLink.code }), 400, 'INVALID_CODE')
    const older = await mail(grace, 0)
    await app.post('/auth/resend-verification', { email: grace.email })
    const newer = await mail(grace, 1)
    if (older.code !== newer.code)
      assertError(await app.post(verifyPath, { email: grace.email, code: older.code }), 400, 'INVALID_CODE')
    assert.equal((await app.post(verifyPath, { email: grace.email, code: newer.code })).status, 200)
    const late = await mail(alan, 0)
    app.clock.advance(10 * minute)
    assertError(await app.post(verifyPath, { email: alan.email, code: late.code }), 400, 'INVALID_CODE')
    assert.equal((await app.post(verifyPath, { token: late.token })).status, 200, 'the link lives longer')
  })

  test('is worth nothing for another address or another purpose', async () => {
    const [ada, grace] = [await registered(app), await registered(app, 'grace')]
    const { code } = await mail(ada, 0)
    await mail(grace, 0)
    assertError(await app.post(verifyPath, { email: grace.email, code: other(code, 0) }), 400, 'INVALID_CODE')
    assert.equal((await app.post(validatePath, { email: ada.email, code })).json.valid, false)
    assertError(await app.post(completePath, { email: ada.email, code, password: fresh }), 400, 'INVALID_CODE')
    assert.equal((await app.post(verifyPath, { email: ada.email, code })).status, 200)
  })
})

describe('the code of a reset mail', () => {
  test('sets a new password once, and ends the link', async () => {
    const ada = await registered(app)
    const { code, token } = await reset(ada)
    for (let count = 0; count < 12; count++)
      assert.equal((await app.post(validatePath, { email: ada.email, code })).json.valid, true, 'asking costs nothing')
    assertError(await app.post(completePath, { email: ada.email, code, password: 'short' }), 400, 'WEAK_PASSWORD')
    const { status, json } = await app.post(completePath, { email: ada.email, code, new_password: fresh })
    assert.deepEqual([status, json.success], [200, true])
    assert.equal((await signIn(ada, fresh)).status, 200)
    assertError(await app.post(completePath, { token, password: ada.password }), 400, 'INVALID_TOKEN')
    assertError(await app.post(completePath, { email: ada.email, code, password: ada.password }), 400, 'INVALID_CODE')
    assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  })

  test('is not in an invitation, whose link lives for a day', async () => {
    const { email } = person()
    const admin = await registered(app, 'grace')
    await sql`UPDATE users SET user_type = 'admin' WHERE id = ${admin.id}`.execute(app.ctx.db)
    await app.post('/auth/admin/users', { email, send_invite: true }, withSession(admin.sessionToken))
    const { text } = await app.mailTo(email)
    assert.doesNotMatch(text, /^\d{6}$/m)
  })

  test('takes five wrong guesses, asked or used; then the link alone works', async () => {
    const ada = await registered(app)
    const { code, token } = await reset(ada)
    for (let step = 1; step <= 3; step++)
      assert.equal((await app.post(validatePath, { email: ada.email, code: other(code, step) })).json.valid, false)
    for (let step = 4; step <= 5; step++)
      assertError(
        await app.post(completePath, { email: ada.email, code: other(code, step), password: fresh }),
        400,
        'INVALID_CODE',
      )
    assertError(await app.post(completePath, { email: ada.email, code, password: fresh }), 400, 'INVALID_CODE')
    assert.equal((await app.post(validatePath, { email: ada.email, code })).json.valid, false)
    assert.equal((await app.post(completePath, { token, password: fresh })).status, 200)
  })

  // Ten guesses in 15 minutes are 960 a day. With a million possible codes, the chance of a hit is below 0.1 % a day.
  test('shares ten guesses in 15 minutes with all other mailed codes of the account, new mails or not', async () => {
    const ada = await registered(app)
    const first = await mail(ada, 0)
    for (let step = 1; step <= 4; step++)
      assertError(await app.post(verifyPath, { email: ada.email, code: other(first.code, step) }), 400, 'INVALID_CODE')
    for (const earlier of [1, 2]) {
      const { code } = await reset(ada, earlier)
      for (let step = 1; step <= 3; step++) await app.post(validatePath, { email: ada.email, code: other(code, step) })
    }
    const { code, token } = await reset(ada, 3)
    assertError(await app.post(completePath, { email: ada.email, code, password: fresh }), 400, 'INVALID_CODE')
    const asked = await app.post('/auth/token/login', { identifier: ada.email })
    const login = await mail(ada, 4)
    const byCode = { token_id: asked.json.token_id, code: login.code }
    assertError(await app.post('/auth/token/login', byCode), 400, 'INVALID_CODE')
    assert.equal((await app.post(validatePath, { token })).json.valid, true, 'links are not counted')
    app.clock.advance(15 * minute)
    const again = await reset(ada, 5)
    assert.equal(
      (await app.post(completePath, { ...again, token: undefined, email: ada.email, password: fresh })).status,
      200,
    )
  })
})

test('unknown, deleted and known addresses are answered alike, however often', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  await mail(ada, 0)
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${grace.id}`.execute(app.ctx.db)
  const answers = async (email: string) => {
    const seen: unknown[] = []
    for (let count = 0; count < 12; count++) {
      const [path, body] = [
        [verifyPath, {}],
        [validatePath, {}],
        [completePath, { password: fresh }],
      ][count % 3] as [string, object]
      const { status, json, cookies } = await app.post(path, { email, code: '000000', ...body })
      seen.push([status, { ...json, request_id: '' }, cookies])
    }
    return seen
  }
  const known = await answers(ada.email)
  assert.deepEqual(await answers(grace.email), known)
  assert.deepEqual(await answers('nobody@example.org'), known)
})

test('what is no proof is refused by name', async () => {
  const email = 'ada@example.com'
  const bad: [body: Record<string, unknown>, field: string][] = [
    [{}, 'token'],
    [{ token: '' }, 'token'],
    [{ token: 'x', email, code: '123456' }, 'token'],
    [{ token: 'x', code: '123456' }, 'token'],
    [{ email }, 'code'],
    [{ code: '123456' }, 'email'],
    [{ email: 'nobody', code: '123456' }, 'email'],
    [{ email: [email], code: '123456' }, 'email'],
    ...['', '12345', '1234567', ' 123456', '１２３４５６', 123456, null, ['123456'], { $ne: null }].map(
      (code): [Record<string, unknown>, string] => [{ email, code }, 'code'],
    ),
  ]
  for (const [body, field] of bad) {
    for (const path of [verifyPath, validatePath, completePath]) {
      const details = assertError(await app.post(path, { password: fresh, ...body }), 400, 'VALIDATION_ERROR', path)
      assert.deepEqual([...new Set(details.map((one) => one.field))], [field], `${path} ${JSON.stringify(body)}`)
    }
  }
})
