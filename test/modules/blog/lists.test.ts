import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, hour, minute } from '../../../src/lib/time.ts'
import { sumUpCounts } from '../../../src/modules/blog/lists/stored-count-queries.ts'
import { assertError } from '../../http/support.ts'
import { withSession } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, everybody, somebody, startBlog } from './support.ts'

let app: TestApp
let writer: Author
let other: Author
let reader: Author
let admin: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_ADMIN: '1000/1m' })
  ;[writer, other, reader, admin] = await everybody(app, 'writer', 'writer', 'customer', 'admin')
})
after(() => app.stop())

const base = '/api/v1/posts'
const later = (ms: number) => new Date(app.clock.now() + ms).toISOString()
const listFor = (caller: Author | undefined, query = '') =>
  caller ? caller.call('GET', query && `?${query}`) : app.get(`${base}${query && `?${query}`}`)
/** The titles of the posts in the list as the caller sees it. Checks that `total` is correct. */
async function titles(caller: Author | undefined, query = ''): Promise<string[]> {
  const { status, json, text } = await listFor(caller, `limit=100&${query}`)
  assert.equal(status, 200, text)
  assert.equal(json.meta.total, json.data.length, `total of ${query}`)
  return json.data.map(({ title }: { title: string }) => title)
}
const term = async (kind: 'categories' | 'tags', name: string): Promise<string> =>
  (await admin.call('POST', `/${kind}`, { name })).json.data.id

test('a list shows each reader what they may read, in every status and visibility, with as many in total', async () => {
  const states = [
    { status: 'draft' },
    { status: 'pending' },
    { status: 'published' },
    { status: 'scheduled', scheduled_at: later(hour) },
    { status: 'scheduled', scheduled_at: later(minute) },
  ]
  const visibilities = ['public', 'auth', 'private', 'password']
  const ids: string[] = []
  for (const owner of [writer, other])
    for (const state of states)
      for (const visibility of visibilities) {
        const title = `s1 ${ids.length}`
        const password = visibility === 'password' ? 'open sesame' : undefined
        ids.push(await owner.write({ title, visibility, password, ...state }))
      }
  const deleted = await writer.write({ status: 'published', title: 's1 deleted' })
  await writer.call('DELETE', `/${deleted}`)
  app.clock.advance(2 * minute)
  // A post is readable if it can be requested by id. Status 403 means that the post exists but requires its password.
  const readable = async (caller: Author | undefined) => {
    const replies = await Promise.all(
      ids.map(async (id) => {
        const reply = caller ? await caller.read(id) : await app.get(`${base}/id/${id}`)
        return { id, isThere: reply.status !== 404, post: reply.json.data }
      }),
    )
    return replies.filter(({ isThere, post }) => isThere && (!post || post.status === 'published')).map(({ id }) => id)
  }
  for (const caller of [undefined, reader, writer, other, admin]) {
    const { json } = await listFor(caller, 'limit=100')
    const found = json.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(found.toSorted(), (await readable(caller)).toSorted())
    assert.equal(json.meta.total, found.length)
    for (const post of json.data)
      assert.deepEqual([post.status, post.body, post.deleted_at], ['published', undefined, undefined])
  }
  assert.deepEqual((await titles(undefined, 'visibility=auth')).length, 0)
  assert.deepEqual((await titles(reader, 'visibility=auth')).length, 4)
  assert.deepEqual((await titles(writer, 'visibility=private')).length, 2)
  assert.deepEqual((await titles(admin, 'visibility=private')).length, 4)
  for (const [status, count] of [
    ['draft', 4],
    ['pending', 4],
    ['scheduled', 4],
    ['published', 8],
  ] as const) {
    assert.equal((await titles(writer, `mine=true&status=${status}`)).length, count)
    assert.equal((await titles(admin, `status=${status}`)).length, 2 * count)
  }
  for (const status of ['draft', 'pending', 'scheduled']) {
    assert.equal((await titles(writer, `status=${status}`)).length, 4, 'own ones alone')
    assert.equal((await titles(reader, `status=${status}`)).length, 0)
    assertError(await listFor(undefined, `status=${status}`), 401, 'INVALID_SESSION')
  }
  assertError(await listFor(undefined, 'mine=true'), 401, 'INVALID_SESSION')
  assert.equal((await titles(writer, 'mine=true')).length, 20)
  assert.equal((await titles(admin, 'mine=true')).length, 0)
  for (const caller of [undefined, reader, writer])
    assertError(await listFor(caller, 'include_deleted=true'), 403, 'FORBIDDEN')
  for (const caller of [reader, writer]) assertError(await listFor(caller, 'status=deleted'), 403, 'FORBIDDEN')
  assertError(await listFor(undefined, 'status=deleted'), 401, 'INVALID_SESSION')
  const withDeleted = (await listFor(admin, 'include_deleted=true&limit=100')).json
  const trash = withDeleted.data.filter(({ status }: { status: string }) => status === 'deleted')
  assert.deepEqual(
    trash.map(({ id }: { id: string }) => id),
    [deleted],
  )
  assert.ok(trash[0].deleted_at)
  assert.equal(withDeleted.meta.total, 17)
})

