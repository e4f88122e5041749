import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { assertError } from '../../http/support.ts'
import { auditOf } from '../../support/rows.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

let app: TestApp
let writer: Author
let admin: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_ADMIN: '1000/1m' })
  ;[writer, admin] = (await Promise.all(['writer', 'admin'].map((role) => somebody(app, role)))) as [Author, Author]
})
after(() => app.stop())

const nobody = '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'
const get = async (path: string) => app.get(`/api/v1/posts/${path}`)
const create = async (path: string, members: Record<string, unknown>): Promise<string> => {
  const reply = await admin.call('POST', path, members)
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.id
}
const names = async (path: string) => (await get(path)).json.data.map(({ name }: { name: string }) => name)

test('a category is made, listed in its order, found by id and slug, changed and deleted', async () => {
  const made = await admin.call('POST', '/categories', { name: ' Cafe\u0301 & Co ', sortOrder: 2, description: 'x' })
  const { id } = made.json.data
  assert.deepEqual(made.json, {
    data: { id, name: 'Café & Co', slug: 'cafe-and-co' },
    user_context: { authenticated: true, user_type: 'admin' },
    meta: {},
  })
  const child = await create('/categories', { name: 'Aside', sort_order: 2, parent_id: id })
  await create('/categories', { name: 'Zebra', sort_order: 1, lang: 'es' })
  assert.deepEqual(await names('categories'), ['Zebra', 'Aside', 'Café & Co'])
  assert.deepEqual(await names('categories?lang=es'), ['Zebra'])
  assert.deepEqual(await names('categories?q=CAF'), ['Café & Co'])
  assert.deepEqual(await names('categories?q=%25'), [])
  const { meta } = (await get('categories')).json
  assert.deepEqual(meta, { page: 1, limit: 100, total: 3, pages: 1, has_more: false, cached: false })
  const { created_at, updated_at, ...rest } = (await get('categories/cafe-and-co')).json.data
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    ...{ id, name: 'Café & Co', slug: 'cafe-and-co', lang: 'en', post_count: 0 },
    ...{ description: 'x', parent_id: null, sort_order: 2 },
  })
  assert.deepEqual((await admin.call('PUT', `/categories/${id}`, { description: '', slug: 'coffee' })).json.data, {
    id,
    updated: true,
  })
  assert.deepEqual((await get(`categories/${id}`)).json.data.description, '')
  assertError(await get('categories/cafe-and-co'), 404, 'NOT_FOUND')
  assert.deepEqual((await admin.call('DELETE', `/categories/${id}`)).json.data, { id, deleted: true })
  assert.equal((await get(`categories/${child}`)).json.data.parent_id, null)
  for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const)
    for (const path of [id, nobody, 'nothing', '%27'])
      assertError(await admin.call(method, `/categories/${path}`, body), 404, 'NOT_FOUND', `${method} ${path}`)
  assert.ok((await auditOf(app, 'taxonomy_changed')).length >= 5)
})

test('tags have names and slugs of their own in each language, whatever their case', async () => {
  const red = await create('/tags', { name: 'Red' })
  assertError(await admin.call('POST', '/tags', { name: 'rED' }), 409, 'NAME_TAKEN')
  assertError(await admin.call('POST', '/tags', { name: 'Crimson', slug: 'red' }), 409, 'SLUG_TAKEN')
  await create('/tags', { name: 'Red', slug: 'red', lang: 'es' })
  const other = await admin.call('POST', '/tags', { name: 'Red!' })
  assert.equal(other.json.data.slug, 'red-2')
  assertError(await admin.call('PUT', `/tags/${other.json.data.id}`, { name: 'RED' }), 409, 'NAME_TAKEN')
  assertError(await admin.call('PUT', `/tags/${other.json.data.id}`, { slug: 'red' }), 409, 'SLUG_TAKEN')
  assertError(await admin.call('PUT', `/tags/${red}`, { lang: 'es', slug: 'rot' }), 409, 'NAME_TAKEN')
  assert.equal((await get('tags/red')).json.data.id, red, 'the default language first')
  const [tag] = (await get('tags?q=red&lang=en&limit=1')).json.data
  assert.deepEqual(Object.keys(tag).toSorted(), [
    'created_at',
    'id',
    'lang',
    'name',
    'post_count',
    'slug',
    'updated_at',
  ])
  for (const name of ['New', '日本', '!!!', 'feed', 'constructor', '__proto__', '<script>alert(1)</script>', "'; --"]) {
    const { slug } = (await admin.call('POST', '/tags', { name })).json.data
    assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/, name)
    assert.equal((await get(`tags/${slug}`)).json.data.name, name)
  }
})

