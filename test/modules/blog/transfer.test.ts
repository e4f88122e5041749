import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createRenderer } from '../../../src/modules/blog/render.ts'
import { exportPosts } from '../../../src/modules/blog/transfer/export-posts.ts'
import { type ImportOptions, importPosts } from '../../../src/modules/blog/transfer/import-posts.ts'
import { type SourceOptions, UnreadableFile } from '../../../src/modules/blog/transfer/import-source.ts'
import { noteText } from '../../../src/modules/blog/transfer/notes.ts'
import { openSource } from '../../../src/modules/blog/transfer/open-source.ts'
import { withoutMarkup } from '../../../src/modules/blog/transfer/plain-text.ts'
import { createRepair } from '../../../src/modules/blog/transfer/repair-xml.ts'
import type { ImportOutcome } from '../../../src/modules/blog/transfer/report.ts'
import { wordpressBody } from '../../../src/modules/blog/transfer/wordpress-body.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { type Author, readAsStranger, somebody, startBlog } from './support.ts'
import { comment, ghost, item, wordpress } from './transfer-files.ts'

let app: TestApp
let ada: Author
let directory: string
const render = createRenderer({ wait: 60_000 })
before(async () => {
  app = await startBlog()
  ada = await somebody(app)
  directory = await mkdtemp(join(tmpdir(), 'wardenry-transfer-'))
})
after(async () => {
  await app?.stop()
  await rm(directory, { recursive: true, force: true })
})

let files = 0
const open = async (content: string | Buffer, { pages = false, site, lang }: Partial<SourceOptions> = {}) => {
  const file = join(directory, `export-${++files}`)
  await writeFile(file, content)
  return openSource(file, { pages, site, lang })
}
/** The import result for each post in this file. */
async function taken(content: string, options: Partial<ImportOptions & SourceOptions> = {}, to = app) {
  const outcomes: ImportOutcome[] = []
  const report = await importPosts(to.ctx, render, await open(content, options), {
    ...{ mode: 'run', fallbackUserId: undefined },
    ...options,
    onOutcome: (outcome) => outcomes.push(outcome),
  })
  return { report, outcomes }
}
const countOf = async (table: 'posts' | 'post_comments' | 'post_categories' | 'post_tags', to = app) =>
  (await to.ctx.db.selectFrom(table).select('id').execute()).length
const postOf = async (id = '') => (await ada.call('GET', `/id/${id}`)).json.data

const whole = () =>
  wordpress(
    item({
      id: 1,
      title: 'Sobre &lt;b&gt; m\u00e1quinas',
      name: 'sobre-maquinas',
      content: `<!-- wp:paragraph --><p onclick="x()">Uno <script>alert(1)</script></p><!-- /wp:paragraph -->[gallery ids="1"]`,
      more: `<category domain="category" nicename="engines"><![CDATA[Engines]]></category>
        <category domain="post_tag" nicename="steam"><![CDATA[Steam]]></category>
        <wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>
        <wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>maquinas-viejas</wp:meta_value></wp:postmeta>
        <wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>../x</wp:meta_value></wp:postmeta>
        ${comment(12, 11, 'A <b>reply</b> &amp; more', '1', ada.email, 'comment', 0)}${comment(11, 0, 'First<br>line', '1', ada.email.toUpperCase())}
        ${comment(13, 0, 'buy', 'spam')}${comment(14, 0, 'ping', '1', '', 'pingback')}${comment(15, 0, 'gone', 'trash')}`,
    }) +
      item({ id: 2, title: 'Classic', content: 'One\ntwo\n\n<h2>Three</h2>\n\nfour' }) +
      item({ id: 3, status: 'draft', title: '', content: '' }) +
      item({ id: 4, status: 'private' }) +
      item({ id: 5, more: '<wp:post_password>open sesame</wp:post_password>' }) +
      item({ id: 6, status: 'trash' }) +
      item({ id: 7, type: 'page' }) +
      item({ id: 8, type: 'wp_navigation' }) +
      item({ id: 9, type: 'attachment', more: '<wp:attachment_url>https://old.example.com/a.jpg</wp:attachment_url>' }),
    { email: ada.email },
  )

