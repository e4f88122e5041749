import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseXml } from '@rgrove/parse-xml'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { newId } from '../../../src/lib/ids.ts'
import { minute } from '../../../src/lib/time.ts'
import { assertError } from '../../http/support.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

const base = '/api/v1/posts'
let app: TestApp
let writer: Author
let topics: Record<'category' | 'tag', string>
before(async () => {
  app = await startBlog({
    BLOG_PUBLIC_BASE_URL: 'https://www.example.com/notes',
    BLOG_TITLE: 'Notes & <more>',
    PUBLIC_URL: 'https://auth.example.com',
  })
  writer = await somebody(app)
  await app.ctx.db.updateTable('users').set({ display_name: 'Ada <L>' }).where('id', '=', writer.id).execute()
  const now = new Date(app.clock.now())
  const row = { lang: 'en', created_at: now, updated_at: now }
  topics = { category: newId(), tag: newId() }
  await app.ctx.db
    .insertInto('post_categories')
    .values({ ...row, id: topics.category, name: 'A & B', slug: 'a-b', parent_id: null })
    .execute()
  await app.ctx.db
    .insertInto('post_tags')
    .values({ ...row, id: topics.tag, name: '<Tag>', slug: 'tag' })
    .execute()
})
after(() => app.stop())

const feeds = async (query = '') => {
  const get = (file: string) => app.get(`${base}/${file}${query}`)
  const replies = await Promise.all([get('feed.xml'), get('feed.atom'), get('feed.json')])
  for (const { status, text } of replies) assert.equal(status, 200, text)
  const [rss, atom, json] = replies
  parseXml(rss.text)
  parseXml(atom.text)
  return { rss: parseRssFeed(rss.text), atom: parseAtomFeed(atom.text), json: parseJsonFeed(json.text), replies }
}

test('feed readers find in every feed what was written, as what it was', async () => {
  const empty = await feeds()
  assert.deepEqual(
    [empty.rss.items, empty.atom.entries, empty.json.items].map((items) => items?.length ?? 0),
    [0, 0, 0],
  )
  const id = await writer.write({
    title: 'Engines <b>&amp;</b> "more" ]]>',
    body: '# Hi\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) **you** & me ]]>',
    excerpt: 'Short <script>alert(2)</script> & sweet',
    status: 'published',
    featured_image: 'https://www.example.com/engine.webp',
    category_ids: [topics.category],
    tag_ids: [topics.tag],
    lang: 'en',
  })
  const { body_html, slug, published_at } = (await writer.read(id)).json.data
  const address = `https://www.example.com/notes/${slug}`
  const { rss, atom, json, replies } = await feeds()
  assert.deepEqual(
    replies.map(({ headers }) => headers['content-type']),
    ['rss+xml', 'atom+xml', 'feed+json'].map((type) => `application/${type}; charset=utf-8`),
  )
  assert.deepEqual([rss.title, atom.title?.value, json.title], Array(3).fill('Notes & <more>'))
  assert.deepEqual([rss.link, json.home_page_url], Array(2).fill('https://www.example.com/notes'))
  assert.equal(json.feed_url, 'https://auth.example.com/api/v1/posts/feed.json')
  assert.equal(atom.id, 'https://auth.example.com/api/v1/posts/feed.atom')

  const [item] = rss.items ?? []
  const [entry] = atom.entries ?? []
  const [piece] = json.items ?? []
  const title = 'Engines <b>&amp;</b> "more" ]]>'
  assert.deepEqual([item?.title, entry?.title?.value, piece?.title], [title, title, title])
  assert.deepEqual([item?.link, entry?.links?.[0]?.href, piece?.url], [address, address, address])
  assert.deepEqual([item?.guid?.value, entry?.id, piece?.id], Array(3).fill(`urn:uuid:${id}`))
  assert.deepEqual(
    [item?.content?.encoded, entry?.content?.value, piece?.content_html],
    [body_html, body_html, body_html],
  )
  assert.doesNotMatch(body_html, /script|javascript/)
  assert.deepEqual(
    [entry?.authors?.[0]?.name, piece?.authors?.[0]?.name, item?.dc?.creators?.[0]],
    Array(3).fill('Ada <L>'),
  )
  assert.deepEqual(
    item?.categories?.map(({ name }) => name),
    ['A & B', '<Tag>'],
  )
  assert.deepEqual(piece?.tags, ['A & B', '<Tag>'])
  assert.equal(piece?.image, 'https://www.example.com/engine.webp')
  assert.match(
    replies[0]?.text ?? '',
    /<media:content url="https:\/\/www\.example\.com\/engine\.webp" medium="image"\/>/,
  )
  assert.match(replies[1]?.text ?? '', /<link rel="enclosure" href="https:\/\/www\.example\.com\/engine\.webp"\/>/)
  assert.deepEqual(
    [new Date(item?.pubDate ?? '').getTime(), entry?.published],
    [Math.floor(Date.parse(published_at) / 1000) * 1000, published_at],
  )
  // Feed readers treat a description as HTML and a summary as text.
  assert.equal(item?.description, 'Short &lt;script&gt;alert(2)&lt;/script&gt; &amp; sweet')
  assert.deepEqual([entry?.summary?.value, piece?.summary], Array(2).fill('Short <script>alert(2)</script> & sweet'))
  for (const { text } of replies) assert.ok(!text.includes(writer.email) && !text.includes(writer.user_name))
})