test('every wrong member is refused by name, and nothing is written', async () => {
  const id = await create('/categories', { name: 'Whole' })
  const before = (await get('categories')).json
  const refused: [members: Record<string, unknown>, fields?: string[]][] = [
    [{ name: '' }],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(121) }],
    [{ name: 'a\u0007' }],
    [{ name: 5 }],
    [{ slug: 'New' }],
    [{ slug: 'categories' }],
    [{ slug: nobody }],
    [{ lang: 'english' }],
    [{ description: 'x'.repeat(501) }],
    [{ parent_id: nobody }],
    [{ parent_id: 'x' }],
    [{ sort_order: 1.5 }],
    [{ sort_order: 3_000_000_000 }],
    [{ sort_order: '1' }],
    [{ name: '', lang: 'x', parent_id: 'x' }, ['name', 'lang', 'parent_id']],
  ]
  for (const [members, fields = Object.keys(members)] of refused) {
    const texts = JSON.stringify(members).slice(0, 80)
    for (const reply of [
      await admin.call('POST', '/categories', { name: 'Fine', ...members }),
      await admin.call('PUT', `/categories/${id}`, members),
    ])
      assert.deepEqual(
        assertError(reply, 400, 'VALIDATION_ERROR', texts).map(({ field }) => field),
        fields,
        texts,
      )
  }
  assert.deepEqual((await get('categories')).json, before)
  for (const query of ['lang=x_y', 'q=', 'page=0', `q=${'x'.repeat(101)}`])
    assertError(await get(`categories?${query}`), 400, 'VALIDATION_ERROR', query)
  assertError(await writer.call('POST', '/categories', { name: 'Mine' }), 403, 'FORBIDDEN')
})

test('the tree has no ring and at most eight categories in a line, also under moves at the same moment', async () => {
  const line: string[] = []
  for (let depth = 1; depth <= 8; depth++)
    line.push(await create('/categories', { name: `Step ${depth}`, ...(depth > 1 && { parent_id: line.at(-1) }) }))
  const move = (id: string | undefined, parent_id: string | undefined) =>
    admin.call('PUT', `/categories/${id}`, { parent_id })
  const parentRefused = async (reply: Awaited<ReturnType<typeof move>>) =>
    assert.equal(assertError(reply, 400, 'VALIDATION_ERROR')[0]?.field, 'parent_id')
  await parentRefused(await admin.call('POST', '/categories', { name: 'Step 9', parent_id: line[7] }))
  for (const below of line) await parentRefused(await move(line[0], below))
  const [top, leaf] = [await create('/categories', { name: 'Top' }), await create('/categories', { name: 'Leaf' })]
  await parentRefused(await move(line[0], top))
  assert.equal((await move(line[4], top)).status, 200)
  assert.equal((await move(leaf, line[7])).status, 200)
  const [one, two] = [await create('/categories', { name: 'One' }), await create('/categories', { name: 'Two' })]
  const moved = await Promise.all([move(one, two), move(two, one)])
  assert.deepEqual(moved.map(({ status }) => status).toSorted(), [200, 400])
  assert.equal((await admin.call('DELETE', `/categories/${line[4]}`)).status, 200)
  assert.equal((await get(`categories/${line[5]}`)).json.data.parent_id, top)
})

test('posts are counted where everyone may read them, also those that are due, and detached from what is deleted', async () => {
  const [category, tag] = [await create('/categories', { name: 'Counted' }), await create('/tags', { name: 'Counted' })]
  const under = { category_ids: [category], tag_ids: [tag] }
  await writer.write(under)
  await writer.write({ ...under, status: 'published', visibility: 'auth' })
  const id = await writer.write({ ...under, status: 'published' })
  const at = new Date(app.clock.now() + minute).toISOString()
  await writer.write({ ...under, status: 'scheduled', scheduled_at: at })
  const counts = async () =>
    Promise.all(
      [`categories/${category}`, 'tags/counted', `authors/${writer.id}`].map(
        async (path) => (await get(path)).json.data.post_count,
      ),
    )
  assert.deepEqual(await counts(), [1, 1, 1])
  app.clock.advance(2 * minute)
  assert.deepEqual(await counts(), [2, 2, 2])
  await admin.call('DELETE', `/tags/${tag}`)
  await admin.call('DELETE', `/categories/${category}`)
  const post = (await get(`id/${id}`)).json.data
  assert.deepEqual([post.categories, post.tags, post.status], [[], [], 'published'])
})

test('authors are those who have published for everyone; nobody else is shown, and nothing that is for signing in', async () => {
  const quiet = await somebody(app, 'writer')
  await quiet.write({ title: 'draft' })
  assertError(await get(`authors/${quiet.id}`), 404, 'NOT_FOUND')
  assertError(await get(`authors/${nobody}`), 404, 'NOT_FOUND')
  assertError(await get('authors/x'), 404, 'NOT_FOUND')
  const busy = await somebody(app, 'writer')
  for (let count = 0; count < 3; count++) await busy.write({ status: 'published' })
  const { data, meta } = (await get('authors')).json
  const [first] = data
  const { picture, ...author } = first
  assert.deepEqual(author, { id: busy.id, name: '', last_name: '', display_name: null, post_count: 3 })
  assert.deepEqual([picture, meta.total], [null, data.length])
  assert.ok(!data.some((one: { id: string }) => one.id === quiet.id))
  assert.deepEqual((await get('authors?page=9')).json.meta.total, meta.total)
})