test('a plan writes nothing; a run takes what the plan says, and a second one finds it all here', async () => {
  const before = await countOf('posts')
  const plan = await taken(whole(), { mode: 'plan' })
  assert.deepEqual([plan.report.taken, plan.report.known, plan.report.skipped], [5, 0, 4])
  assert.deepEqual([...plan.report.authors], [[ada.email, { posts: 5, userId: ada.id }]])
  assert.equal(await countOf('posts'), before)
  const run = await taken(whole())
  assert.deepEqual([run.report.taken, run.report.skipped, run.report.comments], [5, 4, 3])
  const again = await taken(whole())
  assert.deepEqual([again.report.taken, again.report.known], [0, 5])
  assert.equal(await countOf('posts'), before + 5)
  assert.equal(await countOf('post_comments'), 3)
  assert.deepEqual([...run.report.reasons.keys()].toSorted(), [
    'it is a page: use --pages to import pages as posts',
    'it is of the type attachment',
    'it is of the type wp_navigation',
    'its status is trash',
  ])
})

test('posts of WordPress keep what they said, who wrote them, when and where', async () => {
  const { outcomes } = await taken(whole())
  const [first, classic, draft, hidden, locked] = await Promise.all(outcomes.slice(0, 5).map(({ id }) => postOf(id)))
  const { author, categories, tags, ...post } = first
  assert.equal(post.body, '<p>Uno </p>[gallery ids="1"]')
  assert.deepEqual(
    [post.title, post.slug, post.lang, post.status, post.published_at, post.updated_at, post.featured_image],
    [
      ...['Sobre <b> m\u00e1quinas', 'sobre-maquinas', 'es', 'published', '2020-01-31T09:00:00.000Z'],
      ...['2020-02-01T09:00:00.000Z', 'https://old.example.com/a.jpg'],
    ],
  )
  assert.deepEqual([author.id, categories[0].name, tags[0].slug], [ada.id, 'Engines', 'steam'])
  assert.deepEqual(post.metadata, {
    ...{ imported_from: 'wordpress', original_address: 'https://old.example.com/?p=1' },
  })
  assert.equal((await readAsStranger(app, 'maquinas-viejas')).json.data.id, first.id)
  assert.equal(classic.body, '<p>One<br>\ntwo</p>\n<h2>Three</h2>\n<p>four</p>')
  assert.deepEqual([draft.title, draft.status, draft.body], ['(untitled)', 'draft', null])
  assert.deepEqual([hidden.status, hidden.visibility, locked.visibility], ['published', 'private', 'password'])
  const opened = await readAsStranger(app, locked.slug, { 'x-post-password': 'open sesame' })
  assert.equal(opened.status, 200, opened.text)
  const { rows } = {
    rows: await app.ctx.db.selectFrom('post_categories').select(['name', 'parent_id', 'id']).execute(),
  }
  assert.equal(
    rows.find(({ name }) => name === 'Engines')?.parent_id,
    rows.find(({ name }) => name === 'Machines & tools')?.id,
  )
  const said = (await app.get(`/api/v1/posts/${first.id}/comments`)).json.data
  assert.deepEqual(
    said.map((one: Record<string, unknown>) => [one.comment_body, one.user_id, one.parent_id === said[0].id]),
    [
      ['First\nline', ada.id, false],
      ['A reply & more', null, true],
    ],
  )
})

test('posts of authors who are not here go to the one that is named; of addresses and states that cannot be, the next best', async () => {
  const file = wordpress(
    [
      item({ id: 21, name: 'feed.xml' }),
      item({ id: 22, name: 'caf%c3%a9-solo' }),
      item({ id: 23, title: 'Taken', name: 'taken' }),
      item({ id: 24, title: 'Taken', name: 'taken' }),
      item({ id: 25, status: 'future' }),
      item({ id: 26, content: '' }),
      item({ id: 27, more: '<wp:post_password>abc</wp:post_password>' }),
      item({ id: 28, content: 'x'.repeat(1024 * 1024 + 1) }),
    ].join(''),
    { email: 'gone@example.com' },
  )
  const { report, outcomes } = await taken(file, { fallbackUserId: ada.id, lang: 'fr' })
  assert.deepEqual([...report.authors], [['gone@example.com', { posts: 7, userId: undefined }]])
  assert.deepEqual(
    outcomes.map(({ slug }) => slug?.replace(/^post-\d$/, 'post')),
    ['feed-xml', 'cafe-solo', 'taken', 'taken-2', 'post', 'post', 'post', undefined],
  )
  assert.match(outcomes[7]?.reason ?? '', /^body must have at most 1048576 characters$/)
  const posts = await Promise.all(outcomes.slice(4, 7).map(({ id }) => postOf(id)))
  assert.deepEqual(
    posts.map(({ status, visibility }) => [status, visibility]),
    [
      ['published', 'public'],
      ['draft', 'public'],
      ['published', 'private'],
    ],
  )
  assert.ok(posts.every(({ user_id }) => user_id === ada.id))
})