test('a feed is that of a topic, an author or a language, with as many posts as are asked for', async () => {
  const other = await somebody(app)
  for (const lang of ['es', 'en', 'es']) {
    app.clock.advance(minute)
    await other.write({ title: `In ${lang}`, lang, status: 'published' })
  }
  const titles = async (query: string) => ((await feeds(query)).json.items ?? []).map(({ title }) => title)
  assert.deepEqual(await titles('?lang=es'), ['In es', 'In es'])
  assert.deepEqual(await titles(`?author=${other.id}&limit=2`), ['In es', 'In en'])
  for (const name of ['a-b', topics.category]) assert.equal((await titles(`?category=${name}`)).length, 1)
  for (const name of ['tag', topics.tag]) assert.equal((await titles(`?tag=${name}`)).length, 1)
  assert.match((await feeds('?lang=es')).rss.atom?.links?.[0]?.href ?? '', /feed\.xml\?lang=es$/)
  for (const query of [
    '?lang=x',
    '?author=ada',
    '?tag=%00',
    '?limit=0',
    '?category=A%20B',
    '?category=nothing',
    '?tag=nothing',
  ])
    assertError(await app.get(`${base}/feed.xml${query}`), 400, 'VALIDATION_ERROR')
})

test('what is not HTML, and what would make the feed too large, is left with its summary', async () => {
  const author = await somebody(app)
  const large = `${'word '.repeat(200_000)}`
  await author.write({ title: 'json', body: { a: 1 }, body_format: 'json', excerpt: 'data', status: 'published' })
  for (const title of ['1', '2', '3', '4', '5'].map((number) => `large ${number}`)) {
    app.clock.advance(minute)
    await author.write({ title, body: large, body_format: 'text', status: 'published' })
  }
  const { json, rss, replies } = await feeds(`?author=${author.id}`)
  const full = (json.items ?? []).map(({ title, content_html }) => [title, content_html !== undefined])
  assert.deepEqual(full, [
    ['large 5', true],
    ['large 4', true],
    ['large 3', true],
    ['large 2', true],
    ['large 1', false],
    ['json', false],
  ])
  assert.equal(json.items?.at(-1)?.content_text, 'data')
  assert.equal(rss.items?.at(-1)?.content?.encoded, undefined)
  assert.ok(replies.every(({ text }) => text.length < 5_000_000))
})
