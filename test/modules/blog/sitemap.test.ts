import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { newId } from '../../../src/lib/ids.ts'
import { hour, minute } from '../../../src/lib/time.ts'
import { assertError } from '../../http/support.ts'
import { install } from '../../support/modules.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

const base = '/api/v1/posts'
const home = 'https://www.example.com/notes'
let app: TestApp
let writer: Author
const published = { status: 'published' }
before(async () => {
  app = await startBlog({ BLOG_PUBLIC_BASE_URL: home, PUBLIC_URL: 'https://auth.example.com' })
  writer = await somebody(app)
})
after(() => app.stop())

interface Address {
  loc: string
  lastmod: string | undefined
  links: Record<string, string>
}

/** Parses a sitemap strictly according to sitemaps.org. */
function readSitemap(text: string): Address[] {
  assert.ok(Buffer.byteLength(text) <= 50 * 1024 * 1024)
  const root = rootOf(text)
  assert.deepEqual([root.name, root.attributes.xmlns], ['urlset', 'http://www.sitemaps.org/schemas/sitemap/0.9'])
  const urls = elements(root)
  assert.ok(urls.length >= 1 && urls.length <= 50_000)
  const addresses = urls.map((url) => {
    assert.equal(url.name, 'url')
    const [loc, ...more] = elements(url)
    assert.equal(loc?.name, 'loc')
    const address = loc.text
    assert.ok(URL.canParse(address) && address.length < 2048 && address.startsWith(home), address)
    const lastmod = more.find(({ name }) => name === 'lastmod')?.text
    if (lastmod) assert.match(lastmod, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const links = more.filter(({ name }) => name === 'xhtml:link')
    assert.equal(more.length, links.length + (lastmod === undefined ? 0 : 1))
    return {
      loc: address,
      lastmod,
      links: Object.fromEntries(links.map(({ attributes }) => [attributes.hreflang, attributes.href])),
    }
  })
  assert.equal(new Set(addresses.map(({ loc }) => loc)).size, addresses.length)
  return addresses as Address[]
}

const rootOf = (text: string) => (parseXml(text) as unknown as { root: XmlElement }).root
const elements = ({ children }: XmlElement) => children.filter(({ type }) => type === 'element') as XmlElement[]
const sitemap = async () => readSitemap((await app.get(`${base}/sitemap.xml`)).text)

test('the sitemap of an empty blog names its front page alone', async () => {
  const { status, headers, text } = await app.get(`${base}/sitemap.xml`)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/xml; charset=utf-8')
  assert.deepEqual(readSitemap(text), [{ loc: home, lastmod: undefined, links: {} }])
  assertError(await app.get(`${base}/sitemap.xml?page=2`), 404, 'NOT_FOUND')
  assertError(await app.get(`${base}/sitemap.xml?page=0`), 400, 'VALIDATION_ERROR')
})

test('sitemap and feeds know what everybody may read, and nothing else', async () => {
  const soon = new Date(app.clock.now() + hour).toISOString()
  const later = new Date(app.clock.now() + 99 * hour).toISOString()
  const write = (slug: string, members: object) => writer.write({ title: slug, slug, ...members })
  await write('open', published)
  await write('due', { status: 'scheduled', scheduled_at: soon })
  await write('planned', { status: 'scheduled', scheduled_at: later })
  await write('draft', {})
  await write('waiting', { status: 'pending' })
  for (const visibility of ['auth', 'private']) await write(visibility, { ...published, visibility })
  await write('locked', { ...published, visibility: 'password', password: 'difference' })
  await writer.call('DELETE', `/${await write('trashed', published)}`)
  app.clock.advance(hour + minute)

  const expected = [`${home}/due`, `${home}/open`]
  assert.deepEqual((await sitemap()).map(({ loc }) => loc).toSorted(), [home, ...expected])
  const { data, meta, user_context } = (await app.get(`${base}/sitemap?limit=5000`)).json
  assert.deepEqual(data.map(({ url }: { url: string }) => url).toSorted(), expected)
  assert.deepEqual(meta, { page: 1, limit: 1000, total: 2, pages: 1, has_more: false, cached: false })
  assert.deepEqual(user_context, { authenticated: false })
  const asWriter = await writer.call('GET', '/sitemap')
  assert.deepEqual([asWriter.json.data, asWriter.json.user_context.user_type], [data, 'writer'])

  const { items } = (await app.get(`${base}/feed.json`)).json
  assert.deepEqual(
    items.map(({ url }: { url: string }) => url),
    [`${home}/due`, `${home}/open`],
  )
  assert.equal(items[0].date_published, soon)
  for (const file of ['feed.xml', 'feed.atom']) {
    const { text } = await app.get(`${base}/${file}`)
    assert.ok(expected.every((address) => text.includes(address)))
    for (const hidden of ['planned', 'draft', 'waiting', 'auth<', 'private', 'locked', 'trashed'])
      assert.ok(!text.includes(`/${hidden}`), `${file} knows ${hidden}`)
  }
})

test('who has a document already is told that it is the same, until it is not', async () => {
  app.clock.advance(minute)
  const id = await writer.write({ title: 'Kept', ...published })
  for (const file of ['sitemap.xml', 'feed.xml', 'feed.atom', 'feed.json']) {
    const url = `${base}/${file}`
    const first = await app.get(url)
    const { etag, 'last-modified': modified, 'cache-control': cache } = first.headers as Record<string, string>
    assert.match(etag ?? '', /^"[0-9a-f]{32}"$/)
    assert.equal(cache, 'public, max-age=300')
    assert.ok(modified && Math.abs(Date.parse(modified) - app.clock.now()) < 2000)
    const unchanged = [
      { 'if-none-match': etag },
      { 'if-none-match': `"other", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-none-match': etag, 'if-modified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' },
      { 'if-modified-since': modified },
      { 'if-modified-since': new Date(Date.parse(modified) + minute).toUTCString() },
    ] as Record<string, string>[]
    for (const headers of unchanged) {
      const again = await app.get(url, { headers })
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag], JSON.stringify(headers))
      for (const name of ['vary', 'cache-control', 'last-modified'])
        assert.equal(again.headers[name], first.headers[name], name)
    }
    const changed = [
      { 'if-none-match': '"other"', 'if-modified-since': modified },
      { 'if-modified-since': new Date(Date.parse(modified) - 1000).toUTCString() },
      { 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' },
      { 'if-modified-since': 'Sun Nov  6 08:49:37 1994' },
      { 'if-modified-since': 'yesterday' },
      { 'if-modified-since': '2099-01-01' },
    ] as Record<string, string>[]
    for (const headers of changed) assert.equal((await app.get(url, { headers })).text, first.text)
    const head = await app.call('HEAD', url)
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', etag])
    app.clock.advance(minute)
    await writer.call('PUT', `/${id}`, { title: `Changed for ${file}` })
    for (const headers of [{ 'if-none-match': etag ?? '' }, { 'if-modified-since': modified }])
      assert.equal((await app.get(url, { headers })).status, 200)
  }
  assert.match(String((await app.get(`${base}/sitemap`)).headers['cache-control']), /no-store/)
})

test('a document from which something was taken away is a new one, whatever time is asked for', async () => {
  await writer.write({ title: 'Stays', ...published })
  app.clock.advance(minute)
  const id = await writer.write({ title: 'Leaves', slug: 'leaves', ...published })
  const files = ['sitemap.xml', 'feed.xml', 'feed.atom', 'feed.json'].map((file) => `${base}/${file}`)
  const before = await Promise.all(files.map((url) => app.get(url)))
  await writer.call('PUT', `/${id}`, { visibility: 'private' })
  for (const [at, url] of files.entries()) {
    const { text, headers } = before[at]!
    assert.match(text, /leaves/)
    const since = { 'if-modified-since': String(headers['last-modified']) }
    const reply = await app.get(url, { headers: since })
    assert.equal(reply.status, 200, url)
    assert.doesNotMatch(reply.text, /leaves/)
    assert.equal(reply.headers['last-modified'], undefined, 'two versions in one second')
  }
  app.clock.advance(1000)
  for (const [at, url] of files.entries()) {
    const later = String((await app.get(url)).headers['last-modified'])
    assert.ok(Date.parse(later) > Date.parse(String(before[at]!.headers['last-modified'])))
    assert.equal((await app.get(url, { headers: { 'if-modified-since': later } })).status, 304)
  }
})

test('posts that share a slug in several languages have an address each', async () => {
  const ids = { en: '', fr: '' }
  for (const lang of ['en', 'fr'] as const)
    ids[lang] = await writer.write({ title: `Radio ${lang}`, slug: 'radio', lang, ...published })
  await writer.call('POST', `/id/${ids.fr}/translations`, { lang: 'en', title: 'Set', slug: 'set' })
  const expected = [`${home}/radio`, `${home}/radio?lang=fr`]
  const all = (await sitemap()).map(({ loc }) => loc)
  assert.deepEqual(all.filter((loc) => loc.includes('/radio')).toSorted(), expected)
  // A translation into the blog's default language also has a URL with `lang`.
  assert.ok(all.includes(`${home}/set?lang=en`))
  const listed = (await app.get(`${base}/sitemap?limit=100`)).json.data
  const urlOf = (id: string) => listed.find((one: { id: string }) => one.id === id).url
  assert.deepEqual([urlOf(ids.en), urlOf(ids.fr)], expected)
  const { items } = (await app.get(`${base}/feed.json`)).json
  const shared = items.map(({ url }: { url: string }) => url).filter((url: string) => url.includes('/radio'))
  assert.deepEqual(shared.toSorted(), expected)
  const [, inFrench] = expected
  assert.ok((await app.get(`${base}/feed.xml`)).text.includes(`<link>${inFrench}</link>`))
  assert.ok((await app.get(`${base}/feed.atom`)).text.includes(`href="${inFrench}"`))
  await writer.call('DELETE', `/${ids.fr}`)
})

test('every language of a post has an address that links to all of them, and parts stay within their limits', async () => {
  const id = await writer.write({ title: 'Hello', slug: 'hello', lang: 'en', ...published })
  await writer.call('POST', `/id/${id}/translations`, { lang: 'es', title: 'Hola & más' })
  const addresses = await sitemap()
  const links = { en: `${home}/hello`, es: `${home}/hola-mas?lang=es` }
  for (const loc of Object.values(links)) {
    const address = addresses.find((one) => one.loc === loc)
    assert.deepEqual(address?.links, links, loc)
  }
  const listed = (await app.get(`${base}/sitemap?lang=es`)).json.data
  assert.deepEqual(
    listed.map(({ slug, lang, url }: Record<string, string>) => [slug, lang, url]),
    [['hola-mas', 'es', links.es]],
  )
  const feed = (await app.get(`${base}/feed.json?lang=es`)).json.items
  assert.deepEqual([feed.length, feed[0].title, feed[0].url, feed[0].language], [1, 'Hola & más', links.es, 'es'])

  // A post in this many languages takes up so much space that one part of the sitemap holds only twenty posts.
  const now = new Date(app.clock.now())
  const codes = Array.from(
    { length: 98 },
    (_, at) => `q${String.fromCharCode(97 + (at % 26))}${String.fromCharCode(97 + Math.floor(at / 26))}`,
  )
  await app.ctx.db
    .insertInto('post_translations')
    .values(
      codes.map((lang) => {
        const said = { title: lang, slug: `hello-${lang}`, body: null, body_format: 'text' as const, body_html: null }
        return {
          ...said,
          id: newId(),
          post_id: id,
          user_id: null,
          lang,
          body_start: '',
          excerpt: null,
          created_at: now,
          updated_at: now,
        }
      }),
    )
    .execute()
  for (let number = 0; number < 25; number++) await writer.write({ title: `Number ${number}`, ...published })
  const total = (await app.get(`${base}/sitemap`)).json.meta.total
  const index = rootOf((await app.get(`${base}/sitemap.xml`)).text)
  assert.equal(index.name, 'sitemapindex')
  const parts = elements(index).map((part) => elements(part)[0]?.text ?? '')
  assert.deepEqual(
    parts,
    Array.from(
      { length: Math.ceil(total / 20) },
      (_, at) => `https://auth.example.com${base}/sitemap.xml?page=${at + 1}`,
    ),
  )
  const read = await Promise.all(parts.map(async (part) => readSitemap((await app.get(part.slice(24))).text)))
  const all = read.flat().map(({ loc }) => loc)
  // The front page, each post, and each translation of one post must occur exactly once.
  assert.equal(all.length, 1 + total + 99)
  assert.equal(new Set(all).size, all.length)
  assert.equal(read.flat().filter(({ links }) => Object.keys(links).length === 100).length, 100)
  assertError(await app.get(`${base}/sitemap.xml?page=${parts.length + 1}`), 404, 'NOT_FOUND')
})

test('without its row in the registry the component is not there', async () => {
  const bare = await startTestApp({ env: { BLOG_ENABLED: 'true' } })
  try {
    await install(bare, 'blog')
    for (const path of ['sitemap.xml', 'sitemap', 'feed.xml', 'feed.atom', 'feed.json'])
      assertError(await bare.get(`${base}/${path}`), 404, 'module_not_installed')
    await install(bare, 'blog', { target: 'selected', components: ['ext-sitemap'] })
    assert.equal((await bare.get(`${base}/sitemap.xml`)).status, 200)
  } finally {
    await bare.stop()
  }
})
