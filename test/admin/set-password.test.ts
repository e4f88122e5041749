import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let people: Record<string, SignedIn>
before(async () => {
  app = await startTestApp()
  people = {
    admin: await signedInAs(app, 'admin'),
    otherAdmin: await signedInAs(app, 'admin'),
    superadmin: await signedInAs(app, 'superadmin'),
    otherSuperadmin: await signedInAs(app, 'superadmin'),
    writer: await signedInAs(app, 'writer'),
  }
})
after(() => app.stop())

const fresh = 'moths around the relay'
const someone = (name: string): SignedIn => people[name]!
const force = (actor: SignedIn, target: { id: string }, more: object = {}) =>
  app.post(
    '/auth/password-change/admin',
    { user_id: target.id, new_password: fresh, ...more },
    withSession(actor.sessionToken),
  )
const login = ({ email }: SignedIn, password: string) => app.post('/auth/login', { email, password })

test('an admin sets the password of a user: their sessions end, a lock is lifted, and they are told', async () => {
  const [ada, admin] = [await registered(app), someone('admin')]
  for (let window = 0; window < 20; window++) {
    for (let count = 0; count < 5; count++) await login(ada, 'not the password')
    app.clock.advance(16 * minute)
  }
  assertError(await login(ada, ada.password), 429, 'ACCOUNT_LOCKED')
  assert.equal((await force(admin, ada)).status, 200)
  assertError(await app.get('/auth/me', withSession(ada.sessionToken)), 401, 'INVALID_SESSION')
  assert.equal((await login(ada, ada.password)).status, 401)
  assert.equal((await login(ada, fresh)).status, 200)
  const subjects = () => (app.inbox?.list({ to: ada.email }) ?? []).map(({ subject }) => subject ?? '')
  await app.mailTo(ada.email, 2)
  assert.ok(subjects().some((subject) => subject.startsWith('An administrator changed')))
  const [trace] = (await auditOf(app, 'admin_password_set')).filter(({ target_id }) => target_id === ada.id)
  assert.ok(trace)
})

test('notify: false sends no email', async () => {
  const ada = await registered(app)
  await app.mailTo(ada.email)
  const before = (await rowCounts(app)).outbox
  assert.equal((await force(someone('superadmin'), ada, { notify: false })).status, 200)
  assert.equal((await rowCounts(app)).outbox, before)
})

test('the password of a superadmin is set by superadmins only; nobody without the role sets any', async () => {
  const [admin, otherAdmin, superadmin] = [someone('admin'), someone('otherAdmin'), someone('superadmin')]
  const [otherSuperadmin, writer] = [someone('otherSuperadmin'), someone('writer')]
  const cases: [actor: SignedIn, target: SignedIn, status: number][] = [
    [writer, admin, 403],
    [admin, superadmin, 403],
    [admin, otherAdmin, 200],
    [superadmin, otherSuperadmin, 200],
    [superadmin, admin, 200],
  ]
  for (const [actor, target, status] of cases) {
    const before = await rowCounts(app)
    const reply = await force(actor, target)
    assert.equal(reply.status, status, reply.text)
    if (status !== 403) continue
    assert.equal(reply.json.code, 'FORBIDDEN')
    assert.deepEqual(await rowCounts(app), before)
    assert.equal((await login(target, target.password)).status, 200)
  }
  assert.ok((await auditOf(app, 'authz_denied')).some(({ target_id }) => target_id === superadmin.id))
})

test('refuses the own password, unknown users and weak passwords', async () => {
  const [ada, boss] = [await registered(app), await signedInAs(app, 'superadmin')]
  const own = assertError(await force(boss, boss), 400, 'VALIDATION_ERROR')
  assert.equal(own[0]?.field, 'user_id')
  for (const id of ['01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf', '1', '../', ada.id.toUpperCase(), `${ada.id}\n`])
    assertError(await force(boss, { id }), 404, 'NOT_FOUND', id)
  for (const id of ['', [], null, {}]) assertError(await force(boss, { id: id as string }), 400, 'VALIDATION_ERROR')
  for (const new_password of ['short', 'password123', ada.email, ada.user_name]) {
    const details = assertError(await force(boss, ada, { new_password }), 400, 'WEAK_PASSWORD', new_password)
    assert.equal(details[0]?.field, 'new_password')
  }
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
})