test('posts of Ghost come with their tags, authors, visibility and pictures', async () => {
  const file = ghost([
    {
      ...{ id: 'p1', uuid: 'u-p1', title: 'On steam', slug: 'on-steam', status: 'published', visibility: 'members' },
      ...{ html: '<p>See <a href="__GHOST_URL__/about/">us</a></p><iframe src="https://x"></iframe>', type: 'post' },
      ...{ feature_image: '__GHOST_URL__/content/images/a.png', custom_excerpt: 'Short', locale: null },
      ...{ created_at: '2021-05-01T10:00:00.000Z', published_at: '2021-05-02T10:00:00.000Z' },
    },
    { id: 'p2', title: 'Paid', slug: 'paid', status: 'published', visibility: 'paid', html: '<p>x</p>' },
    { id: 'p3', title: 'A page', slug: 'a-page', status: 'published', type: 'page', html: '<p>x</p>' },
    { id: 'p4', title: 5, slug: ['x'], status: 'draft', html: { a: 1 }, lexical: '{}', plaintext: 'plain', tags: 'x' },
    { id: 'p5', title: 'Strange', status: 'constructor' },
    { title: 'No id', status: 'draft' },
    'no object',
  ])
  const options = { fallbackUserId: ada.id, site: 'https://old.example.com' }
  const { report, outcomes } = await taken(file, options)
  assert.deepEqual([report.format, report.taken, report.skipped], ['Ghost', 3, 4])
  const [first, paid, plain] = await Promise.all([0, 1, 3].map((index) => postOf(outcomes[index]?.id)))
  assert.deepEqual(
    [first.body, first.visibility, first.featured_image, first.excerpt, first.published_at],
    [
      ...['<p>See <a href="https://old.example.com/about/">us</a></p>', 'auth'],
      ...['https://old.example.com/content/images/a.png', 'Short', '2021-05-02T10:00:00.000Z'],
    ],
  )
  assert.deepEqual(
    first.tags.map(({ name }: { name: string }) => name),
    ['Engines'],
  )
  assert.equal(outcomes[0]?.address, 'https://old.example.com/on-steam/')
  assert.deepEqual([paid.title, plain.title], ['Paid', '5'])
  const rows = await app.ctx.db.selectFrom('posts').select(['title', 'visibility', 'body', 'body_format']).execute()
  assert.equal(rows.find(({ title }) => title === 'Paid')?.visibility, 'private')
  assert.deepEqual(
    rows.filter(({ body }) => body === 'plain').map(({ title, body_format }) => [title, body_format]),
    [['5', 'text']],
  )
  assert.equal((await taken(file, options)).report.known, 3)
})

test('ids of Ghost are compared by value, whether they are numbers or text', async () => {
  const post = { title: 'Numbered', status: 'published', html: '<p>x</p>' }
  const file = ghost(
    [
      { ...post, id: 7001, slug: 'numbered-1', author_id: '2' },
      { ...post, id: '7002', slug: 'numbered-2', author_id: 1, featured: '0' },
      { ...post, id: 7003, slug: 'numbered-3', author_id: 'LONG' },
    ],
    {
      users: [
        { id: 1, email: 'one@old.example.com' },
        { id: 2, email: ada.email },
        { id: 'LONGER', email: 'neighbour@old.example.com' },
      ],
      ...{ posts_authors: [], tags: [{ id: 5, name: 'Numbers', slug: 'numbers' }] },
      posts_tags: [{ post_id: '7001', tag_id: '5' }],
    },
  )
    .replace('"LONG"', '9007199254740992')
    .replace('"LONGER"', '9007199254740993')
  const { report } = await taken(file, { mode: 'plan' })
  assert.deepEqual(
    [...report.authors].map(([email]) => email),
    [ada.email, 'one@old.example.com', ''],
  )
  const { outcomes } = await taken(file, { fallbackUserId: ada.id })
  const tags = (await postOf(outcomes[0]?.id)).tags.map(({ name }: { name: string }) => name)
  assert.deepEqual([outcomes.length, tags], [3, ['Numbers']])
})

