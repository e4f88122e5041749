import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { askFor, mailsWith, mailWith, statusOf, verifyPath } from './change-support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const put = ({ sessionToken }: SignedIn, body: unknown) =>
  app.call('PUT', '/auth/profile', { body, ...withSession(sessionToken) })

const startsOf = async ({ id }: SignedIn) =>
  (await auditOf(app, 'email_change_started')).filter(({ target_id }) => target_id === id).length

function assertRefused({ status, json, headers }: Reply): void {
  assert.deepEqual([status, json.code], [429, 'RATE_LIMITED'])
  const seconds = Number(headers['retry-after'])
  assert.ok(seconds > 3500 && seconds <= 3600, `${seconds}`)
  assert.equal(headers['x-ratelimit-remaining'], '0')
}

test('a user starts five changes an hour, by both ways together, and what is beyond leaves no trace', async () => {
  const ada = await registered(app)
  const addresses = Array.from({ length: 5 }, () => person().email)
  for (const [index, email] of addresses.entries()) {
    const reply = index % 2 === 0 ? await put(ada, { email }) : await askFor(app, ada, email)
    assert.equal(reply.status, 200, reply.text)
  }
  const before = await statusOf(app, ada.sessionToken)
  const beyond = person().email
  for (let count = 0; count < 3; count++) assertRefused(await put(ada, { email: beyond, name: 'Mallory' }))
  assertRefused(await askFor(app, ada, beyond))
  assert.deepEqual(await statusOf(app, ada.sessionToken), before)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.user.name, '')
  assert.equal(await startsOf(ada), 5)
  assert.equal(mailsWith(app, beyond, verifyPath).length, 0)
  // Repeating the request for the pending address does not start a new change. The limit does not apply to other users.
  assert.equal((await put(ada, { email: addresses[4] })).status, 200)
  assert.equal((await put(await registered(app), { email: beyond })).status, 200)
})

test('parallel requests share the cap', async () => {
  const ada = await registered(app)
  const replies = await Promise.all(Array.from({ length: 12 }, () => put(ada, { email: person().email })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(5).fill(200), ...Array(7).fill(429)])
  assert.equal(await startsOf(ada), 5)
})

test('an address that is not proven reads nothing that the user wrote', async () => {
  const ada = await registered(app)
  const name = 'You have won at evil dot test'
  const email = person().email
  assert.equal((await put(ada, { name, email })).status, 200)
  assert.doesNotMatch(await mailWith(app, email, verifyPath), /won/)
  // The current address was never verified.
  await app.post('/auth/password-reset/request', { email: ada.email })
  for (const words of ['/auth/email-change/cancel', '/reset-password'])
    assert.doesNotMatch(await mailWith(app, ada.email, words), /won/)
})
