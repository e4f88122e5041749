import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { day, hour, iso } from '../../src/lib/time.ts'
import { voidTokensOf } from '../../src/one-time-tokens/queries.ts'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import {
  askFor,
  cancelPath,
  confirm,
  emailOf,
  mailsWith,
  mailWith,
  requestPath,
  startedChange,
  statusOf,
  tokenAfter,
  verifyPath,
} from './change-support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const nothing = { status: 'none', new_email: null, confirmed: null, expires_at: null, takes_effect_at: null }

const signIn = (email: string, { password }: SignedIn) => app.post('/auth/login', { email, password })
const eventsOf = async (event: string, { id }: SignedIn) =>
  (await auditOf(app, event)).filter(({ target_id }) => target_id === id)

test('asking changes nothing but that a change is pending, and tells the present inbox at once', async () => {
  const ada = await registered(app)
  assert.deepEqual(await statusOf(app, ada.sessionToken), nothing)
  const newEmail = person().email
  const reply = await app.post(requestPath, { email: ` ${newEmail.toUpperCase()} ` }, withSession(ada.sessionToken))
  assert.equal(reply.status, 200)
  const expires_at = iso(app.clock.now() + day)
  assert.deepEqual(reply.json.email_change, { status: 'pending', new_email: newEmail, expires_at })
  const present = await mailWith(app, ada.email, cancelPath)
  assert.ok(present.includes(`http://localhost:3000${verifyPath}?token=`))
  assert.ok(!present.includes(newEmail), 'the new address is masked')
  await mailWith(app, newEmail, verifyPath)
  assert.deepEqual(await statusOf(app, ada.sessionToken), {
    status: 'pending',
    new_email: newEmail,
    confirmed: { current: false, new: false },
    expires_at,
    takes_effect_at: null,
  })
  assert.equal(await emailOf(app, ada.sessionToken), ada.email)
  const [event] = await eventsOf('email_change_started', ada)
  assert.ok(event)
  assert.ok(!JSON.stringify(event.details).includes('@'))
})

for (const order of ['current first', 'new first'] as const) {
  test(`both inboxes have to confirm, ${order}, each once; then the address is changed`, async () => {
    const ada = await registered(app)
    const { current, fresh, newEmail } = await startedChange(app, ada)
    const [first, second] = order === 'current first' ? [current, fresh] : [fresh, current]
    const half = await confirm(app, first)
    assert.equal(half.status, 200)
    assert.equal(half.json.status, 'pending')
    const confirmed = { current: order === 'current first', new: order === 'new first' }
    assert.deepEqual(half.json.confirmed, confirmed)
    assert.deepEqual((await statusOf(app, ada.sessionToken)).confirmed, confirmed)
    const again = await confirm(app, first)
    assert.equal(again.status, 400)
    assert.equal(again.json.code, 'INVALID_TOKEN')
    assert.equal(await emailOf(app, ada.sessionToken), ada.email)
    assert.equal((await signIn(newEmail, ada)).status, 401)

    const last = await confirm(app, second)
    assert.equal(last.status, 200)
    assert.equal(last.json.status, 'completed')
    assert.deepEqual(last.json.confirmed, { current: true, new: true })
    assert.deepEqual(last.cookies, {})
    assert.equal((await confirm(app, second)).json.code, 'INVALID_TOKEN')
    assert.equal(await emailOf(app, ada.sessionToken), newEmail)
    assert.equal((await signIn(ada.email, ada)).status, 401)
    assert.equal((await signIn(newEmail, ada)).json.user.is_verified, true)
    assert.deepEqual(await statusOf(app, ada.sessionToken), nothing)
    assert.equal((await eventsOf('email_change_half', ada)).length, 2)
    assert.equal((await eventsOf('email_change_completed', ada)).length, 1)
  })
}

test('a completed change ends the other sessions and every other link, and tells both inboxes', async () => {
  const ada = await registered(app)
  const link = /token=([\w-]{43})/.exec(await mailWith(app, ada.email, '/auth/token/verify'))?.[1]
  const other = (await signIn(ada.email, ada)).json.sessionId
  const started = await startedChange(app, ada)
  const bridge = { headers: { 'x-bridge-secret': bridgeSecret } }
  const validate = async (sessionToken: string) =>
    (await app.post('/auth/bridge/validate', { session_id: sessionToken }, bridge)).status
  assert.equal(await validate(other), 200)
  await confirm(app, started.current)
  assert.equal((await confirm(app, started.fresh)).status, 200)
  assert.equal(await validate(other), 401)
  assert.equal(await validate(ada.sessionToken), 200)
  assert.equal((await app.post('/auth/token/verify', { token: link })).json.code, 'INVALID_TOKEN')
  const alive = 'SELECT purpose FROM one_time_secrets WHERE user_id = $1 AND used_at IS NULL'
  assert.deepEqual(await app.database.query(alive, [ada.id]), [])
  assert.equal((await app.post(cancelPath, { token: started.cancel })).json.code, 'INVALID_TOKEN')
  for (const address of [ada.email, started.newEmail]) {
    const notice = await mailWith(app, address, 'was changed')
    assert.ok(!notice.includes(ada.email) && !notice.includes(started.newEmail), 'addresses are masked')
  }
  const [ended] = await eventsOf('session_ended', ada)
  assert.equal(ended?.details.reason, 'email_change')
})