test('each table of Ghost may write ids as numbers or as text, whatever the others do', async () => {
  const post = { status: 'published', html: '<p>x</p>', author_id: 0 }
  const users = [
    { id: '21', email: ada.email },
    { id: 22, email: 'two@old.example.com' },
  ]
  const tags = [
    { id: '31', name: 'Text', slug: 'text' },
    { id: 32, name: 'Number', slug: 'number' },
  ]
  const file = ghost(
    [
      { ...post, id: 7301, title: 'Number', slug: 'table-1' },
      { ...post, id: '7302', title: 'Text', slug: 'table-2' },
    ],
    {
      ...{ users, tags },
      posts_authors: [
        { post_id: '7301', author_id: 21 },
        { post_id: 7302, author_id: '22' },
      ],
      posts_tags: [
        { post_id: '7301', tag_id: 31 },
        { post_id: 7302, tag_id: '32' },
      ],
      posts_meta: [
        { post_id: '7301', email_only: 1 },
        { post_id: 7302, email_only: 1, og_title: 'Lost' },
      ],
    },
  )
  const { outcomes, report } = await taken(file, { fallbackUserId: ada.id })
  assert.deepEqual([...report.authors.keys()], [ada.email, 'two@old.example.com'])
  for (const [index, tag] of ['Text', 'Number'].entries()) {
    const { status, tags } = await postOf(outcomes[index]?.id)
    assert.deepEqual([status, tags.map(({ name }: { name: string }) => name)], ['draft', [tag]])
  }
  assert.ok(outcomes[1]?.notes?.map(noteText).includes('it has members that are not supported: og_title'))
})

test('bodies of early versions of Ghost are read, and bodies in other forms are reported', async () => {
  const post = { title: 'Early', status: 'published', author_id: 1, published_at: '2014-05-02T10:00:00.000Z' }
  const file = ghost([
    { ...post, id: 7101, markdown: '*Words*', image: 'https://old.example.com/a.png', language: 'es' },
    { ...post, id: 7102, lexical: '{"root":{}}', page: '1' },
    { ...post, id: 7103, lexical: '{"root":{}}', sponsor: 'Acme' },
  ])
  const { outcomes } = await taken(file, { fallbackUserId: ada.id })
  const early = await postOf(outcomes[0]?.id)
  assert.deepEqual(
    [early.body, early.body_format, early.featured_image, early.lang],
    ['*Words*', 'markdown', 'https://old.example.com/a.png', 'es'],
  )
  assert.equal(outcomes[1]?.outcome, 'skipped')
  const notes = outcomes[2]?.notes?.map(noteText) ?? []
  for (const expected of [
    'its body is in a form that cannot be read, and is omitted: lexical',
    'it has members that are not supported: sponsor',
  ])
    assert.ok(notes.includes(expected), notes.join('\n'))
})

test('members of an own export that cannot be kept are reported, and a JSON body can be an object', async () => {
  const post = { title: 'Own', lang: 'en', status: 'draft', visibility: 'public', created_at: '2020-01-01T00:00:00Z' }
  const id = (last: number) => `0198c1a2-3b4c-7d5e-8f60-7182930000${last}`
  const said = { comment_body: 'Words', status: 'approved' }
  const posts = [
    { ...post, id: id(10), body_format: 'json', body: { blocks: [1] } },
    { ...post, id: id(11), body_format: 'text', body: ['x'], content: 'Words', comments: [said, said] },
  ]
  const file = JSON.stringify({ format: 'wardenry-blog', version: 1, posts }, null, 2)
  const { outcomes } = await taken(file, { fallbackUserId: ada.id })
  const rows = await app.ctx.db.selectFrom('posts').select('body').where('id', '=', id(10)).execute()
  assert.deepEqual(rows, [{ body: '{"blocks":[1]}' }])
  const notes = outcomes[1]?.notes?.map(noteText) ?? []
  for (const expected of [
    'it has members that are not supported: content',
    'its body is in a form that cannot be read, and is omitted',
    'comments without an id of their own are omitted: 2',
  ])
    assert.ok(notes.includes(expected), notes.join('\n'))
})