test('what a password protects is in no list and found by none of its words but those of its title', async () => {
  const members = { visibility: 'password', password: 'open sesame', status: 'published' }
  const secret = { body: 'quicksilver', excerpt: 'mercurial', metadata: { note: 'hydrargyrum' } }
  await writer.write({ title: 's2 locked', ...secret, ...members })
  const about = async (caller: Author | undefined) =>
    (await listFor(caller, 'include=body&limit=100')).json.data.find(
      ({ title }: { title: string }) => title === 's2 locked',
    )
  for (const caller of [undefined, reader, other]) {
    const post = await about(caller)
    assert.deepEqual([post.excerpt, post.body, post.metadata, post.password_protected], ['', null, {}, true])
    assert.doesNotMatch(
      (await listFor(caller, 'include=body&limit=100')).text,
      /quicksilver|mercurial|hydrargyrum|sesame|argon2/,
    )
    for (const word of ['quicksilver', 'mercurial', 'quicks']) assert.deepEqual(await titles(caller, `q=${word}`), [])
    assert.deepEqual(await titles(caller, 'q=s2+lock'), ['s2 locked'])
  }
  for (const caller of [writer, admin]) {
    const post = await about(caller)
    assert.deepEqual([post.excerpt, post.body, post.metadata], ['mercurial', 'quicksilver', { note: 'hydrargyrum' }])
  }
  for (const caller of [writer, admin]) assert.deepEqual(await titles(caller, 'q=quicksilver'), ['s2 locked'])
  assert.deepEqual(await titles(writer, 'q=quicksilver&mine=true'), ['s2 locked'])
})