test('a newer change replaces the older one, whose links are dead', async () => {
  const ada = await registered(app)
  const first = await startedChange(app, ada)
  await confirm(app, first.current)
  const second = await startedChange(app, ada)
  for (const token of [first.fresh, first.current]) assert.equal((await confirm(app, token)).json.code, 'INVALID_TOKEN')
  assert.equal((await app.post(cancelPath, { token: first.cancel })).json.code, 'INVALID_TOKEN')
  const { new_email, confirmed } = await statusOf(app, ada.sessionToken)
  assert.deepEqual([new_email, confirmed], [second.newEmail, { current: false, new: false }])
  const third = await startedChange(app, ada, second.newEmail)
  assert.equal((await confirm(app, second.current)).json.code, 'INVALID_TOKEN')
  await confirm(app, third.current)
  assert.equal((await confirm(app, third.fresh)).json.status, 'completed')
})

test('a confirmation of an older change does not complete a newer one', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const older = await startedChange(app, ada)
  // Another user has the address, so no new link is sent to the new inbox. A new link would invalidate the older one.
  await askFor(app, ada, grace.email)
  await mailWith(app, grace.email, 'another account')
  const present = await mailWith(app, ada.email, cancelPath, 1)
  assert.equal((await confirm(app, tokenAfter(present, verifyPath))).json.status, 'pending')
  assert.equal((await confirm(app, older.fresh)).json.code, 'INVALID_TOKEN')
  assert.equal(await emailOf(app, ada.sessionToken), ada.email)
})

test('confirmations by two different users do not complete a change', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const [hers, other] = [await startedChange(app, ada), await startedChange(app, grace)]
  assert.equal((await confirm(app, hers.current)).json.status, 'pending')
  assert.equal((await confirm(app, other.fresh)).json.status, 'pending')
  assert.equal(await emailOf(app, ada.sessionToken), ada.email)
  assert.equal(await emailOf(app, grace.sessionToken), grace.email)
})

test('the current inbox cancels, and both halves are dead', async () => {
  const ada = await registered(app)
  const { current, fresh, cancel } = await startedChange(app, ada)
  await confirm(app, current)
  for (const wrong of [current, fresh]) assert.equal((await app.post(cancelPath, { token: wrong })).status, 400)
  assert.equal((await confirm(app, cancel)).json.code, 'INVALID_TOKEN')
  const reply = await app.post(cancelPath, { token: cancel })
  assert.deepEqual(reply.json, { success: true, message: 'Email change cancelled', status: 'cancelled' })
  assert.equal((await app.post(cancelPath, { token: cancel })).json.code, 'INVALID_TOKEN')
  assert.equal((await confirm(app, fresh)).json.code, 'INVALID_TOKEN')
  assert.deepEqual(await statusOf(app, ada.sessionToken), nothing)
  assert.equal(await emailOf(app, ada.sessionToken), ada.email)
  await mailWith(app, ada.email, 'was cancelled')
  assert.equal((await eventsOf('email_change_cancelled', ada)).length, 1)
})

test('a session cancels without a token, when something is pending; a dead token is not helped by a session', async () => {
  const ada = await registered(app)
  assert.equal((await app.post(cancelPath, undefined, withSession(ada.sessionToken))).json.code, 'NOT_FOUND')
  assert.equal((await app.post(cancelPath, {})).json.code, 'INVALID_SESSION')
  const { fresh } = await startedChange(app, ada)
  assert.equal((await app.post(cancelPath, { token: 'x' }, withSession(ada.sessionToken))).json.code, 'INVALID_TOKEN')
  assert.equal((await app.post(cancelPath, { token: '' }, withSession(ada.sessionToken))).json.code, 'VALIDATION_ERROR')
  assert.equal((await statusOf(app, ada.sessionToken)).status, 'pending')
  assert.equal((await app.post(cancelPath, {}, withSession(ada.sessionToken))).json.status, 'cancelled')
  assert.equal((await confirm(app, fresh)).json.code, 'INVALID_TOKEN')
})

test('an address of somebody else gets the same answer, a warning to its owner, and never a link', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  await mailWith(app, grace.email, '/auth/token/verify')
  const taken = await askFor(app, ada, grace.email)
  assert.equal(taken.status, 200)
  assert.deepEqual(Object.keys(taken.json), Object.keys((await askFor(app, grace, person().email)).json))
  assert.equal(taken.json.email_change.new_email, grace.email)
  await mailWith(app, grace.email, 'another account')
  assert.equal(mailsWith(app, grace.email, verifyPath).filter((text) => !text.includes(cancelPath)).length, 0)
  const present = await mailWith(app, ada.email, cancelPath)
  const half = await confirm(app, tokenAfter(present, verifyPath))
  assert.equal(half.json.status, 'pending')
  assert.equal((await statusOf(app, ada.sessionToken)).status, 'pending')
})

