import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, minute } from '../../../src/lib/time.ts'
import { publishDue } from '../../../src/modules/blog/scheduling/publish-due.ts'
import { assertError } from '../../http/support.ts'
import { auditOf } from '../../support/rows.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, readAsStranger, somebody, startBlog } from './support.ts'

let app: TestApp
let writer: Author
before(async () => {
  app = await startBlog()
  writer = await somebody(app)
})
after(() => app.stop())

const later = (ms: number) => new Date(app.clock.now() + ms).toISOString()
const rowOf = (id: string) => app.ctx.db.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const publications = async (id: string) =>
  (await auditOf(app, 'post_published')).filter(({ details }) => details.post_id === id)

async function scheduled(at: string): Promise<string> {
  const id = await writer.write()
  assert.equal((await writer.call('POST', `/${id}/schedule`, { scheduled_at: at })).status, 200)
  return id
}

test('a due post is published at its time, with one trace, and reads as it did before the job came to it', async () => {
  const at = later(hour)
  const [id, never] = await Promise.all([scheduled(at), scheduled(later(48 * hour))])
  assert.equal(await publishDue(app.ctx), 0)
  assertError(await readAsStranger(app, id), 404, 'NOT_FOUND')
  app.clock.advance(hour + minute)
  const before = await readAsStranger(app, id)
  assert.deepEqual([before.json.data.status, before.json.data.published_at], ['published', at])
  assert.equal((await rowOf(id)).status, 'scheduled')

  assert.equal(await publishDue(app.ctx), 1)
  assert.equal(await publishDue(app.ctx), 0)
  const { status, published_at, scheduled_at } = await rowOf(id)
  assert.deepEqual([status, published_at?.toISOString(), scheduled_at], ['published', at, null])
  assert.deepEqual((await readAsStranger(app, id)).json.data, before.json.data)
  const [trace, ...more] = await publications(id)
  assert.deepEqual([trace?.target_id, trace?.details.slug, more], [null, before.json.data.slug, []])
  assert.equal((await rowOf(never)).status, 'scheduled')
})

test('what waits for approval, or lies in the trash, is not published by its time', async () => {
  const [pending, trashed] = await Promise.all([scheduled(later(hour)), scheduled(later(hour))])
  await app.ctx.db.updateTable('posts').set({ status: 'pending' }).where('id', '=', pending).execute()
  await writer.call('DELETE', `/${trashed}`)
  app.clock.advance(2 * hour)
  assert.equal(await publishDue(app.ctx), 0)
  assertError(await readAsStranger(app, pending), 404, 'NOT_FOUND')
  assert.equal((await rowOf(trashed)).status, 'scheduled')
})

test('whoever changes a due post before the job comes finds it published, once and with its trace', async () => {
  const at = later(hour)
  const [edited, withdrawn, foreign] = await Promise.all([scheduled(at), scheduled(at), scheduled(at)])
  app.clock.advance(2 * hour)
  await writer.call('PUT', `/${edited}`, { title: 'Changed' })
  assert.equal((await writer.call('POST', `/${withdrawn}/unpublish`)).json.data.status, 'draft')
  // A rejected change does not publish the post. The scheduled job does.
  assertError(await (await somebody(app)).call('PUT', `/${foreign}`, { title: 'Mine' }), 403, 'FORBIDDEN')
  assert.deepEqual([(await rowOf(edited)).published_at?.toISOString(), (await publications(edited)).length], [at, 1])
  assert.deepEqual([(await rowOf(withdrawn)).status, (await publications(withdrawn)).length], ['draft', 1])
  assert.equal((await publications(foreign)).length, 0)
  assert.equal(await publishDue(app.ctx), 1)
  assert.equal((await publications(foreign)).length, 1)
  assert.equal((await publications(edited)).length, 1)
})