test('what Ghost only mailed, or shows nobody before an unknown time, is taken as a draft', async () => {
  const post = (id: string, more: Record<string, unknown>) => {
    return { id, title: `Mail ${id}`, html: '<p>For members</p>', visibility: 'public', ...more }
  }
  const file = ghost(
    [
      post('m1', { status: 'sent', published_at: '2021-05-02T10:00:00.000Z' }),
      post('m2', { status: 'scheduled', published_at: '2035-05-02T10:00:00.000Z' }),
      post('m3', { status: 'published', published_at: '2021-05-02T10:00:00.000Z', email_only: true }),
      post('m4', { status: 'scheduled', published_at: 'tomorrow', created_at: '2021-05-02T10:00:00.000Z' }),
    ],
    { posts_meta: [{ id: 'x', post_id: 'm2', email_only: 1 }] },
  )
  const { report, outcomes } = await taken(file, { fallbackUserId: ada.id })
  assert.equal(report.taken, 4)
  for (const { id, slug = '' } of outcomes) {
    const post = await postOf(id)
    assert.deepEqual([post.status, post.scheduled_at], ['draft', null], post.title)
    assert.equal((await readAsStranger(app, slug)).status, 404)
  }
  assert.equal(report.notes.get('it was sent by mail only: it is imported as a draft')?.times, 3)
})

test('ids of imported posts are of version 5', async () => {
  const { outcomes } = await taken(wordpress(item({ id: 61 }) + item({ id: 62 })), { fallbackUserId: ada.id })
  for (const { id = '' } of outcomes) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
})

/** The notes from a planned import of this file. Checks that the actual import reports the same notes. */
async function notesOf(content: string, options: Partial<SourceOptions> = {}) {
  const given = { fallbackUserId: ada.id, ...options }
  const plan = await taken(content, { ...given, mode: 'plan' })
  const run = await taken(content, given)
  assert.deepEqual(plan.outcomes, run.outcomes)
  assert.deepEqual(plan.report.notes, run.report.notes)
  return { report: run.report, notes: run.outcomes.map(({ notes = [] }) => notes.map(noteText)) }
}

test('plan and report name all that posts of WordPress do not get as the file has it', async () => {
  const meta = (key: string) =>
    `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>`
  const category = (domain: string, slug: string, name: string) =>
    `<category domain="${domain}" nicename="${slug}"><![CDATA[${name}]]></category>`
  const { report, notes } = await notesOf(
    wordpress(
      item({
        ...{ id: 71, title: `<i>${'t'.repeat(400)}</i>`, name: 'caf%c3%a9-azul' },
        content:
          '<p onclick="x()">a<script>1</script><iframe src="x"></iframe><img src="data:image/png;base64,AA"></p>\u0007',
        more: `${meta('_thumbnail_id')}${meta('_edit_lock')}<wp:is_sticky>1</wp:is_sticky>
          ${category('post_format', 'aside', 'Aside')}${category('post_tag', 'UPPER', 'Upper')}
          ${comment(8711, 0, 'x'.repeat(5001))}${comment(8712, 0, '')}${comment(8713, 0, 'p', '1', '', 'pingback')}`,
      }),
      { email: 'nobody@example.com' },
    ).replace('2020-01-31 09:00:00', '0000-00-00 00:00:00'),
  )
  assert.deepEqual(
    notes[0]?.toSorted(),
    [
      'HTML is removed from it: body: 1 p onclick, 1 script, 1 iframe, 1 img src',
      'HTML is removed from plain text: title',
      'a value cannot be read: wp:post_date_gmt "0000-00-00 00:00:00"',
      'comments are shortened to 5000 characters: 1',
      'comments have no author with an account: 1',
      'empty comments are omitted: 1',
      'its author has no account: nobody@example.com',
      'its custom fields are omitted: _edit_lock',
      'the file does not contain its featured image',
      'its slug is changed: caf%c3%a9-azul → cafe-azul',
      'its title is shortened to 255 characters: it had 400',
      'it is sticky, which is not supported',
      'pingbacks and comments in the trash are omitted: 1',
      'slugs of tags are changed: UPPER → upper',
      'custom taxonomies are omitted: post_format',
    ].toSorted(),
  )
  assert.deepEqual(report.notes.get('its title is shortened to 255 characters')?.times, 1)
})

