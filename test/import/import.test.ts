import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { planImport, runImport } from '../../src/import/import-users.ts'
import { person, registered, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { fromBase32, totpOf } from '../two-factor/support.ts'
import { exported, fileWith, importOf, linesOf, phpHash, phpPassword, recordsOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor', 'privacy'], env: { USER_TYPES: 'editor' } })
})
after(() => app.stop())

const userRow = async (email: string) => {
  const { rows } = await sql<Record<string, unknown>>`SELECT * FROM users WHERE email = ${email}`.execute(app.ctx.db)
  return rows[0]
}

test('a plan counts users, roles, hashes and losses, and changes nothing', async (t) => {
  const path = await fileWith(
    t,
    linesOf([
      { email: 'plan.1@example.com', user_type: 'member', password_hash: phpHash },
      { email: 'plan.2@example.com', password_hash: '$2b$06$.VP/MwJS6BZPCvYIo7Ri/etZwpzfg69bncQJYoJxWhcRA.MH85Hc.' },
      {
        email: 'plan.3@example.com',
        password_hash: 'crypt!',
        shoe_size: 44,
        identities: [{ provider: 'myspace', subject: '1' }],
      },
      { email: 'plan.4@example.com', user_type: 'boss' },
    ]),
  )
  const before = await rowCounts(app)
  const plan = await planImport(app.ctx, importOf(path, { roles: new Map([['member', 'editor']]) }))
  assert.deepEqual([plan.rows, plan.users, plan.problems, plan.weakHashes, plan.withoutPassword], [4, 3, 1, 1, 1])
  assert.deepEqual(Object.fromEntries(plan.roles), { 'member → editor': 1, customer: 2 })
  assert.deepEqual(Object.fromEntries(plan.hashes), { 'bcrypt, cost 10': 1, 'bcrypt, cost 06': 1 })
  assert.deepEqual(Object.fromEntries(plan.lost), {
    'unknown member': 1,
    'identity of an unknown provider': 1,
    'password (UNKNOWN_HASH)': 1,
  })
  assert.deepEqual(
    plan.shown.map(({ line }) => line),
    [4],
  )
  assert.match(plan.shown[0]?.problem ?? '', /^user_type must be one of superadmin, admin/)
  assert.deepEqual(await rowCounts(app), before)
})

test('an imported user keeps id, dates, profile, identities and consent, signs in, and no mail is sent', async (t) => {
  const id = '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'
  const record = {
    id,
    external_id: 'auth0|kept',
    email: ' Kept@Example.COM',
    user_name: 'Kept.One',
    name: 'Ada',
    phone: '+44 7700 900123',
    user_type: 'writer',
    is_verified: true,
    first_time: false,
    metadata: { plan: 'pro' },
    created_at: '2020-02-03T04:05:06.000Z',
    password_hash: phpHash,
    identities: [{ provider: 'google', subject: '4711', email: 'kept@gmail.com' }],
    consent: {
      privacy_region: 'eu',
      gdpr_consent: true,
      gdpr_consent_at: '2021-01-01T00:00:00Z',
      gdpr_consent_version: '3',
    },
  }
  const before = await rowCounts(app)
  const done = await runImport(app.ctx, importOf(await fileWith(t, linesOf([record]))))
  assert.deepEqual([done.users, done.problems, done.lost.size], [1, 0, 0], JSON.stringify(done.shown))
  const row = await userRow('kept@example.com')
  assert.deepEqual(
    [
      row?.id,
      row?.phone,
      row?.phone_trusted,
      row?.user_type,
      row?.gdpr_consent_version,
      row?.metadata,
      row?.first_time,
    ],
    [id, '+447700900123', false, 'writer', '3', { plan: 'pro' }, false],
  )
  assert.equal((row?.created_at as Date | undefined)?.toISOString(), record.created_at)
  const counts = await rowCounts(app)
  assert.deepEqual([counts.outbox, counts.users], [before.outbox, (before.users ?? 0) + 1])
  const [event] = (await auditOf(app, 'users_imported')).slice(-1)
  assert.deepEqual(
    [event?.actor_role, event?.details],
    ['command_line', { source: 'wardenry', users: 1, lines: [1, 1] }],
  )

  assert.equal((await app.post('/auth/login', { email: 'kept@example.com', password: phpPassword })).status, 200)
  const admin = await signedInAs(app, 'admin')
  const found = await app.get('/auth/users?external_id=auth0%7Ckept', withSession(admin.sessionToken))
  assert.deepEqual(
    found.json.data.users.map((user: { id: string }) => user.id),
    [id],
  )
  const none = await app.get('/auth/users?external_id=auth0%7Cke', withSession(admin.sessionToken))
  assert.deepEqual(none.json.data.users, [])
})