test('only the last confirmation tells that somebody has got the address meanwhile, and then the change is over', async () => {
  const ada = await registered(app)
  const { current, fresh, newEmail } = await startedChange(app, ada)
  const early = { ...person('grace'), email: newEmail }
  assert.equal((await app.post('/auth/register/public', early)).status, 200)
  assert.equal((await confirm(app, current)).json.status, 'pending')
  const last = await confirm(app, fresh)
  assert.equal(last.status, 400)
  assert.equal(last.json.code, 'EMAIL_TAKEN')
  assert.equal((await confirm(app, fresh)).json.code, 'INVALID_TOKEN')
  assert.deepEqual(await statusOf(app, ada.sessionToken), nothing)
  assert.equal(await emailOf(app, ada.sessionToken), ada.email)
  const [event] = await eventsOf('email_change_cancelled', ada)
  assert.equal(event?.details.reason, 'taken')
})

test('a change expires, and the janitor writes it down once', async () => {
  const ada = await registered(app)
  const { current, fresh, cancel } = await startedChange(app, ada)
  await confirm(app, current)
  app.clock.advance(day - hour)
  assert.equal((await statusOf(app, ada.sessionToken)).status, 'pending')
  app.clock.advance(hour)
  assert.equal((await confirm(app, fresh)).json.code, 'INVALID_TOKEN')
  assert.equal((await app.post(cancelPath, { token: cancel })).json.code, 'INVALID_TOKEN')
  assert.deepEqual(await statusOf(app, ada.sessionToken), nothing)
  assert.equal((await app.post(cancelPath, {}, withSession(ada.sessionToken))).json.code, 'NOT_FOUND')
  await cleanUp(app.ctx)
  await cleanUp(app.ctx)
  assert.equal((await eventsOf('email_change_expired', ada)).length, 1)
  assert.equal(await emailOf(app, ada.sessionToken), ada.email)
})

test('what ends all links of a user ends the change too: nothing looks pending that cannot come true', async () => {
  const ada = await registered(app)
  const { newEmail } = await startedChange(app, ada)
  await voidTokensOf(app.ctx.db, ada.id, new Date(app.clock.now()))
  assert.deepEqual(await statusOf(app, ada.sessionToken), nothing)
  const again = await startedChange(app, ada, newEmail)
  await confirm(app, again.current)
  assert.equal((await confirm(app, again.fresh)).json.status, 'completed')
})

test('bad input is refused with the field, and leaves nothing behind', async () => {
  const ada = await registered(app)
  await mailWith(app, ada.email, '/auth/token/verify')
  const before = await rowCounts(app)
  const values = ['', 'nobody', ada.email, ada.email.toUpperCase(), 'a@b.test,c@d.test', 'a@b.test\r\nBcc: c@d.test']
  for (const new_email of [...values, ['a@b.test'], {}, 5, true, null, undefined]) {
    const { status, json } = await app.post(requestPath, { new_email }, withSession(ada.sessionToken))
    assert.equal(status, 400, String(new_email))
    assert.equal(json.details[0].field, 'new_email')
  }
  for (const path of [verifyPath, cancelPath]) {
    for (const token of ['', [], {}, true, 0, 'x'.repeat(1000)])
      assert.equal((await app.post(path, { token })).json.code, 'VALIDATION_ERROR')
    for (const token of ['A'.repeat(43), '%', '_'])
      assert.equal((await app.post(path, { token })).json.code, 'INVALID_TOKEN')
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('one inbox gets at most five such mails an hour; then the links it has go on working', async () => {
  const ada = await registered(app)
  const newEmail = person().email
  let last = await startedChange(app, ada, newEmail)
  for (let count = 1; count < 5; count++) last = await startedChange(app, ada, newEmail)
  const { json } = await askFor(app, ada, newEmail)
  assert.equal(json.email_change.new_email, newEmail)
  assert.equal(mailsWith(app, ada.email, cancelPath).length, 5)
  await confirm(app, last.current)
  assert.equal((await confirm(app, last.fresh)).json.status, 'completed')
})

test('a user who was deleted or has lost the address meanwhile changes nothing', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const [gone, moved] = [await startedChange(app, ada), await startedChange(app, grace)]
  await app.database.query('UPDATE users SET deleted_at = now() WHERE id = $1', [ada.id])
  await app.database.query('UPDATE users SET email = $1 WHERE id = $2', [person().email, grace.id])
  for (const token of [gone.current, gone.fresh, moved.current, moved.fresh])
    assert.equal((await confirm(app, token)).json.code, 'INVALID_TOKEN')
  assert.equal((await app.post(cancelPath, { token: gone.cancel })).json.code, 'INVALID_TOKEN')
})