test('plan and report name all that posts of Ghost and of an export do not get as the file has it', async () => {
  const paid = {
    id: 'n1',
    title: 'Paid words',
    slug: 'paid-words',
    status: 'published',
    visibility: 'tiers',
    html: '<p>x</p>',
  }
  const { notes } = await notesOf(
    ghost(
      [{ ...paid, codeinjection_head: '<script>', created_at: 'yesterday', locale: '12', feature_image: '/a.png' }],
      { posts_meta: [{ post_id: 'n1', og_title: 'x' }], posts_tags: [{ post_id: 'n1', tag_id: 't2' }] },
    ),
  )
  const expected = [
    'a value cannot be read: created_at "yesterday"',
    'it has members that are not supported: codeinjection_head, og_title',
    'it has no date, so the date of the import is used',
    'it has no author',
    'its featured image has no http or https URL and is omitted: /a.png',
    'its language is not a language tag, so the language of the import is used: 12',
    'its visibility is not supported, so it is private: tiers',
    'internal or unknown tags are omitted: #internal',
  ]
  assert.deepEqual(notes[0]?.toSorted(), expected.toSorted())
  const post = {
    id: '0198c1a2-3b4c-7d5e-8f60-718293a4b5d7',
    title: 'Own words',
    lang: 'en',
    body: 'x',
    body_format: 'text',
  }
  const translations = [
    { lang: 'es', title: 'e'.repeat(300), slug: 'UNO' },
    { lang: 'en', title: 'Same' },
  ]
  const row = {
    ...post,
    status: 'archived',
    visibility: 'friends',
    created_at: '2020-01-01',
    author_email: ada.email,
    translations,
  }
  const own = await notesOf(JSON.stringify({ format: 'wardenry-blog', version: 1, posts: [row] }, null, 2))
  assert.deepEqual(
    own.notes[0]?.toSorted(),
    [
      'its status is unknown, so the safest one is used: "archived"',
      'its visibility is unknown, so the safest one is used: "friends"',
      'of a translation: its slug is changed: es UNO → uno',
      'of a translation: its title is shortened to 255 characters: es it had 300',
      'translations have no author with an account: es',
      'translations without a language, into the language of the post or into an existing one are omitted: en',
    ].toSorted(),
  )
})

test('a report is bounded, however much there is to say', async () => {
  const items = Array.from({ length: 30 }, (_, index) => item({ id: 800 + index, title: 'y'.repeat(300 + index) }))
  const { report } = await taken(wordpress(items.join('')), { mode: 'plan', fallbackUserId: ada.id })
  const noted = report.notes.get('its title is shortened to 255 characters')
  assert.deepEqual([noted?.times, noted?.examples.length], [30, 3])
})

const bomb = `<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>`
const hostile: Record<string, [content: string | Buffer, complaint: RegExp]> = {
  'entities that grow': [
    wordpress(item({ id: 31, title: 'x' }), { head: bomb }),
    /document types and entity declarations are not supported/,
  ],
  'an entity from outside': [
    wordpress('', { head: '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>' }),
    /document types and entity declarations are not supported/,
  ],
  'XML that breaks off': [wordpress(item({ id: 32 })).slice(0, -40), /^Line \d+: /],
  'elements that do not close': [wordpress('<item><title></item>'), /^Line \d+: /],
  '10,000 elements in one another': [
    wordpress(`${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`),
    /more than 32 levels deep/,
  ],
  'one text without an end': [wordpress(`<item><title><![CDATA[${'x'.repeat(33 * 1024 * 1024)}`), /larger than/],
  'half a million elements in one post': [
    wordpress(`<item>${'<wp:postmeta></wp:postmeta>'.repeat(500_001)}</item>`),
    /more than 500000 elements/,
  ],
  'another encoding': [Buffer.from(wordpress(item({ id: 33, title: '\u00e9' })), 'latin1'), /not UTF-8/],
  'another feed': [
    '<rss version="2.0"><channel><item><title>x</title></item></channel></rss>',
    /not an export of WordPress/,
  ],
  'a page': ['<!doctype html><p>x', /^Line 1: /],
  'no text at all': ['', /neither XML nor JSON/],
  'an image': [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), /neither XML nor JSON/],
  'JSON that breaks off': [ghost([]).slice(0, -5), /not valid JSON/],
  'other JSON': ['{"posts":[]}', /not an export of Ghost/],
  'wrong types': ['{"db":[{"data":{"posts":"x"}}]}', /not an export of Ghost/],
  'JSON 100,000 deep': ['{"a":'.repeat(100_000), /not valid JSON/],
  'an export of ours that was cut off': [
    '{"format":"wardenry-blog","version":1,"categories":[],"tags":[],"posts":[\n{"id":"x"}\n',
    /incomplete/,
  ],
  'an export of a later release': [
    '{"format":"wardenry-blog","version":2,"posts":[\n]}\n',
    /this release reads version 1/,
  ],
}
for (const [what, [content, complaint]] of Object.entries(hostile)) {
  test(`${what}: refused as a whole, with a sentence`, async () => {
    const before = await countOf('posts')
    await assert.rejects(open(content), (error) => {
      assert.ok(error instanceof UnreadableFile, String(error))
      assert.match(error.message, complaint)
      return true
    })
    assert.equal(await countOf('posts'), before)
  })
}

