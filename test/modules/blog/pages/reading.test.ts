import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { tagsOf, textOf } from '../../../screens/all-pages.ts'
import { signedInAs } from '../../../support/people.ts'
import type { TestApp } from '../../../support/test-app.ts'
import { type Author, everybody, startBlog } from '../support.ts'
import { browserOf } from './support.ts'

let app: TestApp
let writer: Author
let member: Author
let admin: Author
before(async () => {
  app = await startBlog({ BLOG_TITLE: 'Engine notes', RATE_LIMIT_READ: '100000/1m' })
  ;[writer, member, admin] = await everybody(app, 'writer', 'customer', 'admin')
})
after(() => app?.stop())

const open = (path: string, who?: Author, headers: Record<string, string> = {}) =>
  browserOf(app, who).open(path, headers)
const published = (members: Record<string, unknown> = {}) => writer.write({ status: 'published', ...members })
const slugOf = async (id: string): Promise<string> => (await writer.read(id)).json.data.slug
const isShared = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['cache-control']).startsWith('public')
const linksIn = (html: string, rel: string) =>
  tagsOf(html).flatMap(({ name, attributes }) => (name === 'link' && attributes.rel === rel ? [attributes] : []))

test('a published post is listed and can be read by everyone', async () => {
  const id = await published({ title: 'On steam engines', body: 'Water, *heated*.', excerpt: 'A beginning' })
  const slug = await slugOf(id)
  const list = await open('/blog')
  assert.equal(list.status, 200)
  assert.match(list.text, new RegExp(`href="/blog/${slug}"`))
  const page = await open(`/blog/${slug}`)
  assert.equal(page.status, 200)
  assert.match(page.text, /<p>Water, <em>heated<\/em>.<\/p>/)
  assert.match(textOf(page.text), /A beginning/)
  assert.doesNotMatch(page.text, /noindex/)
})

test('only an excerpt that the author wrote is the lead of the post', async () => {
  const leadOf = async (post: object) => {
    const page = await open(`/blog/${await slugOf(await published({ title: 'A lead', ...post }))}`)
    return /<p class="lede">([^<]*)</.exec(page.text)?.[1]
  }
  assert.equal(await leadOf({ body: 'Short **text**, "said" & done.\n\n- a list' }), undefined)
  assert.equal(await leadOf({ body: 'Short **text**.', excerpt: 'Written by hand' }), 'Written by hand')
})

test('readers see exactly the posts that the API shows them', async () => {
  const states = [
    ['draft', { status: 'draft' }],
    ['private', { status: 'published', visibility: 'private' }],
    ['members', { status: 'published', visibility: 'auth' }],
    ['later', { status: 'scheduled', scheduled_at: '2099-01-31T09:00:00Z' }],
  ] as const
  for (const [name, members] of states) {
    const slug = await slugOf(await writer.write({ title: `Hidden ${name}`, body: `canary ${name}`, ...members }))
    const seen = async (who?: Author) => {
      const [page, list, found] = await Promise.all([
        open(`/blog/${slug}`, who),
        open('/blog', who),
        open(`/blog?q=${name}`, who),
      ])
      assert.equal(isShared(page), false)
      return [page.status, list.text.includes(`Hidden ${name}`), found.text.includes(`Hidden ${name}`)]
    }
    assert.deepEqual(await seen(), [404, false, false], name)
    assert.deepEqual(await seen(member), name === 'members' ? [200, true, true] : [404, false, false], name)
    const inLists = members.status === 'published'
    assert.deepEqual(await seen(writer), [200, inLists, inLists], name)
  }
})

test('only pages that are the same for everyone may be cached, and nothing in them is about a visitor', async () => {
  const slug = await slugOf(await published({ title: 'Cached' }))
  for (const path of ['/blog', `/blog/${slug}`]) {
    const [first, second, signedIn] = await Promise.all([open(path), open(path), open(path, member)])
    assert.equal(first.headers['cache-control'], 'public, max-age=60')
    assert.match(String(first.headers.vary), /Cookie/)
    assert.equal(first.text, second.text)
    assert.doesNotMatch(first.text, /form_token/)
    assert.equal(first.headers['set-cookie'], undefined)
    assert.equal(signedIn.headers['cache-control'], 'no-store')
    const known = await open(path, undefined, { 'if-none-match': String(first.headers.etag) })
    assert.equal(known.status, 304)
  }
})

