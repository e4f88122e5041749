import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { iso, minute } from '../../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../../support/test-app.ts'

const path = '/auth/user/me/privacy'
const nothingSaid = {
  privacy_region: 'global',
  gdpr_consent: false,
  gdpr_consent_at: null,
  gdpr_consent_version: null,
  ccpa_applies: false,
  ccpa_opt_out: false,
  ccpa_opt_out_at: null,
}

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['privacy'], env: { RATE_LIMIT_ADMIN: '1000/1h' } })
})
after(() => app.stop())

const status = async ({ sessionToken }: SignedIn) => (await app.get(path, withSession(sessionToken))).json.data
const put = ({ sessionToken }: SignedIn, body: unknown) => app.call('PUT', path, { ...withSession(sessionToken), body })
const history = async ({ sessionToken }: SignedIn, query = {}) =>
  (await app.get(`${path}/history`, { ...withSession(sessionToken), query })).json
const events = async (user: SignedIn) => (await history(user)).data.events.map(({ event }: { event: string }) => event)

test('before anything is said nothing applies', async () => {
  const reply = await app.get(path, withSession((await registered(app)).sessionToken))
  assert.deepEqual([reply.status, reply.json], [200, { success: true, data: nothingSaid }])
})

test('every decision is stamped by the service, shown in user objects and kept in the history', async () => {
  const ada = await registered(app)
  const given = iso(app.clock.now())
  const body = { gdprConsent: true, gdpr_consent_version: ' 2026-11 ', gdpr_consent_at: '1999-01-01T00:00:00.000Z' }
  const { json } = await put(ada, { ...body, privacy_region: 'eu_ca', ccpa_applies: true, ccpa_opt_out: true })
  const decided = {
    privacy_region: 'eu_ca',
    gdpr_consent: true,
    gdpr_consent_at: given,
    gdpr_consent_version: '2026-11',
    ccpa_applies: true,
    ccpa_opt_out: true,
    ccpa_opt_out_at: given,
  }
  assert.deepEqual(json, { success: true, data: decided })
  assert.deepEqual(await status(ada), decided)
  const { user } = (await app.get('/auth/me', withSession(ada.sessionToken))).json
  assert.deepEqual({ ...user, ...decided }, user)

  app.clock.advance(minute)
  const later = iso(app.clock.now())
  const withdrawn = (await put(ada, { gdpr_consent: false, ccpa_opt_out: false, privacy_region: 'eu' })).json.data
  assert.deepEqual(withdrawn, {
    ...decided,
    privacy_region: 'eu',
    gdpr_consent: false,
    gdpr_consent_at: later,
    ccpa_applies: false,
    ccpa_opt_out: false,
    ccpa_opt_out_at: null,
  })

  const { events: found, pagination } = (await history(ada)).data
  assert.deepEqual(pagination, { page: 1, limit: 10, total: 6, pages: 1, has_more: false })
  // The order of changes with the same time is undefined.
  const atOnce = (from: number) =>
    found
      .slice(from, from + 3)
      .toSorted((one: { event: string }, other: { event: string }) => (one.event < other.event ? -1 : 1))
  const [optedIn, withdrawal, moved] = atOnce(0)
  assert.deepEqual(optedIn, {
    id: optedIn.id,
    event: 'ccpa_opted_in',
    old_value: 'true',
    new_value: 'false',
    version: null,
    source: 'self',
    created_at: later,
  })
  assert.deepEqual([withdrawal.event, withdrawal.version], ['gdpr_consent_withdrawn', '2026-11'])
  assert.deepEqual([moved.event, moved.old_value, moved.new_value], ['region_changed', 'eu_ca', 'eu'])
  const first = atOnce(3).map(({ event, new_value, version }: Record<string, string>) => [event, new_value, version])
  assert.deepEqual(first, [
    ['ccpa_opted_out', 'true', null],
    ['gdpr_consent_given', 'true', '2026-11'],
    ['region_changed', 'eu_ca', null],
  ])
  const page = await history(ada, { page: '2', limit: '4' })
  assert.deepEqual([page.data.events.length, page.data.pagination.has_more, page.data.pagination.pages], [2, false, 2])
  const audit = (await auditOf(app, 'consent_changed')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual(audit[0]?.details, { changed: ['privacy_region', 'gdpr_consent', 'ccpa_opt_out'] })
})

test('the same again changes nothing; another version is another consent', async () => {
  const ada = await registered(app)
  await put(ada, { gdpr_consent: true, gdpr_consent_version: '1' })
  app.clock.advance(minute)
  const before = await status(ada)
  assert.deepEqual((await put(ada, { ...before, gdpr_consent_at: null })).json.data, before)
  assert.deepEqual(await events(ada), ['gdpr_consent_given'])
  await put(ada, { gdpr_consent: true, gdpr_consent_version: '2' })
  const [again] = (await history(ada)).data.events
  assert.deepEqual([again.old_value, again.new_value, again.version], ['true', 'true', '2'])
  assert.equal((await status(ada)).gdpr_consent_at, iso(app.clock.now()))
})

describe('is refused, with its field, and changes nothing:', () => {
  const wrong: Record<string, { body: unknown; field: string }> = {
    'an empty body': { body: {}, field: 'body' },
    'only what the service decides': { body: { gdpr_consent_at: iso(0), id: 'x' }, field: 'body' },
    'a consent to nothing': { body: { gdpr_consent: true }, field: 'gdpr_consent_version' },
    'a version alone': { body: { gdpr_consent_version: '2' }, field: 'gdpr_consent_version' },
    'a version of a rejection': {
      body: { gdpr_consent: false, gdpr_consent_version: '2' },
      field: 'gdpr_consent_version',
    },
    'an empty version': { body: { gdpr_consent: true, gdpr_consent_version: '  ' }, field: 'gdpr_consent_version' },
    'a long version': {
      body: { gdpr_consent: true, gdpr_consent_version: '2'.repeat(33) },
      field: 'gdpr_consent_version',
    },
    'a version with control characters': {
      body: { gdpr_consent: true, gdpr_consent_version: 'a\u0007b' },
      field: 'gdpr_consent_version',
    },
    'a region of its own': { body: { privacy_region: 'EU' }, field: 'privacy_region' },
    'an act that does not apply there': { body: { ccpa_applies: true }, field: 'ccpa_applies' },
    'an act that applies there': { body: { ccpa_applies: false, privacy_region: 'ca' }, field: 'ccpa_applies' },
    'a word instead of a choice': { body: { ccpa_opt_out: 'true' }, field: 'ccpa_opt_out' },
  }
  let ada: SignedIn
  before(async () => {
    ada = await registered(app)
  })
  for (const [name, { body, field }] of Object.entries(wrong)) {
    test(name, async () => {
      const { status: code, json } = await put(ada, body)
      assert.deepEqual([code, json.code, json.details?.[0]?.field], [400, 'VALIDATION_ERROR', field])
      assert.deepEqual([await status(ada), await events(ada)], [nothingSaid, []])
    })
  }

  test('every wrong member at once, each named', async () => {
    const { json } = await put(ada, { gdpr_consent: true, ccpa_applies: true })
    const fields = json.details.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields, ['gdpr_consent_version', 'ccpa_applies'])
  })
})