test('filters narrow a list, alone and together, and every total is right', async () => {
  const [red, blue] = [await term('categories', 's3 Red'), await term('categories', 's3 Blue')]
  const [old, odd] = [await term('tags', 's3 Old'), await term('tags', 's3 Odd')]
  const out = { status: 'published', lang: 'gl' }
  await writer.write({ title: 's3 a', ...out, category_ids: [red, blue], tag_ids: [old] })
  await writer.write({ title: 's3 b', ...out, category_ids: [red], tag_ids: [old, odd] })
  app.clock.advance(2 * day)
  const between = later(0)
  app.clock.advance(hour)
  await other.write({ title: 's3 c', ...out, category_ids: [blue], visibility: 'auth' })
  await other.write({
    title: 's3 d',
    ...out,
    lang: 'eu',
    status: 'scheduled',
    scheduled_at: later(minute),
    tag_ids: [odd],
  })
  app.clock.advance(3 * day)
  const cases: [query: string, found: string[]][] = [
    ['lang=gl', ['s3 c', 's3 b', 's3 a']],
    ['lang=eu', ['s3 d']],
    [`category=${red}`, ['s3 b', 's3 a']],
    ['category=s3-blue', ['s3 c', 's3 a']],
    ['category=s3-blue&order=asc', ['s3 a', 's3 c']],
    [`tag=${odd}`, ['s3 d', 's3 b']],
    ['tag=s3-old&category=s3-red', ['s3 b', 's3 a']],
    [`tag=s3-odd&author=${writer.id}`, ['s3 b']],
    [`lang=gl&author=${other.id}`, ['s3 c']],
    [`lang=gl&published_after=${between}`, ['s3 c']],
    [`published_before=${between}&lang=gl`, ['s3 b', 's3 a']],
    [`published_after=${later(-20 * day)}&published_before=${later(0)}&category=s3-blue`, ['s3 c', 's3 a']],
    [`published_after=${later(-20 * day)}&published_before=${later(-day)}&lang=eu`, ['s3 d']],
    ['q=s3&lang=gl&visibility=auth', ['s3 c']],
    ['q=s3&sort=title&order=asc', ['s3 a', 's3 b', 's3 c', 's3 d']],
    ['q=s3&sort=created_at', ['s3 c', 's3 d', 's3 b', 's3 a']],
    ['post_type=post&lang=gl', ['s3 c', 's3 b', 's3 a']],
  ]
  for (const [query, found] of cases) {
    const got = await titles(reader, query)
    // Posts with the same time are sorted by id, and ids are generated in ascending order.
    const tied = (list: string[]) => list.map((title) => title.replace(/s3 [ab]/, 's3 early'))
    assert.deepEqual(tied(got), tied(found), query)
    assert.deepEqual(got.toSorted(), found.toSorted(), query)
    assert.ok(!(await titles(undefined, query)).includes('s3 c'), query)
  }
  const [post] = (await listFor(undefined, 'category=s3-red&tag=s3-odd')).json.data
  assert.deepEqual(post.categories, [{ id: red, name: 's3 Red', slug: 's3-red' }])
  assert.deepEqual(
    post.tags.map(({ name }: { name: string }) => name),
    ['s3 Odd', 's3 Old'],
  )
})

test('pages follow one another without a gap, ties by id, and one past the end is empty', async () => {
  const ids = await Promise.all(
    Array.from({ length: 7 }, (_, at) => writer.write({ title: `s4 ${at}`, lang: 'fi', status: 'published' })),
  )
  const read = async (query: string) => (await listFor(undefined, `lang=fi&${query}`)).json
  for (const order of ['asc', 'desc']) {
    const pages = await Promise.all([1, 2, 3].map((page) => read(`limit=3&page=${page}&order=${order}`)))
    assert.deepEqual(
      pages.flatMap(({ data }) => data.map(({ id }: { id: string }) => id)),
      ids.toSorted(),
    )
    assert.deepEqual(pages[1].meta, { page: 2, limit: 3, total: 7, pages: 3, has_more: true, cached: false })
    assert.equal(pages[2].meta.has_more, false)
  }
  const { data, meta } = await read('page=9')
  assert.deepEqual([data, meta.total, meta.has_more], [[], 7, false])
  assert.equal((await read('limit=1000')).meta.limit, 100)
})

