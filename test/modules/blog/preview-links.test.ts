import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { cleanUp } from '../../../src/jobs/clean-up.ts'
import { day, minute } from '../../../src/lib/time.ts'
import { blog } from '../../../src/modules/blog/manifest.ts'
import { endAllSessions } from '../../../src/sessions/end-all-sessions.ts'
import { assertError } from '../../http/support.ts'
import { type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, everybody, readAsStranger, startBlog } from './support.ts'

let app: TestApp
let owner: Author
let other: Author
let admin: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_PREVIEW_LINK: '1000/1m' })
  await signInAgain()
})
after(() => app?.stop())

/** Sessions end while a test advances the clock. */
async function signInAgain(): Promise<void> {
  ;[owner, other, admin] = await everybody(app, 'writer', 'writer', 'admin')
}
const links = (id: string) => `/id/${id}/preview-links`
const create = async (id: string, who = owner) => {
  const reply = await who.call('POST', links(id), {})
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data as { id: string; token: string; url: string; created_at: string; expires_at: string }
}
const preview = (token: string, query = '') => readAsStranger(app, `preview/${token}${query}`)
const rejections = async () =>
  (await auditOf(app, 'token_rejected')).filter(({ details }) => details.reason === 'post_preview')

test('a preview link shows an unpublished post to a person without a session for seven days', async () => {
  const id = await owner.write({ title: 'Not yet', body: 'Water, *heated*.' })
  const link = await create(id)
  assert.equal(Date.parse(link.expires_at) - Date.parse(link.created_at), 7 * day)
  assert.equal(link.url, `${app.ctx.config.PUBLIC_URL}/blog/preview/${link.token}`)
  for (let times = 0; times < 2; times++) {
    const { status, json, headers } = await preview(link.token)
    assert.deepEqual([status, json.data.title, json.data.status], [200, 'Not yet', 'draft'])
    assert.equal(json.meta.expires_at, link.expires_at)
    assert.equal(headers['cache-control'], 'no-store')
  }
  await owner.call('PUT', `/id/${id}`, { body: 'Steam.' })
  assert.match((await preview(link.token)).json.data.body_html, /Steam/)
  assert.equal((await readAsStranger(app, `id/${id}`)).status, 404)
})

test('a post that is withdrawn after its publication is not readable through an old link', async () => {
  const id = await owner.write({ title: 'Withdrawn' })
  const { token } = await create(id)
  await owner.call('POST', `/id/${id}/publish`, {})
  assert.equal((await preview(token)).status, 200)
  await owner.call('POST', `/id/${id}/unpublish`, {})
  assert.equal((await preview(token)).status, 404)
  for (const members of [
    { status: 'draft' },
    { status: 'pending' },
    { status: 'scheduled', scheduled_at: new Date(app.clock.now() + day).toISOString() },
  ]) {
    const other = await owner.write({ title: 'Withdrawn by a change' })
    const link = await create(other)
    await owner.call('POST', `/id/${other}/publish`, {})
    assert.equal((await owner.call('PUT', `/id/${other}`, { title: 'Still public' })).status, 200)
    assert.equal((await preview(link.token)).status, 200)
    assert.equal((await owner.call('PUT', `/id/${other}`, members)).status, 200)
    assert.equal((await preview(link.token)).status, 404, members.status)
  }
  const { token: newer } = await create(id)
  assert.equal((await preview(newer)).json.data?.title, 'Withdrawn')
})

test('visibility and password do not apply to the holder of a preview link', async () => {
  for (const members of [
    { visibility: 'private' },
    { visibility: 'auth' },
    { visibility: 'password', password: 'open sesame' },
  ]) {
    const { token } = await create(await owner.write({ title: 'Restricted', ...members }))
    assert.equal((await preview(token)).json.data?.body, 'Some words.', members.visibility)
  }
})

test('a preview is available in the languages of the post', async () => {
  const id = await owner.write({ title: 'On engines' })
  await owner.call('POST', `/id/${id}/translations`, { lang: 'es', title: 'Sobre máquinas', body: 'Vapor.' })
  const { token } = await create(id)
  assert.equal((await preview(token, '?lang=es')).json.data.title, 'Sobre máquinas')
  const french = (await preview(token, '?lang=fr')).json
  assert.deepEqual([french.data.title, french.meta.fallback_lang], ['On engines', 'en'])
  assert.equal((await preview(token, '?lang=not_a_language')).json.details[0].field, 'lang')
})

test('an expired preview link returns 410 without the post', async () => {
  const { token } = await create(await owner.write())
  const before = (await rejections()).length
  app.clock.advance(7 * day - minute)
  assert.equal((await preview(token)).status, 200)
  app.clock.advance(minute)
  const expired = await preview(token)
  assert.deepEqual([expired.status, expired.json.code, expired.json.data], [410, 'PREVIEW_LINK_EXPIRED', undefined])
  assert.equal((await rejections()).length, before + 1)
  await signInAgain()
})

test('the trash and a permanent deletion end preview links, and a restoration does not renew them', async () => {
  const [trashed, deleted] = [await owner.write(), await owner.write()]
  const [one, two] = [await create(trashed), await create(deleted)]
  await owner.call('DELETE', `/id/${trashed}`)
  assert.equal((await preview(one.token)).status, 404)
  await admin.call('POST', `/id/${trashed}/restore`, {})
  assert.equal((await preview(one.token)).status, 404)
  await admin.call('DELETE', `/id/${deleted}?force=true`)
  assert.equal((await preview(two.token)).status, 404)
})