test('during an impersonation, the pages show its banner and are not cached', async () => {
  const root = await signedInAs(app, 'superadmin')
  const browser = browserOf(app, root)
  const started = await browser.call('POST', `/auth/admin/users/${member.id}/impersonate`, { reason: 'A test' })
  assert.equal(started.status, 200, started.text)
  const list = await browser.open('/blog')
  assert.match(list.text, /You’re acting as another user/)
  assert.equal(list.headers['cache-control'], 'no-store')
  const stopped = await browser.send('/impersonation/stop', {})
  assert.equal(stopped.status, 303, stopped.text)
  assert.doesNotMatch((await browser.open('/blog')).text, /You’re acting as another user/)
})

test('the policy allows the style and the script of the page by their hashes, and no other', async () => {
  const page = await open(`/blog/${await slugOf(await published({ title: 'Policy' }))}`)
  const policy = String(page.headers['content-security-policy'])
  const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const style = /<style>([\s\S]*?)<\/style>/.exec(page.text)?.[1]
  const script = /<script type="module">([\s\S]*?)<\/script>/.exec(page.text)?.[1]
  assert.ok(policy.includes(`style-src ${hashOf(style)};`), policy)
  assert.ok(policy.includes(`script-src ${hashOf(script)};`), policy)
  assert.match(policy, /^default-src 'none';.*form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/)
  assert.doesNotMatch(policy, /unsafe|nonce/)
})

const hostile = [
  '"><script>alert(1)</script>',
  "' onfocus='alert(1)",
  '</script><script>alert(1)</script>',
  '</title></style><img src=x onerror=alert(1)>',
  '<%= 1 %>{{7*7}}',
]

test('markup in titles, excerpts, names of tags and comments stays text', async () => {
  for (const text of hostile) {
    const tag = (await admin.call('POST', '/tags', { name: `tag ${text}` })).json.data
    const category = (await admin.call('POST', '/categories', { name: `in ${text}`, description: text })).json.data
    const plain = { body: 'Words.', tag_ids: [tag.id], category_ids: [category.id] }
    const id = await published({ title: text, excerpt: `so ${text}`, ...plain })
    await writer.call('POST', `/${id}/comments`, { comment_body: `said ${text}` })
    const slug = await slugOf(id)
    for (const path of ['/blog', `/blog/${slug}`, `/blog/category/${category.slug}`, `/blog/tag/${tag.slug}`]) {
      const page = await open(path)
      assert.equal(page.status, 200, path)
      const tags = tagsOf(page.text)
      const scripts = tags.filter(({ name }) => name === 'script').map(({ attributes }) => attributes.type)
      assert.ok(scripts.length <= 3 && scripts.every((type) => type !== undefined), path)
      const names = tags.flatMap(({ attributes }) => Object.keys(attributes))
      assert.deepEqual(
        names.filter((name) => name.startsWith('on') || name === 'style'),
        [],
      )
      assert.ok(textOf(page.text).includes(text), `${path} shows it`)
    }
  }
})

test('linked data is JSON, whatever the post contains', async () => {
  const id = await published({ title: 'A </script> in <!-- the title', excerpt: 'and & " here' })
  const page = await open(`/blog/${await slugOf(id)}`)
  const data = JSON.parse(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(page.text)?.[1] ?? '')
  assert.equal(data.headline, 'A </script> in <!-- the title')
  assert.equal(data.description, 'and & " here')
})

test('a post with translations links all of its languages', async () => {
  const id = await published({ title: 'In two languages', lang: 'en' })
  await writer.call('POST', `/${id}/translations`, { lang: 'es', title: 'En dos idiomas', body: 'Agua *caliente*.' })
  const english = await open('/blog/in-two-languages')
  const alternates = linksIn(english.text, 'alternate').filter(({ hreflang }) => hreflang)
  const base = app.ctx.config.BLOG_PUBLIC_BASE_URL
  assert.deepEqual(
    alternates.map(({ hreflang, href }) => [hreflang, href]),
    [
      ['en', `${base}/in-two-languages`],
      ['es', `${base}/en-dos-idiomas?lang=es`],
    ],
  )
  assert.match(english.text, /href="\/blog\/en-dos-idiomas\?lang=es"/)
  const spanish = await open('/blog/en-dos-idiomas?lang=es')
  assert.match(spanish.text, /<html lang="es"/)
  assert.equal(linksIn(spanish.text, 'canonical')[0]?.href, `${base}/en-dos-idiomas?lang=es`)
  assert.match(spanish.text, /href="\/blog\/in-two-languages"/)
})

test('former slugs, ids and needless parameters lead to the one path of a post', async () => {
  const id = await published({ title: 'Before' })
  await writer.call('PUT', `/${id}`, { slug: 'afterwards' })
  const led = async (path: string) => {
    const { status, headers } = await open(path)
    return [status, headers.location]
  }
  assert.deepEqual(await led('/blog/before'), [301, '/blog/afterwards'])
  assert.deepEqual(await led(`/blog/${id}`), [303, '/blog/afterwards'])
  assert.deepEqual(await led('/blog/afterwards?lang=en'), [303, '/blog/afterwards'])
  assert.deepEqual(await led('/blog/place/afterwards'), [303, '/blog/afterwards'])
})

