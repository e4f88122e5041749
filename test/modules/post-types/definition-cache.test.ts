import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Context } from '../../../src/context.ts'
import { minute } from '../../../src/lib/time.ts'
import { createDefinitionCache } from '../../../src/modules/post-types/definition-cache.ts'
import { assertError } from '../../http/support.ts'
import { eventually } from '../../support/eventually.ts'
import { install } from '../../support/modules.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { readAsStranger, somebody } from '../blog/support.ts'
import { administrator, base, type Editor, startTypes } from './support.ts'

const cachedIn = async (app: TestApp, path = '') => (await app.get(base + path)).json.meta.cached

describe('the cache of definitions', () => {
  let app: TestApp
  let admin: Editor
  before(async () => {
    app = await startTypes({ POST_TYPES_CACHE_TTL: '2m' })
    admin = await administrator(app)
  })
  after(() => app.stop())

  /** Changes the row with SQL so that the cache is not invalidated. */
  const rename = (name: string) =>
    sql`UPDATE post_types SET type_name = ${name} WHERE type_key = 'post'`.execute(app.ctx.db)
  const nameOf = async () => (await app.get(`${base}/post`)).json.data.type_name

  test('are served until their time is over, and said to be copies', async () => {
    await admin.define('one')
    assert.deepEqual(
      [await cachedIn(app), await cachedIn(app), await cachedIn(app, '/post/schema')],
      [false, true, true],
    )
    await rename('Behind')
    assert.equal(await nameOf(), 'Post')
    app.clock.advance(2 * minute)
    assert.equal(await nameOf(), 'Behind')
    assert.equal(await cachedIn(app), true)
  })

  test('are gone with every change, before it is answered', async () => {
    for (const [method, path, body] of [
      ['PUT', '/one', { icon: 'x' }],
      ['POST', '/one/deactivate', {}],
      ['POST', '/one/activate', {}],
      ['POST', '/reorder', { order: ['post', 'one', 'page'] }],
      ['DELETE', '/one', undefined],
      ['POST', '', { type_key: 'one', type_name: 'One' }],
    ] as const) {
      assert.equal(await cachedIn(app), true, method + path)
      assert.equal((await admin.call(method, path, body)).status, 200)
      assert.equal(await cachedIn(app), false, method + path)
    }
    assert.equal((await admin.call('PUT', '/one', { icon: '!' })).status, 400)
    assert.equal((await admin.call('DELETE', '/post')).status, 409)
    assert.equal(await cachedIn(app), true, 'a refused change outdates nothing')
  })

  test('are found out when a message was lost', async () => {
    await cachedIn(app)
    await sql`UPDATE post_types SET type_name = 'Elsewhere', version = version + 1 WHERE type_key = 'post'`.execute(
      app.ctx.db,
    )
    assert.notEqual(await nameOf(), 'Elsewhere')
    app.clock.advance(minute / 2)
    await eventually(async () => (await nameOf()) === 'Elsewhere')
  })

  test('are not asked by writers', async () => {
    const writer = await somebody(app)
    await cachedIn(app)
    assert.equal(await cachedIn(app), true)
    await sql`UPDATE post_types SET behaviors = '{"requires_approval": true}', version = version + 1
      WHERE type_key = 'post'`.execute(app.ctx.db)
    const id = await writer.write({ status: 'published' })
    assert.equal((await writer.read(id)).json.data.status, 'pending')
  })

  test('never take in what was read before a change that is known', async () => {
    let readDone = () => {}
    const waiting = new Promise<void>((resolve) => {
      readDone = resolve
    })
    const slow = app.ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await waiting
        return result
      },
    })
    const cache = createDefinitionCache({ ...app.ctx, db: slow } as Context)
    const before = cache.load()
    const { version } = await cache.loadFresh(app.ctx.db)
    await cache.invalidate(version + 1)
    readDone()
    assert.equal((await before).definitions.version, version)
    assert.equal(cache.recall(), undefined)
  })

  test('are none without a time to live, or where everything is to be read fresh', async () => {
    for (const setting of [{ POST_TYPES_FRESH_CACHE_MODE: true }, { POST_TYPES_CACHE_TTL: 0 }]) {
      const cache = createDefinitionCache({ ...app.ctx, config: { ...app.ctx.config, ...setting } })
      for (const _ of [1, 2]) assert.equal((await cache.load()).cached, false)
      assert.equal(cache.recall(), undefined)
    }
  })
})