test('words are found in any form that somebody may type, the last one as far as it goes', async () => {
  const title = 's5 Straße “über” naïve café'
  await writer.write({ title, body: "Don't panic-stricken foo@example.com v1.2.3 日本", status: 'published' })
  const found = async (q: string) => (await titles(undefined, `q=${encodeURIComponent(q)}`)).includes(title)
  for (const q of [
    'straße',
    'Straße s5',
    'naïve CAF',
    'panic',
    'panic-str',
    'foo@example.com',
    'v1.2.3',
    's5 café über',
    'cafe\u0301',
  ])
    assert.equal(await found(q), true, q)
  for (const q of [
    's5 nothing',
    'afé',
    '%',
    '_',
    '!!!',
    "'",
    'p',
    ':*',
    '!s5',
    's5 | nothing',
    's5 & !café',
    's5:A',
    '\\',
    '(s5',
    '<->',
    '"',
    '日',
    '\u202e',
    '🙂',
    "'; DROP TABLE posts; --",
    's5 <-> nope',
    'x'.repeat(100),
  ])
    assert.equal((await listFor(undefined, `q=${encodeURIComponent(q)}`)).status, 200, q)
  for (const q of ['nothing s5', 's5 | nothing', '!s5 nope', '!!!']) assert.equal(await found(q), false, q)
})

test('what a list cannot be asked is refused by name', async () => {
  const refused: [query: string, field?: string][] = [
    ['lang=english'],
    ['lang='],
    ['status=gone'],
    ['category='],
    ['category=%27'],
    ['tag=A'],
    ['tag=new'],
    ['category=nothing'],
    ['tag=nothing'],
    ['author=0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'],
    ['author=1'],
    [`author=${writer.id.toUpperCase()}`],
    ['post_type=recipe'],
    ['post_type='],
    ['visibility=friends'],
    ['q='],
    ['q=+'],
    ['q=%07'],
    [`q=${'x'.repeat(101)}`],
    ['published_after=yesterday'],
    ['published_before=2020-02-30T00:00:00Z'],
    ['published_after=2020-01-01T00:00:00'],
    ['sort=password_hash'],
    ['sort=title%20desc'],
    ['order=up'],
    ['mine=1'],
    ['include=password_hash'],
    ['include_deleted=yes'],
    ['page=0'],
    ['page=1e3'],
    ['page=1000000000000'],
    ['limit=-1'],
    ['limit=x'],
  ]
  for (const [query, field = query.split('=')[0]] of refused) {
    const details = assertError(await listFor(admin, query), 400, 'VALIDATION_ERROR', query)
    assert.deepEqual(
      details.map(({ field: name }) => name),
      [field],
      query,
    )
  }
  assert.equal((await listFor(undefined, 'fields=*&filter[password_hash]=x&unknown=1')).status, 200)
  assert.equal((await listFor(undefined, 'published_before=0000-01-01T00:00:00Z')).json.meta.total, 0)
})

test('a list in a language also has what is translated into it, as the translation says it', async () => {
  const id = await writer.write({ title: 's9 hello', body: 'words', lang: 'is', status: 'published' })
  await writer.write({ title: 's9 plain', lang: 'is', status: 'published' })
  const locked = { visibility: 'password', password: 'open sesame', status: 'published', lang: 'is' }
  const lockedId = await writer.write({ title: 's9 locked', ...locked })
  for (const one of [id, lockedId]) {
    const translation = { lang: 'mt', title: 's9 bongu', body: 'quicksilver', excerpt: 'mercurial' }
    assert.equal((await writer.call('POST', `/id/${one}/translations`, translation)).status, 200)
  }
  const { data, meta } = (await listFor(undefined, 'lang=mt&include=body&sort=created_at&order=asc')).json
  assert.equal(meta.total, 2)
  assert.deepEqual(
    data.map((post: Record<string, unknown>) => [
      post.id,
      post.lang,
      post.title,
      post.excerpt,
      post.body,
      post.translations,
    ]),
    [
      [id, 'mt', 's9 bongu', 'mercurial', 'quicksilver', ['mt']],
      [lockedId, 'mt', 's9 bongu', '', null, ['mt']],
    ],
  )
  assert.deepEqual((await titles(undefined, 'lang=is')).toSorted(), ['s9 hello', 's9 locked', 's9 plain'])
  assert.deepEqual((await titles(writer, 'lang=mt&mine=true')).length, 2)
  const [post] = (await listFor(reader, 'lang=mt&limit=1')).json.data
  assert.deepEqual([Object.keys(post.counts).includes('comments'), post.viewer.bookmarked], [true, false])
})