test('an imported authenticator is required at sign-in, and its seed is encrypted', async (t) => {
  const seed = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const record = { email: 'factor@example.com', password_hash: phpHash, totp: [{ secret: seed }] }
  await runImport(app.ctx, importOf(await fileWith(t, linesOf([record]))))
  const { rows } = await sql<{ secret: string }>`SELECT secret FROM two_factor`.execute(app.ctx.db)
  assert.ok(rows.length > 0 && rows.every(({ secret }) => !secret.includes(seed)))
  const login = await app.post('/auth/login', { email: record.email, password: phpPassword })
  assert.equal(login.json.requires_2fa, true)
  const session = withSession(login.json.sessionId)
  const method_id = login.json.methods?.[0]?.id ?? login.json.two_factor_methods?.[0]?.id
  const code = totpOf(fromBase32(seed), app.clock.now())
  const verified = await app.post('/auth/two_factor/verify', { method_id, action: 'login', code }, session)
  assert.equal(verified.status, 200, verified.text)
})

test('a repeated import changes nothing, with and without ids', async (t) => {
  const records = [{ email: 'twice.1@example.com' }, { email: 'twice.2@example.com', external_id: 'x-2' }]
  const path = await fileWith(t, linesOf(records))
  assert.equal((await runImport(app.ctx, importOf(path))).users, 2)
  const text = await exported(app.ctx)
  const again = await runImport(app.ctx, importOf(path))
  assert.deepEqual([again.users, again.present, again.problems], [0, 2, 0])
  assert.equal(await exported(app.ctx), text)
})

test('values of other users are conflicts after case folding, in the file and in the database', async (t) => {
  const there = await registered(app)
  const path = await fileWith(
    t,
    linesOf([
      { email: there.email.toUpperCase() },
      { email: 'fold.1@example.com', user_name: there.user_name.toUpperCase() },
      { email: 'fold.2@example.com', user_name: 'Fold' },
      { email: 'FOLD.2@example.com' },
      { email: 'fold.3@example.com', user_name: 'fOLD' },
    ]),
  )
  const done = await runImport(app.ctx, importOf(path))
  assert.deepEqual(done.shown, [
    { line: 1, problem: 'email belongs to another user' },
    { line: 4, problem: 'id, email is also on an earlier line' },
  ])
  assert.deepEqual(
    [done.users, Object.fromEntries(done.lost)],
    [3, { 'user_name (belongs to another user)': 1, 'user_name (is also on an earlier line)': 1 }],
  )
})

test('superadmins need permission, and invitations are sent only if requested', async (t) => {
  const path = await fileWith(t, linesOf([{ email: 'boss@example.com', user_type: 'superadmin' }]))
  const refused = await runImport(app.ctx, importOf(path))
  assert.match(refused.shown[0]?.problem ?? '', /superadmin, which requires --allow-superadmins/)
  const done = await runImport(app.ctx, importOf(path, { allowSuperadmins: true, invite: true }))
  assert.equal(done.users, 1)
  assert.match((await app.mailTo('boss@example.com')).text, /reset-password\S*token=/)
})

test('an export without hashes contains no secrets', async () => {
  const all = recordsOf(await exported(app.ctx, false))
  assert.ok(all.length > 3)
  for (const record of all) assert.deepEqual([record.password_hash, record.totp], [undefined, undefined])
  assert.ok(!JSON.stringify(all).includes('$argon2id$'))
})

test('an export reads back into an equal database', async (t) => {
  const { email, password } = person('alan')
  assert.equal((await app.post('/auth/register/public', { email, password, user_name: 'round.trip' })).status, 200)
  await sql`INSERT INTO user_blocks (user_id, since, reason) SELECT id, now() - interval '1 day', 'Spam' FROM users
    WHERE email = 'twice.1@example.com'`.execute(app.ctx.db)
  await sql`UPDATE users SET deleted_at = created_at, picture = 'https://example.com/a.png', dob = '1990-12-31', tmz = 'Europe/Berlin'
    WHERE email = 'twice.2@example.com'`.execute(app.ctx.db)
  const text = await exported(app.ctx)
  const other = await startTestApp({ modules: ['two-factor', 'privacy'], env: { USER_TYPES: 'editor' } })
  t.after(() => other.stop())
  const done = await runImport(other.ctx, importOf(await fileWith(t, text), { allowSuperadmins: true }))
  assert.deepEqual([done.problems, [...done.lost]], [0, []], JSON.stringify(done.shown))
  assert.equal(await exported(other.ctx), text)
  assert.equal((await other.post('/auth/login', { email, password })).status, 200)
})