test('the module is there once it is installed, and on once both switches are', async () => {
  const offs: Record<string, string>[] = [{ POST_TYPES_ENABLED: 'true' }, { BLOG_ENABLED: 'true' }]
  for (const env of offs) {
    const app = await startTestApp({ env })
    try {
      assertError(await app.get(base), 503, 'MODULE_DISABLED')
      if (env.BLOG_ENABLED) await hidesOthersWhileOff(app)
    } finally {
      await app.stop()
    }
  }
  const app = await startTestApp({ modules: ['blog'], env: { BLOG_ENABLED: 'true', POST_TYPES_ENABLED: 'true' } })
  try {
    assertError(await app.get(base), 404, 'module_not_installed')
    const writer = await somebody(app)
    const write = (members: object) => writer.call('POST', '', { title: 'x', ...members })
    for (const [members, field] of [
      [{ post_type: 'page' }, 'post_type'],
      [{ fields: { a: 1 } }, 'fields'],
      [{ seo: { seo_title: 'x' } }, 'seo'],
    ] as const)
      assert.deepEqual(
        assertError(await write(members), 400, 'VALIDATION_ERROR').map((problem) => problem.field),
        [field],
      )
    const id = await writer.write({ post_type: 'post' })
    const shown = (await writer.read(id)).json.data
    for (const member of ['post_type', 'fields', 'seo']) assert.equal(member in shown, false, member)
    await install(app, 'post-types')
    assert.equal((await app.get(base)).status, 200)
    const typed = (await writer.read(id)).json.data
    assert.deepEqual([typed.post_type, typed.fields, 'seo' in typed], ['post', {}, false])
    assertError(await write({ seo: { seo_title: 'x' } }), 400, 'VALIDATION_ERROR')
  } finally {
    await app.stop()
  }
})

/**
 * Checks that while the module is disabled, posts of other types are visible only to their owners and administrators.
 */
async function hidesOthersWhileOff(app: TestApp): Promise<void> {
  await install(app, 'blog')
  await install(app, 'post-types', { target: 'all' })
  assertError(await app.get(base), 503, 'MODULE_DISABLED')
  await sql`UPDATE post_types SET is_active = true`.execute(app.ctx.db)
  const [writer, other, admin] = [await somebody(app), await somebody(app), await somebody(app, 'admin')]
  const [plain, page] = [await writer.write({ status: 'published' }), await writer.write({ status: 'published' })]
  await sql`UPDATE posts SET post_type = 'page' WHERE id = ${page}`.execute(app.ctx.db)
  assert.equal((await readAsStranger(app, plain)).status, 200)
  assertError(await readAsStranger(app, page), 404, 'NOT_FOUND')
  assertError(await other.read(page), 404, 'NOT_FOUND')
  for (const who of [writer, admin]) assert.equal((await who.read(page)).json.data.post_type, 'page')
  assert.equal((await app.get('/api/v1/posts')).json.meta.total, 1)
  assert.equal((await app.get(`/api/v1/posts/authors/${writer.id}`)).json.data.post_count, 1)
  const named = await writer.call('POST', '', { title: 'x', post_type: 'page' })
  assert.equal(assertError(named, 400, 'VALIDATION_ERROR')[0]?.field, 'post_type')
  assert.equal((await writer.call('POST', `/${page}/unpublish`)).status, 200)
  assertError(await writer.call('POST', `/${page}/publish`), 409, 'POST_TYPE_INACTIVE')
}