test('the end of all sessions, as after a restore, ends preview links', async () => {
  const link = await create(await owner.write())
  const { secrets } = await endAllSessions(app.ctx, () => {})
  assert.ok(secrets >= 1)
  assert.equal((await preview(link.token)).status, 404)
  await signInAgain()
})

test('the links of a post are listed without their tokens and revoked together', async () => {
  const [id, kept] = [await owner.write(), await owner.write()]
  const [first, second, elsewhere] = [await create(id), await create(id, admin), await create(kept)]
  const listed = await owner.call('GET', links(id))
  assert.deepEqual(new Set(listed.json.data.map((link: { id: string }) => link.id)), new Set([first.id, second.id]))
  for (const { token } of [first, second]) assert.ok(!listed.text.includes(token))
  const revoked = await owner.call('DELETE', links(id))
  assert.deepEqual(revoked.json.data, { id, revoked: 2 })
  for (const { token } of [first, second]) assert.equal((await preview(token)).status, 404)
  assert.deepEqual((await owner.call('GET', links(id))).json.data, [])
  assert.equal((await preview(elsewhere.token)).status, 200)
  const created = await auditOf(app, 'preview_link_created')
  assert.ok(created.some(({ details }) => details.post_id === id && details.link_id === first.id))
  const [event] = (await auditOf(app, 'preview_links_revoked')).slice(-1)
  assert.deepEqual(event?.details, { post_id: id, revoked: 2 })
})

test('only the owner and administrators create, list and revoke preview links, and rejections are audited', async () => {
  const draft = await owner.write()
  const published = await owner.write({ status: 'published' })
  const { token } = await create(draft)
  for (const method of ['POST', 'GET', 'DELETE']) {
    const body = method === 'POST' ? {} : undefined
    assert.equal((await other.call(method, links(draft), body)).status, 404, method)
    const denied = (await auditOf(app, 'authz_denied')).length
    assert.equal((await other.call(method, links(published), body)).status, 403, method)
    assert.equal((await auditOf(app, 'authz_denied')).length, denied + 1, method)
  }
  assert.equal((await preview(token)).status, 200)
})

test('published posts get no preview links, and a post has at most twenty', async () => {
  const published = await owner.write({ status: 'published' })
  const refused = await owner.call('POST', links(published), {})
  assert.deepEqual([refused.status, refused.json.code], [409, 'POST_ALREADY_PUBLISHED'])
  const id = await owner.write()
  for (let number = 0; number < 20; number++) await create(id)
  const last = await owner.call('POST', links(id), {})
  assert.deepEqual([last.status, last.json.code], [409, 'TOO_MANY_PREVIEW_LINKS'])
})

test('the token is stored as a hash, is never logged, and other values are refused and audited', async () => {
  const { token } = await create(await owner.write())
  const rows = await app.ctx.db.selectFrom('post_preview_links').selectAll().execute()
  const hash = createHash('sha256').update(token).digest()
  assert.ok(rows.some((row) => hash.equals(row.token_hash)))
  for (const row of rows) assert.ok(!Object.values(row).map(String).join().includes(token))
  await preview(token)
  const before = (await rejections()).length
  const hashes = (['hex', 'base64url'] as const).map((form) => hash.toString(form))
  for (const wrong of [...hashes, `pvw_${hashes[1]}`, token.slice(0, -1), `${token}x`, `pvw_${'A'.repeat(43)}`, 'x']) {
    const reply = await preview(wrong)
    assert.deepEqual([reply.status, reply.json.code], [404, 'NOT_FOUND'], wrong)
  }
  const events = await rejections()
  assert.equal(events.length, before + 7)
  assert.ok(!JSON.stringify(events).includes(token))
  assert.ok(!app.logged().includes(token))
  assert.ok(!app.logged().includes(token.slice(4)))
})

test('expired links are deleted after thirty days', async () => {
  const { id, token } = await create(await owner.write())
  const stored = async () =>
    (await app.ctx.db.selectFrom('post_preview_links').select('id').execute()).some((row) => row.id === id)
  app.clock.advance(36 * day)
  await cleanUp(app.ctx, blog.cleanupJobs)
  assert.equal(await stored(), true)
  assert.equal((await preview(token)).status, 410)
  app.clock.advance(2 * day)
  await cleanUp(app.ctx, blog.cleanupJobs)
  assert.equal(await stored(), false)
})

test('a preview link ends while the author is blocked or may not write', async () => {
  const author = await signedInAs(app, 'writer')
  const boss = await signedInAs(app, 'superadmin')
  const call = (method: string, path: string, who: SignedIn, body?: unknown) =>
    app.call(method, path, { ...withSession(who.sessionToken), body })
  const { json } = await call('POST', '/api/v1/posts', author, { title: 'Not yet', body: 'Words.' })
  const made = await call('POST', `/api/v1/posts/id/${json.data.id}/preview-links`, author, {})
  const { token } = made.json.data
  const about = `/auth/admin/users/${author.id}`
  assert.equal((await preview(token)).status, 200)
  await call('POST', `${about}/block`, boss, { reason: 'left' })
  assertError(await preview(token), 404, 'NOT_FOUND')
  await call('POST', `${about}/unblock`, boss)
  assert.equal((await preview(token)).status, 200)
  await call('PUT', about, boss, { user_type: 'customer' })
  assertError(await preview(token), 404, 'NOT_FOUND')
  await call('PUT', about, boss, { user_type: 'writer' })
  assert.equal((await preview(token)).status, 200)
  await call('DELETE', about, boss)
  assertError(await preview(token), 404, 'NOT_FOUND')
})
