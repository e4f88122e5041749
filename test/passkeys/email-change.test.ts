// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { day, hour, minute } from '../../src/lib/time.ts'
import {
  askFor,
  cancelPath,
  confirm,
  emailOf,
  mailWith,
  statusOf,
  tokenAfter,
  verifyPath,
} from '../email-addresses/change-support.ts'
import { type Authenticator, createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf, passkeyLogin } from '../support/passkeys.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_REGISTRATION: '1000/1h', RATE_LIMIT_TOKEN_LOGIN: '1000/1h', MAIL_CAP: '3/1h' },
  })
})
after(() => app?.stop())

interface Owner extends SignedIn {
  authenticator: Authenticator
}

/** A user without a password, whose session began with a link sent by email. */
async function owner(): Promise<Owner> {
  const user = await registered(app)
  const authenticator = createAuthenticator(homeOf(app))
  assert.equal((await addOwnPasskey(app, user.sessionToken, authenticator)).status, 200)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${user.id}`.execute(app.ctx.db)
  await aged(user)
  return { ...user, authenticator }
}

/** The user has had the passkeys for a while. */
const aged = ({ id }: SignedIn) =>
  sql`UPDATE passkeys SET created_at = created_at - interval '4 days' WHERE user_id = ${id}`.execute(app.ctx.db)

/** The same user in a session that began with the passkey. */
async function byPasskey(user: Owner): Promise<SignedIn> {
  const login = await passkeyLogin(app, user.authenticator)
  assert.equal(login.status, 200, login.text)
  return { ...user, sessionToken: login.json.sessionId }
}

async function started(user: SignedIn) {
  const newEmail = person().email
  const reply = await askFor(app, user, newEmail)
  assert.equal(reply.status, 200, reply.text)
  const present = await mailWith(app, user.email, cancelPath)
  const fresh = await mailWith(app, newEmail, verifyPath)
  return {
    newEmail,
    present,
    current: tokenAfter(present, verifyPath),
    cancel: tokenAfter(present, cancelPath),
    fresh: tokenAfter(fresh, verifyPath),
  }
}

async function afterThreeDays(sessionToken?: string) {
  app.clock.advance(3 * day - hour)
  if (sessionToken) await app.get('/auth/me', withSession(sessionToken))
  await cleanUp(app.ctx)
  app.clock.advance(hour)
  await cleanUp(app.ctx)
}

const addressOf = async ({ id }: SignedIn) =>
  (await app.ctx.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst())?.email

for (const [name, ask] of Object.entries({
  'POST /auth/email-change/request': askFor,
  'PUT /auth/profile': (_app: TestApp, user: SignedIn, email: string) =>
    app.call('PUT', '/auth/profile', { body: { email, name: 'Ada' }, ...withSession(user.sessionToken) }),
}))
  test(`${name}: without a password, a change of address needs a recent proof by passkey`, async () => {
    const user = await owner()
    const rejected = await ask(app, user, person().email)
    assert.deepEqual([rejected.status, rejected.json.code], [403, 'REAUTH_REQUIRED'])
    assert.match(rejected.json.error, /passkey/)
    assert.equal((await statusOf(app, user.sessionToken)).status, 'none')
    assert.equal((await ask(app, await byPasskey(user), person().email)).status, 200)

    const old = await byPasskey(await owner())
    app.clock.advance(11 * minute)
    assert.equal((await ask(app, old, person().email)).status, 403)
  })

test('a reauthentication with the passkey is such a proof', async () => {
  const user = await owner()
  const session = withSession(user.sessionToken)
  const start = await app.post('/auth/passkeys/options', { action: 'reauth' }, session)
  const response = user.authenticator.get(start.json.options)
  assert.equal((await app.post('/auth/reauthenticate', { response }, session)).status, 200)
  assert.equal((await askFor(app, user, person().email)).status, 200)
  app.clock.advance(11 * minute)
  assert.equal((await askFor(app, user, person().email)).status, 403)
})

test('a user with a password needs no passkey, and the change ends after a day', async () => {
  const user = await registered(app)
  const authenticator = createAuthenticator(homeOf(app))
  await addOwnPasskey(app, user.sessionToken, authenticator)
  const { fresh, newEmail } = await started(user)
  assert.equal((await confirm(app, fresh)).status, 200)
  assert.equal((await statusOf(app, user.sessionToken)).takes_effect_at, null)
  await afterThreeDays(user.sessionToken)
  assert.notEqual(await addressOf(user), newEmail)
})

test('both addresses confirm the change at once', async () => {
  const user = await byPasskey(await owner())
  const { current, fresh, newEmail } = await started(user)
  assert.equal((await confirm(app, fresh)).json.status, 'pending')
  assert.equal((await confirm(app, current)).json.status, 'completed')
  assert.equal(await emailOf(app, user.sessionToken), newEmail)
})

test('after 72 hours, the change takes effect without the current address, which has been told so', async () => {
  const user = await byPasskey(await owner())
  const { fresh, present, newEmail } = await started(user)
  assert.match(present, /takes effect in 3 days/)
  assert.equal((await confirm(app, fresh)).json.status, 'pending')
  const { status, takes_effect_at } = await statusOf(app, user.sessionToken)
  assert.deepEqual([status, Date.parse(takes_effect_at) - app.clock.now()], ['pending', 3 * day])
  app.clock.advance(3 * day - minute)
  await cleanUp(app.ctx)
  assert.equal(await addressOf(user), user.email)
  app.clock.advance(minute)
  await cleanUp(app.ctx)
  assert.equal(await addressOf(user), newEmail)
  const events = await auditOf(app, 'email_change_completed')
  assert.equal(events.filter(({ target_id }) => target_id === user.id).length, 1)
  for (const address of [user.email, newEmail]) await mailWith(app, address, 'was changed on')
})

test('a passkey that was added and removed again proves no change', async () => {
  const user = await owner()
  const stolen = createAuthenticator(homeOf(app))
  const added = await addOwnPasskey(app, user.sessionToken, stolen)
  const thief = await byPasskey({ ...user, authenticator: stolen })
  const session = withSession(thief.sessionToken)
  assert.equal((await app.call('DELETE', `/auth/passkeys/${added.json.id}`, { body: {}, ...session })).status, 200)
  const rejected = await askFor(app, thief, person().email)
  assert.deepEqual([rejected.status, rejected.json.code], [403, 'REAUTH_REQUIRED'])

  const start = await app.post('/auth/passkeys/options', { action: 'reauth' }, session)
  const response = user.authenticator.get(start.json.options)
  assert.equal((await app.post('/auth/reauthenticate', { response }, session)).status, 200)
  assert.equal((await askFor(app, thief, person().email)).status, 200, 'another passkey proves the change')
})

test('the current address can stop the change until it has taken effect', async () => {
  const user = await byPasskey(await owner())
  const { fresh, cancel, newEmail } = await started(user)
  await confirm(app, fresh)
  app.clock.advance(3 * day + minute)
  assert.equal((await app.post(cancelPath, { token: cancel })).status, 200)
  await cleanUp(app.ctx)
  assert.notEqual(await addressOf(user), newEmail)
  await mailWith(app, user.email, 'cancelled')
})

test('without the confirmation of the new address, nothing changes', async () => {
  const user = await byPasskey(await owner())
  const { current, newEmail } = await started(user)
  assert.equal((await confirm(app, current)).json.status, 'pending')
  await afterThreeDays()
  assert.notEqual(await addressOf(user), newEmail)
  assert.ok((await auditOf(app, 'email_change_expired')).some(({ target_id }) => target_id === user.id))
})

test('the change of a blocked user does not take effect', async () => {
  const user = await byPasskey(await owner())
  const { fresh, newEmail } = await started(user)
  await confirm(app, fresh)
  await sql`INSERT INTO user_blocks (user_id, since, reason) VALUES (${user.id}, ${new Date(app.clock.now())}, 'spam')`.execute(
    app.ctx.db,
  )
  await afterThreeDays()
  assert.notEqual(await addressOf(user), newEmail)
})

const reactions: Record<string, (user: Owner, thief: SignedIn) => Promise<unknown>> = {
  'removes a passkey': async (user) => {
    const session = withSession((await byPasskey(user)).sessionToken)
    await addOwnPasskey(app, (await byPasskey(user)).sessionToken, createAuthenticator(homeOf(app)))
    const { json } = await app.get('/auth/passkeys', session)
    return app.call('DELETE', `/auth/passkeys/${json.passkeys.at(-1).id}`, { body: {}, ...session })
  },
  'ends all other sessions': async (user) =>
    app.call('DELETE', '/auth/sessions', withSession((await byPasskey(user)).sessionToken)),
  'ends the session of the change': async (user) => {
    const session = withSession((await byPasskey(user)).sessionToken)
    const { json } = await app.get('/auth/sessions', session)
    const others = json.data.sessions.filter(({ current }: { current: boolean }) => !current)
    for (const { id } of others) await app.call('DELETE', `/auth/sessions/${id}`, session)
  },
  'ends all sessions after the thief has signed out': async (user, thief) => {
    await app.post('/auth/logout', {}, withSession(thief.sessionToken))
    return app.call('DELETE', '/auth/sessions', withSession((await byPasskey(user)).sessionToken))
  },
  'asks an administrator to end the sessions': async (user) => {
    const admin = await signedInAs(app, 'superadmin')
    return app.call('DELETE', `/auth/admin/users/${user.id}/sessions`, withSession(admin.sessionToken))
  },
}
for (const [what, react] of Object.entries(reactions))
  test(`the change does not take effect if the owner ${what}`, async () => {
    const user = await owner()
    const thief = await byPasskey(user)
    const { fresh, newEmail } = await started(thief)
    await confirm(app, fresh)
    await react(user, thief)
    await afterThreeDays()
    assert.notEqual(await addressOf(user), newEmail)
  })

test('a normal sign-out, or the end of other sessions in the same one, does not stop the change', async () => {
  const user = await byPasskey(await owner())
  const { fresh, newEmail } = await started(user)
  await confirm(app, fresh)
  assert.equal((await app.call('DELETE', '/auth/sessions', withSession(user.sessionToken))).status, 200)
  assert.equal((await app.post('/auth/logout', {}, withSession(user.sessionToken))).status, 200)
  await afterThreeDays()
  assert.equal(await addressOf(user), newEmail)
})

test('with a passkey that was added recently, both addresses must confirm', async () => {
  const user = await owner()
  const added = createAuthenticator(homeOf(app))
  await addOwnPasskey(app, (await byPasskey(user)).sessionToken, added)
  const { fresh, newEmail } = await started(await byPasskey({ ...user, authenticator: added }))
  await confirm(app, fresh)
  await afterThreeDays()
  assert.notEqual(await addressOf(user), newEmail)
})

test('if the email to the current address is not delivered, the change does not take effect', async () => {
  const user = await byPasskey(await owner())
  const { fresh, newEmail } = await started(user)
  await confirm(app, fresh)
  await sql`UPDATE outbox SET status = 'failed' WHERE message = 'email_change_by_passkey'`.execute(app.ctx.db)
  await afterThreeDays()
  assert.notEqual(await addressOf(user), newEmail)
})

test('a change of which the current address was told too late does not take effect', async () => {
  const user = await byPasskey(await owner())
  const { fresh } = await started(user)
  await confirm(app, fresh)
  await sql`UPDATE outbox SET done_at = done_at + interval '25 hours' WHERE id = (
    SELECT notice_id FROM email_changes WHERE user_id = ${user.id})`.execute(app.ctx.db)
  await afterThreeDays(user.sessionToken)
  assert.equal(await addressOf(user), user.email)
})

test('an address that another user has taken meanwhile stays theirs', async () => {
  const user = await byPasskey(await owner())
  const { fresh, newEmail } = await started(user)
  await confirm(app, fresh)
  const other = await registered(app, 'grace')
  await sql`UPDATE users SET email = ${newEmail} WHERE id = ${other.id}`.execute(app.ctx.db)
  await afterThreeDays()
  assert.equal(await addressOf(user), user.email)
  const cancelled = await auditOf(app, 'email_change_cancelled')
  assert.ok(cancelled.some(({ target_id, details }) => target_id === user.id && details.reason === 'taken'))
})

test('a change that the current address could not be told of does not take effect without it', async () => {
  const user = await byPasskey(await owner())
  const { attempts } = app.ctx.config.MAIL_CAP
  const ask = async () => assert.equal((await askFor(app, user, person().email)).status, 200)
  for (let count = 0; count < attempts; count++) {
    await ask()
    assert.notEqual((await statusOf(app, user.sessionToken)).takes_effect_at, null)
  }
  await ask()
  const { status, takes_effect_at } = await statusOf(app, user.sessionToken)
  assert.deepEqual([status, takes_effect_at], ['pending', null])
  await mailWith(app, user.email, cancelPath, attempts - 1)
})