test('characters that an exporter did not escape are repaired, and the lines are reported', async () => {
  const old = '<wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>old</wp:meta_value>'
  const broken = item({ id: 6100, title: 'TITLE', content: 'BODY', more: `<wp:postmeta a="b&c">${old}</wp:postmeta>` })
    .replace('<![CDATA[TITLE]]>', 'Tom &amp; Ada &<!-- & --> &nbsp; 1 < 2 &passwd;')
    .replace('<![CDATA[BODY]]>', '&lt;p>R&D &#169;<![CDATA[ & x]]>')
    .replace('?p=6100', '?p=6100&x=')
  const file = wordpress(broken).replace('<![CDATA[Engines]]></wp:cat_name>', 'Engines & co</wp:cat_name>')
  const { report, outcomes } = await taken(file, { fallbackUserId: ada.id })
  const post = await postOf(outcomes[0]?.id)
  assert.deepEqual(
    [post.title, outcomes[0]?.address, post.body],
    ['Tom & Ada & 1 < 2 &passwd;', 'https://old.example.com/?p=6100&x=', '<p>R&#x26;D \u00a9 &#x26; x</p>'],
  )
  const lineOf = (text: string) => file.slice(0, file.indexOf(text)).split('\n').length
  const lines = ['Tom &amp;', 'R&D', 'a="b&c"'].map(lineOf)
  const notes = outcomes[0]?.notes?.map(noteText) ?? []
  assert.ok(
    notes.includes(`the XML of the post is not well-formed and is repaired: line ${lines.join(', ')}`),
    notes.join('\n'),
  )
  assert.deepEqual(report.notes.get('the XML of the site is not well-formed and is repaired'), {
    ...{ times: 1, examples: [`line ${lineOf('Engines & co')}`] },
  })
})

test('a file is repaired in the same way wherever it is divided into chunks', () => {
  const text = `a & b &amp; &#1; <b c="&d"><![CDATA[ & <x ]]> < 3 <!-- & --> & <i t="<!-- it's" u='<![CDATA["'> & "<!-- & -->`
  const whole = createRepair().repair(text, true)
  assert.equal(
    whole,
    `a &amp; b &amp; &amp;#1; <b c="&amp;d"><![CDATA[ & <x ]]> &lt; 3 <!-- & --> &amp; <i t="<!-- it's" u='<![CDATA["'> &amp; "<!-- & -->`,
  )
  for (let size = 1; size < text.length; size++) {
    const { repair, faults } = createRepair()
    let repaired = ''
    for (let at = 0; at < text.length; at += size) repaired += repair(text.slice(at, at + size))
    assert.equal(repaired + repair('', true), whole, `${size}`)
    assert.deepEqual(faults, [1])
  }
})

test('hostile posts are taken without their poison, and circles of replies are opened', async () => {
  const circle = comment(41, 42, 'one') + comment(42, 41, 'two') + comment(43, 43, 'self') + comment(44, 999, 'orphan')
  const deep = Array.from({ length: 300 }, (_, index) => comment(500 + index, 499 + index, `deep ${index}`)).reverse()
  const { report, outcomes } = await taken(
    wordpress(
      item({
        id: 41,
        title: '<img src=x onerror=alert(1)>\u202e',
        content: '<svg onload=alert(1)><a href="javascript:alert(1)">x</a>',
        more: `<category domain="category" nicename="__proto__"><![CDATA[__proto__]]></category>${circle}${deep.join('')}`,
      }),
      { email: ada.email },
    ),
  )
  assert.equal(report.comments, 304)
  const post = await postOf(outcomes[0]?.id)
  assert.doesNotMatch(post.body_html, /svg|javascript|onload/)
  assert.deepEqual(post.categories[0].name, '__proto__')
  const rows = await app.ctx.db.selectFrom('post_comments').select('depth').where('post_id', '=', post.id).execute()
  assert.equal(Math.max(...rows.map(({ depth }) => depth)), 5)
})

