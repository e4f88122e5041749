import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { day, hour, iso, minute } from '../../../src/lib/time.ts'
import { mailsWith, mailWith, tokenAfter } from '../../email-addresses/change-support.ts'
import { registered, type SignedIn, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { cleanUpAll, downloadPath, historyOf, path } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['privacy', 'onboarding', 'two-factor'],
    env: { RATE_LIMIT_EXPORT: '1000/1h', RATE_LIMIT_TOKEN_VALIDATE: '1000/1h', MAIL_CAP: '1000/1h' },
  })
})
after(() => app.stop())

const ask = ({ sessionToken }: SignedIn, body = {}) => app.post(`${path}/exports`, body, withSession(sessionToken))

/** Requests an export and returns the secret from its link. */
async function exportedBy(user: SignedIn): Promise<string> {
  const earlier = mailsWith(app, user.email, downloadPath).length
  assert.equal((await ask(user)).status, 200)
  return tokenAfter(await mailWith(app, user.email, downloadPath, earlier), downloadPath)
}

const stored = async ({ id }: SignedIn) => {
  const { rows } = await sql<{ status: string; archive: string | null }>`
    SELECT status, archive FROM user_privacy_exports WHERE user_id = ${id}`.execute(app.ctx.db)
  return rows
}

const asPerson = { headers: { accept: 'text/html' } }
const asProgram = { headers: { accept: 'application/json' } }

test('a user reads everything at once, decisions included, as a file if they like', async () => {
  const ada = await registered(app)
  await app.call('PUT', path, { ...withSession(ada.sessionToken), body: { privacy_region: 'ca' } })
  const read = (query = {}) => app.get(`${path}/export`, { ...withSession(ada.sessionToken), query })
  const { status, json, headers } = await read()
  assert.deepEqual([status, headers['content-disposition']], [200, undefined])
  const parts = ['generated_at', 'user', 'sessions', 'privacy', 'audit', 'privacy_history']
  for (const part of parts) assert.ok(part in json.data, part)
  assert.deepEqual([json.data.privacy.privacy_region, json.data.user.privacy_region], ['ca', 'ca'])
  assert.deepEqual(
    [json.data.privacy_history[0].event, json.data.privacy_history[0].new_value],
    ['region_changed', 'ca'],
  )
  assert.ok(!('posts' in json.data), 'parts of modules that are not installed are absent')
  assert.match(String((await read({ download: 'true' })).headers['content-disposition']), /^attachment; filename=/)
  const history = (await historyOf(app, ada.id)).toSorted()
  assert.deepEqual(history, ['export_made self', 'export_made self', 'region_changed self'])
  const core = (await app.get('/auth/user/me/export', withSession(ada.sessionToken))).json.data
  assert.deepEqual([core.privacy, 'privacy_history' in core], [json.data.privacy, false])
})

test('the file comes by mail, and its link works once', async () => {
  const ada = await registered(app)
  const now = iso(app.clock.now())
  const token = await exportedBy(ada)
  assert.equal((await auditOf(app, 'export_requested')).at(-1)?.target_id, ada.id)
  const link = await app.get(`${downloadPath}?token=${token}`, asProgram)
  assert.deepEqual([link.status, link.headers['content-type']], [200, 'application/json; charset=utf-8'])
  assert.match(String(link.headers['content-disposition']), /^attachment; filename="personal-data\.json"$/)
  assert.deepEqual(
    [link.headers['cache-control'], link.json.user.email, link.json.generated_at],
    ['no-store', ada.email, now],
  )
  assert.deepEqual(await stored(ada), [])
  for (const again of [app.get(`${downloadPath}?token=${token}`, asProgram), app.post(downloadPath, { token })])
    assert.deepEqual((await again).json.code, 'INVALID_TOKEN')
  assert.deepEqual((await auditOf(app, 'token_rejected')).at(-1)?.details, { reason: 'personal_data' })
  assert.deepEqual(await historyOf(app, ada.id), ['export_made self'])
})