test('what is seen most comes first, and what nobody has seen last', async () => {
  const ids = await Promise.all(
    [0, 1, 2].map((at) => writer.write({ title: `s10 ${at}`, lang: 'lv', status: 'published' })),
  )
  await sql`UPDATE post_view_totals SET views = 7 WHERE post_id = ${ids[1]}`.execute(app.ctx.db)
  assert.equal((await titles(undefined, 'lang=lv&sort=views'))[0], 's10 1')
  assert.equal((await titles(undefined, 'lang=lv&sort=views&order=asc')).at(-1), 's10 1')
  const all = 'lang=lv&sort=views'
  const pages = await Promise.all([1, 2, 3].map((page) => listFor(undefined, `${all}&limit=1&page=${page}`)))
  const inPages = pages.map(({ json }) => json.data[0].title)
  assert.deepEqual(await titles(undefined, all), inPages)
  assert.deepEqual((await titles(undefined, `${all}&order=asc`)).toReversed(), inPages)
})

test('a copy beside a link that has become wrong shows nobody what they may not read', async () => {
  const red = await term('categories', 's12 Red')
  const out = { status: 'published', lang: 'mi', category_ids: [red] }
  await writer.write({ title: 's12 open', ...out })
  const ids = [
    await writer.write({ title: 's12 private', ...out, visibility: 'private' }),
    await writer.write({ title: 's12 draft', ...out, status: 'draft' }),
    await writer.write({ title: 's12 deleted', ...out }),
  ]
  await writer.call('DELETE', `/${ids[2]}`)
  await sql`UPDATE post_category_links SET visibility = 'public', live_from = ${new Date(app.clock.now())}
    WHERE category_id = ${red}`.execute(app.ctx.db)
  const { json } = await listFor(undefined, `category=${red}&include=body`)
  await sql`SELECT recount_posts()`.execute(app.ctx.db)
  assert.deepEqual(
    json.data.map(({ title }: { title: string }) => title),
    ['s12 open'],
  )
})

test('dates at either end of the calendar narrow a list as others do', async () => {
  await writer.write({ title: 's13', lang: 'sm', status: 'published' })
  const ends: [string, string[]][] = [
    ['published_after=9999-12-31T12:00:00Z', []],
    ['published_after=9999-12-31T23:59:59-12:00', []],
    ['published_before=9999-12-31T23:59:59-12:00', ['s13']],
    ['published_after=0000-01-01T00:00:00%2B12:00', ['s13']],
    ['published_before=0000-01-01T00:00:00%2B12:00', []],
  ]
  for (const [query, found] of ends) assert.deepEqual(await titles(undefined, `lang=sm&${query}`), found, query)
})

test('what is scheduled comes in the order in which it will appear', async () => {
  for (const hours of [2, 3, 1])
    await writer.write({ title: `s11 ${hours}`, lang: 'fo', status: 'scheduled', scheduled_at: later(hours * hour) })
  const scheduled = 'status=scheduled&lang=fo'
  assert.deepEqual(await titles(writer, `${scheduled}&order=asc`), ['s11 1', 's11 2', 's11 3'])
  assert.deepEqual(await titles(writer, scheduled), ['s11 3', 's11 2', 's11 1'])
  assert.deepEqual(await titles(writer, `${scheduled}&published_before=${later(90 * minute)}`), ['s11 1'])
})

