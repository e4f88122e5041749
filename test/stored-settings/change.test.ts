import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { hour } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let superadmin: SignedIn
before(async () => {
  app = await startTestApp({
    env: {
      RATE_LIMIT_ADMIN: '100000/1h',
      APP_TERMS_URL: 'https://example.com/terms',
      SMS_WEBHOOK_URL: 'https://u:pw@example.com/sms',
      SMS_WEBHOOK_SECRET: 'a'.repeat(32),
      USER_TYPES: 'editor',
    },
  })
  superadmin = await signedInAs(app, 'superadmin')
})
after(() => app.stop())
beforeEach(async () => {
  await sql`UPDATE stored_settings SET value = NULL, version = version + 1000`.execute(app.ctx.db)
  await app.ctx.settings.refreshAll()
})

const path = '/auth/admin/settings'
const list = async (who = superadmin) => (await app.get(path, withSession(who.sessionToken))).json.data
const shown = async (name: string) => (await list()).settings.find((one: { name: string }) => one.name === name)
const change = (changes: object[], more: object = {}, who = superadmin) =>
  app.call('PUT', path, { body: { changes, ...more }, ...withSession(who.sessionToken) })
const set = (name: string, value: string | null, more = {}) => change([{ name, value }], more)
async function rejection(changes: object[]) {
  const before = await list()
  const { status, json } = await change(changes)
  assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'])
  assert.deepEqual(await list(), before, 'nothing was changed')
  return json.details
}
const lastEvent = async (event = 'settings_changed') => {
  const { rows } = await sql<{ actor_id: string; outcome: string; details: object }>`
    SELECT actor_id, outcome, details FROM audit_events WHERE event = ${event} ORDER BY id DESC LIMIT 1`.execute(
    app.ctx.db,
  )
  return rows[0]
}

test('a changed name is used at once, without a restart, and a reset restores the default', async () => {
  const changed = await set('APP_NAME', 'Harbour')
  assert.deepEqual([changed.status, changed.json.data.changed], [200, ['APP_NAME']])
  assert.match((await app.get('/login')).text, /Harbour/)
  const { value, source, changed_by } = await shown('APP_NAME')
  assert.deepEqual([value, source, changed_by], ['Harbour', 'database', superadmin.id])
  assert.deepEqual((await set('APP_NAME', 'Harbour')).json.data.changed, [], 'the same value is no change')

  assert.deepEqual((await set('APP_NAME', null)).json.data.changed, ['APP_NAME'])
  assert.doesNotMatch((await app.get('/login')).text, /Harbour/)
  const reset = await shown('APP_NAME')
  assert.deepEqual([reset.value, reset.source], ['Wardenry', 'default'])
})

test('a change is audited with the old and the new value', async () => {
  await set('APP_NAME', 'Harbour')
  await change([
    { name: 'APP_NAME', value: 'Lighthouse' },
    { name: 'REGISTRATION_ENABLED', value: 'false' },
  ])
  const event = await lastEvent()
  assert.equal(event?.actor_id, superadmin.id)
  assert.deepEqual(event?.details, {
    changes: { APP_NAME: { from: 'Harbour', to: 'Lighthouse' }, REGISTRATION_ENABLED: { from: null, to: 'false' } },
  })
  assert.equal((await app.post('/auth/register/public', {})).json.code, 'VALIDATION_ERROR')
  await assert.rejects(registered(app), /REGISTRATION_DISABLED/)
})

test('every problem is named with its setting, and nothing is changed', async () => {
  const details = await rejection([
    { name: 'APP_NAME', value: 'x'.repeat(61) },
    { name: 'APP_ACCENT', value: 'green' },
    { name: 'DATABASE_URL', value: 'postgres://localhost/other' },
    { name: 'PORT', value: '80' },
    { name: 'NO_SUCH_SETTING', value: '1' },
    { name: 'constructor', value: '1' },
    { name: 'APP_TERMS_URL', value: 'https://example.com/' },
    { name: 'BLOG_TITLE', value: 'two\nlines' },
    { name: 'DEFAULT_LANG', value: '' },
    { name: 'MAIL_FROM', value: 'nobody' },
    { name: 'APP_LOGO', value: '/etc/passwd' },
    { name: 'APP_PRIVACY_URL', value: 'javascript:alert(1)' },
    { name: 'LOCKOUT_DURATION', value: '1s' },
    { name: 'RESET_AUTO_LOGIN', value: 'yes' },
  ])
  const problems = Object.fromEntries(details.map(({ field, message }: Record<string, string>) => [field, message]))
  assert.equal(details.length, 14)
  assert.equal(problems.DATABASE_URL, 'is a secret: set it in the environment and restart the service')
  assert.equal(problems.PORT, 'is read only at startup: set it in the environment and restart the service')
  assert.equal(problems.NO_SUCH_SETTING, 'is not a setting')
  assert.equal(problems.constructor, 'is not a setting')
  assert.equal(problems.APP_TERMS_URL, 'is set in the environment: remove it there first')
  assert.equal(problems.BLOG_TITLE, 'must be one line without control characters')
})