test('opening the link, looking at it ahead or asking for its head spends nothing; the button gives the file', async () => {
  const ada = await registered(app)
  const token = await exportedBy(ada)
  const url = `${downloadPath}?token=${token}`
  const page = await app.get(url, asPerson)
  assert.match(page.text, /<form [^>]*action="\/auth\/privacy\/exports\/download"/)
  await app.call('HEAD', url, asProgram)
  await app.get(url, { headers: { ...asProgram.headers, 'sec-purpose': 'prefetch' } })
  const press = (signature: string) =>
    app.post(downloadPath, `token=${token}&form_token=${encodeURIComponent(signature)}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    })
  assert.equal((await press('not-ours')).status, 400)
  const signature = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const file = await press(signature)
  assert.deepEqual([file.status, file.json.user.email], [200, ada.email])
  const again = await press(signature)
  assert.deepEqual([again.status, /isn’t valid/.test(again.text)], [400, true])
})

test('the archive is sealed at rest, and gone with its link after a day', async () => {
  const ada = await registered(app)
  const token = await exportedBy(ada)
  const [row] = await stored(ada)
  assert.equal(row?.status, 'ready')
  for (const clear of [ada.email, ada.id, 'generated_at', token]) assert.ok(!row?.archive?.includes(clear), clear)
  const base64 = Buffer.from(ada.email).toString('base64url').slice(2, -4)
  assert.ok(!row?.archive?.includes(base64))
  app.clock.advance(day)
  assert.equal((await app.post(downloadPath, { token })).json.code, 'INVALID_TOKEN')
  assert.equal((await stored(ada)).length, 1)
  await cleanUpAll(app)
  assert.deepEqual(await stored(ada), [])
})

test('whoever drops the secret from the row of an archive cannot read another one by it', async () => {
  const [ada, grace] = [await registered(app), await registered(app)]
  const token = await exportedBy(ada)
  await exportedBy(grace)
  await sql`DELETE FROM user_privacy_exports WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  assert.equal((await app.post(downloadPath, { token })).json.code, 'INVALID_TOKEN')
  assert.equal((await stored(grace)).length, 1)
})

test('a newer export ends the link of the older one', async () => {
  const ada = await registered(app)
  const older = await exportedBy(ada)
  const newer = await exportedBy(ada)
  assert.equal((await app.post(downloadPath, { token: older })).status, 400)
  assert.equal((await app.post(downloadPath, { token: newer })).status, 200)
})

describe('the link is dead after', () => {
  const endings: Record<string, (user: SignedIn) => Promise<unknown>> = {
    'a new password': ({ sessionToken, password }) =>
      app.post(
        '/auth/password-change/self',
        { current_password: password, new_password: 'a tape without an end' },
        withSession(sessionToken),
      ),
    'the deletion of the user': ({ sessionToken }) => app.call('DELETE', '/auth/user/me', withSession(sessionToken)),
  }
  for (const [name, end] of Object.entries(endings)) {
    test(name, async () => {
      const ada = await registered(app)
      const token = await exportedBy(ada)
      await end(ada)
      assert.equal((await app.post(downloadPath, { token })).json.code, 'INVALID_TOKEN')
    })
  }
})

test('while one is being made, asking again starts no other; one that never was made is forgotten', async () => {
  const ada = await registered(app)
  const unmade = {
    id: '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf',
    user_id: ada.id,
    status: 'pending' as const,
    requested_at: new Date(app.clock.now()),
    expires_at: new Date(app.clock.now() + day),
  }
  await app.ctx.db.insertInto('user_privacy_exports').values(unmade).execute()
  app.clock.advance(minute)
  const { json } = await ask(ada)
  assert.deepEqual(json.data, { status: 'pending', requested_at: iso(unmade.requested_at) })
  app.clock.advance(hour)
  const fresh = await registered(app)
  await app.ctx.db
    .updateTable('user_privacy_exports')
    .set({ user_id: fresh.id })
    .where('user_id', '=', ada.id)
    .execute()
  assert.equal((await app.post(downloadPath, { token: await exportedBy(fresh) })).json.user.email, fresh.email)
})

test('an old sign-in starts no export, unless the password comes along', async () => {
  const ada = await registered(app)
  app.clock.advance(11 * minute)
  assert.equal((await ask(ada)).json.code, 'REAUTH_REQUIRED')
  assert.equal((await app.get(`${path}/export`, withSession(ada.sessionToken))).json.code, 'REAUTH_REQUIRED')
  assert.deepEqual([await stored(ada), await historyOf(app, ada.id)], [[], []])
  assert.equal((await ask(ada, { current_password: ada.password })).status, 200)
})

test('neither export holds a secret, a hash, or what onboarding keeps to itself', async () => {
  const canary = 'canary-of-marketing'
  const ada = await registered(app)
  await sql`INSERT INTO user_acquisition (user_id, team_size_range, acquisition_source, acquired_at)
    VALUES (${ada.id}, ${`${canary}-1`}, ${`${canary}-2`}, now())`.execute(app.ctx.db)
  await app.call('PUT', path, { ...withSession(ada.sessionToken), body: { ccpa_opt_out: true } })
  const file = await app.post(downloadPath, { token: await exportedBy(ada) })
  const now = await app.get(`${path}/export`, withSession(ada.sessionToken))
  const { rows } = await sql<{ value: string }>`SELECT password_hash AS value FROM users WHERE id = ${ada.id}
    UNION ALL SELECT encode(token_hash, 'hex') FROM sessions WHERE user_id = ${ada.id}
    UNION ALL SELECT left(encode(token_hash, 'hex'), 8) FROM sessions WHERE user_id = ${ada.id}
    UNION ALL SELECT encode(secret_hash, 'hex') FROM one_time_secrets WHERE user_id = ${ada.id}
    UNION ALL SELECT encode(subject_hash, 'hex') FROM user_privacy_events WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  for (const { text, status } of [file, now]) {
    assert.equal(status, 200)
    for (const value of [...rows.map((row) => row.value), ada.sessionToken, canary, 'acquisition_', 'team_size_range'])
      assert.ok(!text.includes(value), value)
  }
})