test('kept counts stay true through every change of posts, categories and tags', async () => {
  const [one, two] = [await term('categories', 's8 One'), await term('categories', 's8 Two')]
  const mark = await term('tags', 's8 Mark')
  const ids = await Promise.all(
    [0, 1, 2, 3].map(() =>
      writer.write({ title: 's8', status: 'published', category_ids: [one, two], tag_ids: [mark] }),
    ),
  )
  await writer.call('PUT', `/${ids[0]}`, { category_ids: [two], tag_ids: [], lang: 'sv', visibility: 'auth' })
  await writer.call('POST', `/${ids[1]}/unpublish`)
  await writer.call('DELETE', `/${ids[2]}`)
  await admin.call('POST', `/${ids[2]}/restore`)
  await admin.call('PUT', `/${ids[3]}`, { user_id: other.id })
  const gone = await writer.write({ status: 'published', category_ids: [one], tag_ids: [mark] })
  await admin.call('DELETE', `/${gone}?force=true`)
  await admin.call('DELETE', `/categories/${two}`)
  const kept = async () => {
    const { rows } = await sql`SELECT facet, key, lang, visibility, post_type, sum(posts)::integer AS posts
      FROM post_counts WHERE facet NOT IN ('category', 'tag')
        OR key IN (SELECT id::text FROM post_categories UNION SELECT id::text FROM post_tags)
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(posts) <> 0 ORDER BY 1, 2, 3, 4, 5`.execute(app.ctx.db)
    return rows
  }
  const before = await kept()
  // The copies of post columns in the category and tag link tables must match the posts.
  const { rows: misplaced } = await sql`SELECT l.* FROM posts p JOIN (
      SELECT post_id, visibility, live_from FROM post_category_links
      UNION ALL SELECT post_id, visibility, live_from FROM post_tag_links) l ON l.post_id = p.id
    WHERE (l.visibility, l.live_from) IS DISTINCT FROM (p.visibility, CASE WHEN p.deleted_at IS NULL THEN p.live_from END)
  `.execute(app.ctx.db)
  assert.deepEqual(misplaced, [])
  assert.ok((await sumUpCounts(app.ctx.db, 1_000)) > 0)
  assert.equal(await sumUpCounts(app.ctx.db, 1_000), 0)
  assert.deepEqual(await kept(), before)
  await sql`SELECT recount_posts()`.execute(app.ctx.db)
  assert.deepEqual(await kept(), before)
  assert.equal((await admin.call('GET', `/categories/${one}`)).json.data.post_count, 1)
  assert.equal((await admin.call('GET', `/tags/${mark}`)).json.data.post_count, 1)
})

test('a list of a category holds the posts of those below it, each once', async () => {
  const define = async (name: string, parent_id?: string) =>
    (await admin.call('POST', '/categories', { name, parent_id })).json.data.id
  const top = await define('S9 top')
  const middle = await define('S9 middle', top)
  const bottom = await define('S9 bottom', middle)
  const beside = await define('S9 beside')
  const put = (title: string, ...category_ids: string[]) => writer.write({ title, status: 'published', category_ids })
  await put('s9 a', bottom)
  await put('s9 b', top, middle, bottom)
  await put('s9 c', beside, middle)
  await put('s9 d', beside)
  for (const [category, found] of [
    ['s9-top', ['s9 a', 's9 b', 's9 c']],
    [middle, ['s9 a', 's9 b', 's9 c']],
    ['s9-bottom', ['s9 a', 's9 b']],
    [beside, ['s9 c', 's9 d']],
  ] as const) {
    const { data, meta } = (await listFor(undefined, `category=${category}&sort=title&order=asc`)).json
    assert.deepEqual([data.map(({ title }: { title: string }) => title), meta.total], [found, found.length])
  }
})

test('a user who was deleted is no author to ask for', async () => {
  const gone = await somebody(app)
  await gone.write({ title: 'left behind', status: 'published' })
  assert.equal((await listFor(undefined, `author=${gone.id}`)).json.meta.total, 1)
  assert.equal((await app.call('DELETE', `/auth/admin/users/${gone.id}`, withSession(admin.sessionToken))).status, 200)
  const [problem] = assertError(await listFor(undefined, `author=${gone.id}`), 400, 'VALIDATION_ERROR')
  assert.equal(problem?.field, 'author')
})
