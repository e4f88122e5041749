import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hour } from '../../src/lib/time.ts'
import { memberOf } from '../screens/account/support.ts'
import { textOf } from '../screens/all-pages.ts'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['onboarding'] })
})
after(() => app?.stop())

const number = (last: string) => `+44770090${last}`
const paths = [
  ['/auth/profile', 'PUT'],
  ['/api/v1/onboarding/complete', 'POST'],
] as const

/** A user who can sign in only with a code to the phone number. */
async function withPhoneOnly(phone: string): Promise<SignedIn> {
  const ada = await registered(app)
  await sql`UPDATE users SET password_hash = NULL, is_verified = false, phone = ${phone}, phone_trusted = true
    WHERE id = ${ada.id}`.execute(app.ctx.db)
  return ada
}
const rowOf = async ({ id }: SignedIn) =>
  (await sql`SELECT phone, phone_trusted FROM users WHERE id = ${id}`.execute(app.ctx.db)).rows[0]
const update = ({ sessionToken }: SignedIn, body: unknown, [path, method]: readonly [string, string] = paths[0]) =>
  app.call(method, path, { body, ...withSession(sessionToken) })

for (const route of paths)
  test(`${route.join(' ')}: the only way to sign in is neither removed nor replaced by an untrusted number`, async () => {
    const ada = await withPhoneOnly(number('0700'))
    app.clock.advance(hour)
    await app.get('/auth/me', withSession(ada.sessionToken))
    const before = [await rowOf(ada), await rowCounts(app)]
    for (const phone of ['', number('0701')]) {
      const { status, json } = await update(ada, { phone, name: 'Changed' }, route)
      assert.deepEqual([status, json.code], [400, 'LAST_SIGN_IN_METHOD'], phone)
      const rejected = (await auditOf(app, 'authz_denied')).filter(({ target_id }) => target_id === ada.id)
      assert.equal(rejected.length, phone === '' ? 1 : 2)
      assert.deepEqual(rejected.at(-1)?.details, { deed: 'change_phone', code: 'LAST_SIGN_IN_METHOD' })
    }
    assert.deepEqual([await rowOf(ada), await rowCounts(app)], before)
    await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
    assert.equal((await update(ada, { phone: '' }, route)).status, 200)
  })

test('a user who has signed in recently replaces the number with one that is trusted', async () => {
  const ada = await withPhoneOnly(number('0702'))
  assert.equal((await update(ada, { phone: '' })).json.code, 'LAST_SIGN_IN_METHOD')
  assert.equal((await update(ada, { phone: number('0703') })).status, 200)
  assert.deepEqual(await rowOf(ada), { phone: number('0703'), phone_trusted: true })
})

test('the page says why the number cannot be removed', async () => {
  const ada = await memberOf(app)
  await sql`UPDATE users SET password_hash = NULL, is_verified = false, phone = ${number('0704')}, phone_trusted = true
    WHERE id = ${ada.id}`.execute(app.ctx.db)
  const path = '/account/profile'
  await ada.open(path)
  const { status, text } = await ada.send(`${path}/phone`, { phone: '' })
  assert.equal(status, 400)
  assert.match(textOf(text), /This phone number is your only way to sign in\. Add another one first\./)
})
