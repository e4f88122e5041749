import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, hour, iso } from '../../src/lib/time.ts'
import {
  cancelPath,
  confirm,
  emailOf,
  mailsWith,
  mailWith,
  statusOf,
  tokenAfter,
  verifyPath,
} from '../email-addresses/change-support.ts'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const put = ({ sessionToken }: SignedIn, body: unknown, url = '/auth/profile') =>
  app.call('PUT', url, { body, ...withSession(sessionToken) })

test('another address in the profile starts a change; the rest is written at once, and flags and role are not', async () => {
  const ada = await registered(app)
  const email = person().email
  const body = { email, name: 'Ada', is_verified: true, user_type: 'superadmin', metadata: { user_type: 'superadmin' } }
  const { status, json } = await put(ada, body, '/auth/user/me')
  assert.equal(status, 200)
  const expected = { status: 'pending', new_email: email, expires_at: iso(app.clock.now() + day) }
  assert.deepEqual(json.email_change, expected)
  assert.deepEqual(json.data.email_change, expected)
  for (const user of [json.user, json.data, json.data.user]) {
    assert.equal(user.email, ada.email)
    assert.deepEqual([user.name, user.is_verified, user.user_type], ['Ada', false, 'customer'])
  }
  const current = tokenAfter(await mailWith(app, ada.email, cancelPath), verifyPath)
  const fresh = tokenAfter(await mailWith(app, email, verifyPath), verifyPath)
  await confirm(app, fresh)
  assert.equal((await confirm(app, current)).json.status, 'completed')
  assert.equal(await emailOf(app, ada.sessionToken), email)
})

test('the same address again leaves the pending change as it is, and shows it', async () => {
  const ada = await registered(app)
  const email = person().email
  const first = (await put(ada, { email })).json.email_change
  await mailWith(app, email, verifyPath)
  app.clock.advance(hour)
  assert.deepEqual((await put(ada, { email: email.toUpperCase() })).json.email_change, first)
  const started = (await auditOf(app, 'email_change_started')).filter(({ target_id }) => target_id === ada.id)
  assert.equal(started.length, 1)
  assert.equal(mailsWith(app, ada.email, cancelPath).length, 1)
  const other = person().email
  assert.equal((await put(ada, { email: other })).json.email_change.new_email, other)
})

test('the present address, nothing and null are no change; what is no address is refused with its field', async () => {
  const ada = await registered(app)
  for (const email of [ada.email, ada.email.toUpperCase(), '', null, undefined]) {
    const { status, json } = await put(ada, { email, name: 'Ada' })
    assert.equal(status, 200)
    assert.equal(json.email_change, undefined)
  }
  for (const email of ['nobody', ['a@b.test'], 'a@b.test\r\nBcc: c@d.test', 5]) {
    const { status, json } = await put(ada, { email, name: 'Grace' })
    assert.equal(status, 400)
    assert.equal(json.details[0].field, 'email')
  }
  assert.equal((await statusOf(app, ada.sessionToken)).status, 'none')
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.user.name, 'Ada')
})

test('an address of somebody else looks like any other', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const { status, json } = await put(ada, { email: grace.email })
  assert.equal(status, 200)
  assert.equal(json.email_change.new_email, grace.email)
})