test('settings that are invalid only together are refused, and a reset that would make another invalid', async () => {
  const [problem] = await rejection([{ name: 'DEFAULT_LANG', value: 'not a language' }])
  assert.deepEqual(problem, { field: 'DEFAULT_LANG', message: 'DEFAULT_LANG must be a language tag such as en' })
  const [unknown] = await rejection([{ name: 'TWO_FACTOR_REQUIRED_FOR', value: 'admin,captain' }])
  assert.match(unknown.message, /captain/)
  assert.equal((await set('TWO_FACTOR_REQUIRED_FOR', 'editor')).status, 200)
})

test('the environment wins and says so, and a hidden stored value can be reset', async () => {
  await sql`INSERT INTO stored_settings (name, value, version, changed_at)
    VALUES ('APP_TERMS_URL', 'https://example.com/stored', 1, now())
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(app.ctx.db)
  const terms = await shown('APP_TERMS_URL')
  assert.deepEqual(
    [terms.value, terms.source, terms.changeable, terms.reason],
    ['https://example.com/terms', 'environment', false, 'environment'],
  )
  assert.deepEqual(terms.unused, { value: 'https://example.com/stored', problem: 'the environment sets another value' })
  assert.equal((await set('APP_TERMS_URL', null)).status, 200)
  assert.equal((await shown('APP_TERMS_URL')).unused, null)
})

test('no secret is shown, only whether it is set', async () => {
  const { text } = await app.get(path, withSession(superadmin.sessionToken))
  const { AUTH_SECRET, BRIDGE_SECRET = '', DATA_KEYS } = app.ctx.config
  for (const secret of [AUTH_SECRET, BRIDGE_SECRET, DATA_KEYS[0]?.value ?? '']) {
    assert.ok(secret.length > 10)
    assert.ok(!text.includes(secret))
  }
  assert.equal((await shown('SMS_WEBHOOK_URL')).value, 'https://…@example.com/sms')
  const secret = await shown('AUTH_SECRET')
  assert.deepEqual([secret.value, secret.set, secret.reason], [null, true, 'secret'])
  assert.equal((await shown('SMTP_URL')).set, false)
})

test('two administrators who change settings at the same time do not overwrite each other', async () => {
  const { version } = await list()
  assert.equal((await set('APP_NAME', 'First', { version })).status, 200)
  const late = await set('APP_NAME', 'Second', { version })
  assert.deepEqual([late.status, late.json.code], [409, 'EDIT_CONFLICT'])
  assert.equal((await shown('APP_NAME')).value, 'First')
  const { version: now } = await list()
  const both = await Promise.all([set('BLOG_TITLE', 'A', { version: now }), set('BLOG_TITLE', 'B', { version: now })])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
})

test('only superadmins change settings, and only with recent authentication', async () => {
  const admin = await signedInAs(app, 'admin')
  assert.equal((await list(admin)).settings.length > 100, true)
  const refused = await change([{ name: 'APP_NAME', value: 'Mine' }], {}, admin)
  assert.deepEqual([refused.status, refused.json.code], [403, 'FORBIDDEN'])
  const support = await signedInAs(app, 'support')
  assert.equal((await app.get(path, withSession(support.sessionToken))).status, 403)

  const other = await signedInAs(app, 'superadmin')
  app.clock.advance(hour)
  const stale = await change([{ name: 'APP_NAME', value: 'Mine' }], {}, other)
  assert.deepEqual([stale.status, stale.json.code], [403, 'REAUTH_REQUIRED'])
  superadmin = await signedInAs(app, 'superadmin')
  assert.equal((await shown('APP_NAME')).value, 'Wardenry')
})

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('an uploaded logo is served, described and audited without its bytes', async () => {
  const before = await app.get('/logo')
  assert.equal(before.status, 404)
  assert.equal((await set('APP_LOGO', `data:image/png;base64,${pixel}`)).status, 200)
  const logo = await app.get('/logo')
  assert.deepEqual([logo.status, logo.headers['content-type']], [200, 'image/png'])
  assert.match((await app.get('/login')).text, /src="\/logo\?v=/)
  assert.equal((await shown('APP_LOGO')).value, 'image/png, 1 × 1')
  assert.deepEqual((await lastEvent())?.details, { changes: { APP_LOGO: { from: null, to: 'image/png, 1 × 1' } } })

  const svg = (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`
  const active = await rejection([
    { name: 'APP_LOGO', value: svg('<svg viewBox="0 0 9 9"><script>alert(1)</script></svg>') },
  ])
  assert.match(active[0].message, /the element script/)
})