test('a path that names no post is not found, however it is written', async () => {
  const id = await writer.write({ title: 'Secret draft' })
  const names = [
    ...[
      '..%2fposts',
      '%2e%2e%2fposts',
      '..%2f..%2fauth%2fprofile',
      '%2f%2fevil.example',
      'categories',
      'sitemap',
      'me',
      'ID',
    ],
    ...[`id%2f${id}`, `${id}%2frevisions`, 'a%3flang=es', '%5c%5cevil', 'x'.repeat(90), id, 'secret-draft'],
  ]
  for (const name of names)
    for (const path of [`/blog/${name}`, `/blog/tag/${name}`, `/blog/recipes/${name}`]) {
      const { status, headers } = await open(path)
      assert.deepEqual([status, headers.location], [404, undefined], path)
    }
})

test('a protected post opens with its password, for this browser only', async () => {
  const protectedPost = { title: 'Locked', visibility: 'password', password: 'päss word 2', body: 'canary of the body' }
  const slug = await slugOf(await published(protectedPost))
  const browser = browserOf(app)
  const asked = await browser.open(`/blog/${slug}`)
  assert.equal(asked.headers['cache-control'], 'no-store')
  assert.doesNotMatch(asked.text, /canary|Locked/)
  const wrong = await browser.send('/blog/unlock', { password: 'something else' })
  assert.deepEqual([wrong.status, /password is incorrect/.test(textOf(wrong.text))], [403, true])
  const right = await browser.send('/blog/unlock', { password: 'päss word 2' })
  assert.deepEqual([right.status, right.headers.location], [303, `/blog/${slug}`])
  assert.doesNotMatch(JSON.stringify(right.headers), /p%C3%A4ss|päss/)
  const page = await browser.open(`/blog/${slug}`)
  assert.match(page.text, /canary of the body/)
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.doesNotMatch(page.text, /og:title|ld\+json/)
  assert.match(page.text, /noindex/)
  assert.doesNotMatch((await open(`/blog/${slug}`)).text, /canary/)
})

test('members comment and reply without a script, and forged forms change nothing', async () => {
  const id = await published({ title: 'Discussed' })
  const reader = browserOf(app, writer)
  await reader.open('/blog/discussed')
  const forged = await reader.send('/blog/comments', { comment_body: 'forged', form_token: 'x' })
  assert.equal(forged.status, 400)
  const crossSite = await reader.send('/blog/comments', { comment_body: 'forged' }, { 'sec-fetch-site': 'cross-site' })
  assert.equal(crossSite.status, 403)
  await reader.open('/blog/discussed')
  const sent = await reader.send('/blog/comments', { comment_body: 'Which engine?' })
  assert.deepEqual([sent.status, sent.headers.location], [303, '/blog/discussed?done=commented#comments'])
  const [comment] = (await app.get(`/api/v1/posts/${id}/comments`)).json.data
  await reader.open(`/blog/discussed?reply=${comment.id}`)
  await reader.send('/blog/comments', { comment_body: 'The first one.' })
  const page = await open('/blog/discussed')
  assert.match(textOf(page.text), /2 comments/)
  assert.match(page.text, /data-depth="1"[\s\S]*The first one\./)
  assert.doesNotMatch(page.text, /forged/)
})

test('a comment that waits for approval is shown only to its author', async () => {
  await published({ title: 'Moderated' })
  const browser = browserOf(app, member)
  await browser.open('/blog/moderated')
  const sent = await browser.send('/blog/comments', { comment_body: 'canary of a comment' })
  assert.equal(sent.headers.location, '/blog/moderated?done=pending#comments')
  assert.match(textOf((await browser.open('/blog/moderated?done=pending')).text), /after a moderator has approved it/)
  assert.doesNotMatch((await open('/blog/moderated')).text, /canary/)
  const empty = await browser.send('/blog/comments', { comment_body: ' ' })
  assert.deepEqual([empty.status, /1 to 5,000/.test(textOf(empty.text))], [400, true])
})

test('the reading pages can be switched off', async () => {
  const other = await startBlog({ BLOG_PAGES: 'false' })
  try {
    for (const path of ['/blog', '/blog/some-post', '/blog/tag/one'])
      assert.equal((await browserOf(other).open(path)).status, 404)
  } finally {
    await other.stop()
  }
})
