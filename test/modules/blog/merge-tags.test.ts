import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../http/support.ts'
import { auditOf } from '../../support/rows.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, everybody, startBlog } from './support.ts'

let app: TestApp
let writer: Author
let admin: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_ADMIN: '1000/1m' })
  ;[writer, admin] = await everybody(app, 'writer', 'admin')
})
after(() => app?.stop())

const tag = async (name: string, members: Record<string, unknown> = {}): Promise<string> => {
  const reply = await admin.call('POST', '/tags', { name, ...members })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.id
}
const merge = (id: string, body: Record<string, unknown>, who = admin) => who.call('POST', `/tags/${id}/merge`, body)
const tagsOf = async (id: string): Promise<string[]> =>
  (await admin.read(id)).json.data.tags.map((one: { id: string }) => one.id)
const get = (path: string) => app.get(`/api/v1/posts/${path}`)
const counts = async () => {
  const { rows } = await app.ctx.db.executeQuery<{ key: string; posts: number }>({
    ...app.ctx.db
      .selectFrom('post_counts')
      .select(['key', (build) => build.fn.sum<number>('posts').as('posts')])
      .where('facet', '=', 'tag')
      .groupBy('key')
      .orderBy('key')
      .compile(),
  })
  return rows.map(({ key, posts }) => [key, Number(posts)]).filter(([, posts]) => posts !== 0)
}

test('all posts with the merged tag get the other tag once, and the merged tag and its slug are gone', async () => {
  const [steam, vapour] = [await tag('Steam'), await tag('Vapour')]
  const shown = await writer.write({ status: 'published', tag_ids: [vapour] })
  const both = await writer.write({ status: 'published', tag_ids: [steam, vapour] })
  const draft = await writer.write({ tag_ids: [vapour] })
  const trashed = await writer.write({ tag_ids: [vapour] })
  await writer.call('DELETE', `/id/${trashed}`)
  const before = (await admin.read(shown)).json.data
  app.clock.advance(1000)
  const plan = await merge(vapour, { into: steam, dry_run: true })
  assert.deepEqual(plan.json.data, { id: vapour, into: steam, merged: false, posts: 4, already: 1 })
  assert.equal((await get('tags/vapour')).status, 200)
  const merged = await merge(vapour, { into: steam })
  assert.deepEqual(merged.json.data, { id: vapour, into: steam, merged: true, posts: 4, already: 1 })
  await admin.call('POST', `/id/${trashed}/restore`, {})
  for (const id of [shown, both, draft, trashed]) assert.deepEqual(await tagsOf(id), [steam])
  assertError(await get('tags/vapour'), 404, 'NOT_FOUND')
  assertError(await get('?tag=vapour'), 400, 'VALIDATION_ERROR')
  assert.deepEqual((await get('?tag=steam')).json.meta.total, 2)
  assert.equal((await get('tags/steam')).json.data.post_count, 2)
  assert.equal((await admin.read(shown)).json.data.updated_at, before.updated_at)
  assert.equal(await tag('Vapour').then(async (id) => (await get(`tags/${id}`)).json.data.slug), 'vapour')
  const [event] = (await auditOf(app, 'taxonomy_changed')).filter(({ details }) => details.did === 'merged')
  assert.deepEqual(event?.details, { kind: 'tag', id: vapour, did: 'merged', into: steam })
})

test('the counts and links after a merge are those of a recount', async () => {
  const [one, two] = [await tag('One'), await tag('Two')]
  await writer.write({ status: 'published', tag_ids: [one] })
  await writer.write({ status: 'published', visibility: 'auth', tag_ids: [one, two] })
  await writer.write({ status: 'scheduled', scheduled_at: '2099-01-31T09:00:00Z', tag_ids: [one] })
  await merge(one, { into: two })
  const links = () => app.ctx.db.selectFrom('post_tag_links').selectAll().orderBy('post_id').orderBy('tag_id').execute()
  const kept = [await counts(), await links()]
  const { sql } = await import('kysely')
  await sql`SELECT recount_posts()`.execute(app.ctx.db)
  assert.deepEqual([await counts(), await links()], kept)
})

test('a tag is merged only into another tag of the same language', async () => {
  const [here, there] = [await tag('Here'), await tag('Aquí', { lang: 'es' })]
  const nobody = '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'
  for (const into of [here, there, nobody, 'here', '']) {
    const [problem] = assertError(await merge(here, { into }), 400, 'VALIDATION_ERROR', into)
    assert.equal(problem?.field, 'into', into)
  }
  assertError(await merge(here, {}), 400, 'VALIDATION_ERROR')
  assertError(await merge(nobody, { into: here }), 404, 'NOT_FOUND')
  assert.equal((await get('tags/here')).status, 200)
})

test('writers cannot merge tags, not even to count the posts', async () => {
  const [from, into] = [await tag('From'), await tag('Into')]
  const denied = (await auditOf(app, 'authz_denied')).length
  for (const dry_run of [true, false]) assertError(await merge(from, { into, dry_run }, writer), 403, 'FORBIDDEN')
  assert.equal((await auditOf(app, 'authz_denied')).length, denied + 2)
  assert.equal((await get('tags/from')).status, 200)
})