test('texts that would be looked through again and again are not', () => {
  const begin = performance.now()
  for (const text of ['<!-- wp:', '<!--', '<pre>', '\n\n<pre> ', ' ', '\t', '[aa ', '&#', '<br ', '</p', '\r\n '])
    for (const read of [wordpressBody, withoutMarkup]) read(`${text.repeat(200_000)}x`)
  assert.ok(performance.now() - begin < 20_000)
  assert.equal(
    wordpressBody('One\n\n<pre>a\n\nb</pre>\n\nTwo <!-- kept -->').body,
    '<p>One</p>\n<pre>a\n\nb</pre>\n<p>Two <!-- kept --></p>',
  )
  assert.equal(withoutMarkup('a<!-- b --> c<br/>d &lt;e&gt; &unknown; &#x1F989;'), 'a c\nd <e> &unknown; \u{1f989}')
})

test('what the export writes another installation takes as it was, once', async () => {
  const id = await ada.write({ title: 'Exported', status: 'published', lang: 'en', body: '# Head', excerpt: 'Short' })
  await ada.call('POST', `/id/${id}/translations`, { lang: 'es', title: 'Exportado', body: '# Cabeza' })
  await ada.call('PUT', `/${id}`, { slug: 'exported-later' })
  await ada.call('PUT', `/id/${id}/translations/es`, { slug: 'otra-vez' })
  await ada.call('POST', `/${id}/comments`, { comment_body: 'mine\n<b>' })
  const locked = await ada.write({ title: 'Locked', status: 'published', visibility: 'password', password: 'sesame' })
  const trashed = await ada.write({ title: 'Trashed' })
  await ada.call('DELETE', `/${trashed}`)
  let text = ''
  const count = await exportPosts(app.ctx, async (part) => {
    text += part
  })
  const posts = JSON.parse(text).posts
  assert.equal(posts.length, count)
  assert.doesNotMatch(text, /argon2|password_hash|Trashed/)
  const other = await startBlog()
  try {
    const author = await somebody(other)
    const first = await taken(text, { fallbackUserId: author.id }, other)
    assert.deepEqual([first.report.format, first.report.taken, first.report.skipped], ['Wardenry', count, 0])
    const again = await taken(JSON.stringify(JSON.parse(text), null, 2), { fallbackUserId: author.id }, other)
    assert.deepEqual([again.report.taken, again.report.known], [0, count])
    const shown = async (where: TestApp) => {
      const { user_id, author: _, ...rest } = (await where.get(`/api/v1/posts/${id}?lang=es`)).json.data
      return { user_id, rest }
    }
    const [before, after] = [await shown(app), await shown(other)]
    assert.deepEqual([after.user_id, after.rest], [author.id, before.rest])
    for (const [former, slug] of [
      ['exported', 'exported-later'],
      ['exportado', 'otra-vez'],
    ] as const) {
      const { data, meta } = (await readAsStranger(other, former)).json
      assert.deepEqual([data?.id, data?.slug, meta?.redirected_from], [id, slug, former])
    }
    const comments = (await other.get(`/api/v1/posts/${id}/comments`)).json.data
    assert.deepEqual(
      comments.map((one: { comment_body: string }) => one.comment_body),
      ['mine\n<b>'],
    )
    const row = other.ctx.db.selectFrom('posts').select(['visibility', 'password_hash']).where('id', '=', locked)
    assert.deepEqual(await row.executeTakeFirst(), { visibility: 'private', password_hash: null })
    for (const table of ['posts', 'post_comments', 'post_categories', 'post_tags'] as const)
      assert.equal(await countOf(table, other), (await countOf(table)) - (table === 'posts' ? 1 : 0), table)
  } finally {
    await other.stop()
  }
})

test('what is exported with post types is taken without them, as long as no post needs them', async () => {
  const typed = await startTestApp({
    modules: ['blog', 'post-types'],
    env: { BLOG_ENABLED: 'true', POST_TYPES_ENABLED: 'true' },
  })
  try {
    const id = await (await somebody(typed)).write({ title: 'Of the usual type' })
    let text = ''
    await exportPosts(typed.ctx, async (part) => {
      text += part
    })
    assert.deepEqual(JSON.parse(text).posts[0].fields, {})
    const { outcomes } = await taken(text, { fallbackUserId: ada.id })
    assert.deepEqual(
      outcomes.map((one) => [one.id, one.outcome, one.reason]),
      [[id, 'taken', undefined]],
    )
  } finally {
    await typed.stop()
  }
})