test('no header and no address decides the region', async () => {
  const ada = await registered(app)
  const geo = { 'cf-ipcountry': 'DE', 'x-country': 'DE', 'x-region': 'eu', 'accept-language': 'de-DE' }
  const headers = { ...withSession(ada.sessionToken).headers, ...geo }
  await app.call('PUT', path, { headers, body: { ccpa_opt_out: true } })
  assert.equal((await app.get(path, { headers })).json.data.privacy_region, 'global')
})

test('nobody decides for somebody else', async () => {
  const [ada, grace] = [await registered(app), await signedInAs(app, 'admin')]
  const body = { gdpr_consent: true, gdpr_consent_version: '1', user_id: ada.id, id: ada.id }
  assert.equal((await put(grace, body)).status, 200)
  await app.call('PUT', `/auth/admin/users/${ada.id}`, {
    ...withSession(grace.sessionToken),
    body: { title: 'Dr.', gdpr_consent: true, privacy_region: 'eu' },
  })
  assert.deepEqual(await status(ada), nothingSaid)
  assert.deepEqual(await events(ada), [])
})

test('a session that was ended decides nothing any more', async () => {
  const ada = await registered(app)
  await app.post('/auth/logout', {}, withSession(ada.sessionToken))
  assert.equal((await put(ada, { ccpa_opt_out: true })).status, 401)
})

test('a back end sees the new decision at once', async () => {
  const ada = await registered(app)
  const me = async () =>
    (await app.get('/auth/user/me', { headers: { 'x-session-id': ada.sessionToken, 'x-bridge-secret': bridgeSecret } }))
      .json
  assert.equal((await me()).user.ccpa_opt_out, false)
  await put(ada, { ccpa_opt_out: true })
  assert.equal((await me()).user.ccpa_opt_out, true)
})

test('administrators find people by region', async () => {
  const [eu, admin] = [await registered(app), await signedInAs(app, 'admin')]
  await put(eu, { privacy_region: 'eu' })
  const found = async (query: Record<string, string>) => {
    const { json } = await app.get('/auth/users', {
      ...withSession(admin.sessionToken),
      query: { limit: '100', ...query },
    })
    return json.data.users.map(({ email, privacy_region }: Record<string, string>) => `${email} ${privacy_region}`)
  }
  assert.deepEqual(await found({ privacy_region: 'eu', q: eu.email }), [`${eu.email} eu`])
  assert.deepEqual(await found({ privacy_region: 'ca', q: eu.email }), [])
  assert.ok((await found({ privacy_region: 'global' })).includes(`${admin.email} global`))
})

test('the history cannot be rewritten or shortened, only lose its person', async () => {
  const ada = await registered(app)
  await put(ada, { ccpa_opt_out: true })
  const rewritings = [
    sql`UPDATE user_privacy_events SET event = 'ccpa_opted_in'`,
    sql`UPDATE user_privacy_events SET new_value = 'false'`,
    sql`UPDATE user_privacy_events SET created_at = now()`,
    sql`UPDATE user_privacy_events SET subject_hash = 'x'`,
    sql`UPDATE user_privacy_events SET ip_address = '203.0.113.1'`,
    sql`UPDATE user_privacy_events SET user_id = gen_random_uuid()`,
    sql`DELETE FROM user_privacy_events`,
  ]
  for (const rewriting of rewritings)
    await assert.rejects(rewriting.execute(app.ctx.db), /append-only|foreign key|violates/)
  assert.deepEqual(await events(ada), ['ccpa_opted_out'])
})

test('a version in the settings stands for the present terms', async () => {
  const other = await startTestApp({ modules: ['privacy'], env: { GDPR_CONSENT_VERSION: '2026-11' } })
  try {
    const { sessionToken } = await registered(other)
    const consent = (body: unknown) => other.call('PUT', path, { ...withSession(sessionToken), body })
    assert.equal((await consent({ gdpr_consent: true })).json.data.gdpr_consent_version, '2026-11')
    assert.equal((await consent({ gdpr_consent: true, gdpr_consent_version: '1' })).json.data.gdpr_consent_version, '1')
  } finally {
    await other.stop()
  }
})
