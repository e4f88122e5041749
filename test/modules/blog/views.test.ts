import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { isBot } from '../../../src/http/access/device.ts'
import { cleanUp } from '../../../src/jobs/clean-up.ts'
import { day } from '../../../src/lib/time.ts'
import { blog } from '../../../src/modules/blog/manifest.ts'
import { assertError } from '../../http/support.ts'
import { install } from '../../support/modules.ts'
import { withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const base = '/api/v1/posts'
let app: TestApp
let writer: Author
let reader: Author
let admin: Author
before(async () => {
  app = await startBlog({ SESSION_IDLE_TTL: '60d', ADMIN_SESSION_IDLE_TTL: '60d', SESSION_ABSOLUTE_TTL: '90d' })
  ;[writer, reader, admin] = [await somebody(app), await somebody(app, 'customer'), await somebody(app, 'admin')]
})
after(() => app.stop())

interface Viewer {
  sessionToken?: string
  from?: string
  agent?: string
  password?: string
}

const view = (id: string, { sessionToken, from = '198.51.100.7', agent = firefox, password }: Viewer = {}) =>
  app.post(`${base}/${id}/view`, undefined, {
    from,
    headers: {
      'user-agent': agent,
      ...(sessionToken && withSession(sessionToken).headers),
      ...(password && { 'x-post-password': password }),
    },
  })
const counted = async (id: string, viewer?: Viewer) => {
  const { status, json, text } = await view(id, viewer)
  assert.equal(status, 200, text)
  assert.equal(json.data.post_id, id)
  return json.data.counted as boolean
}
const published = () => writer.write({ status: 'published' })
const stats = async (id: string) => (await app.get(`${base}/id/${id}/stats`)).json.data
const rowsOf = async (table: string) =>
  (await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(app.ctx.db)).rows

test('a view is counted although the key of the day was sealed with a lost key', async () => {
  const id = await published()
  assert.equal(await counted(id), true)
  await sql`UPDATE post_view_secrets SET secret = 'lost.AAAA.AAAA.AAAA'`.execute(app.ctx.db)
  assert.deepEqual([await counted(id), await counted(id)], [true, false])
})

test('a view counts once for each viewer and day', async () => {
  const id = await published()
  assert.deepEqual(await stats(id), {
    post_id: id,
    views: 0,
    comments: 0,
    reactions: {},
    bookmarks: 0,
    last_viewed_at: null,
  })
  const first = new Date(app.clock.now()).toISOString()
  assert.deepEqual([await counted(id), await counted(id)], [true, false])
  assert.equal(await counted(id, { from: '198.51.100.8' }), true)
  assert.equal(await counted(id, { agent: `${firefox} other` }), true)
  // All addresses in an IPv6 network count as the same viewer.
  assert.deepEqual(
    [await counted(id, { from: '2001:db8:1:2::3' }), await counted(id, { from: '2001:db8:1:2::4' })],
    [true, false],
  )
  // A signed-in user counts as the same viewer from every IP address.
  assert.deepEqual(
    [
      await counted(id, { sessionToken: reader.sessionToken }),
      await counted(id, { sessionToken: reader.sessionToken, from: '198.51.100.9' }),
    ],
    [true, false],
  )
  assert.equal((await stats(id)).views, 5)
  assert.equal((await stats(id)).last_viewed_at, first)
  assert.equal((await writer.read(id)).json.data.counts.views, 5)
  app.clock.advance(day)
  assert.equal(await counted(id), true)
  const { daily, views } = (await writer.call('GET', `/${id}/stats`)).json.data
  assert.equal(views, 6)
  assert.equal(daily.length, 30)
  assert.deepEqual(daily.at(-1), { date: new Date(app.clock.now()).toISOString().slice(0, 10), views: 1 })
  assert.equal(daily.at(-2).views, 5)
  assert.equal(daily.at(-3).views, 0)
  assert.deepEqual((await admin.call('GET', `/${id}/stats`)).json.data.daily, daily)
  assert.equal((await reader.call('GET', `/${id}/stats`)).json.data.daily, undefined)
})

test('views of the owner, of programs and of what is not published do not count', async () => {
  const id = await published()
  assert.equal(await counted(id, { sessionToken: writer.sessionToken }), false)
  assert.equal(await counted(id, { sessionToken: admin.sessionToken }), true)
  const draft = await writer.write()
  assert.equal(await counted(draft, { sessionToken: admin.sessionToken }), false)
  assertError(await view(draft), 404, 'NOT_FOUND')
  for (const agent of ['', 'curl/8.5.0', 'Mozilla/5.0 (compatible; Googlebot/2.1)', 'Twitterbot/1.0', 'HeadlessChrome'])
    assert.equal(await counted(id, { agent, from: '198.51.100.20' }), false, agent)
  assert.equal((await stats(id)).views, 1)
})

test('what stands behind a password is viewed, and counted, with the password', async () => {
  const id = await writer.write({ status: 'published', visibility: 'password', password: 'difference' })
  assertError(await view(id), 403, 'PASSWORD_REQUIRED')
  assertError(await app.get(`${base}/${id}/stats`), 403, 'PASSWORD_REQUIRED')
  assert.equal(await counted(id, { password: 'difference' }), true)
})

test('people are told from programs by what these say of themselves', () => {
  const people = [
    firefox,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; CUBOT) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36',
    'OurApp/3.1 okhttp/4.12',
  ]
  const programs = [
    '',
    'node',
    'Wget/1.21',
    'facebookexternalhit/1.1',
    'Feedly/1.0',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0)',
    'GPTBot/1.0',
  ]
  assert.deepEqual(people.filter(isBot), [])
  assert.deepEqual(
    programs.filter((agent) => !isBot(agent)),
    [],
  )
})

test('nothing that is stored leads to a viewer, nor from one post to another, and the key goes after two days', async () => {
  const [one, other] = await Promise.all([published(), published()])
  for (const id of [one, other]) await counted(id, { from: '198.51.100.42', sessionToken: reader.sessionToken })
  const keys = await rowsOf('post_view_keys')
  const stored = JSON.stringify([...keys, ...(await rowsOf('post_view_days')), ...(await rowsOf('post_view_totals'))])
  for (const trace of ['198.51.100.42', reader.id, firefox]) assert.ok(!stored.includes(trace))
  const viewers = keys.filter(({ post_id }) => post_id === one || post_id === other).map(({ viewer_key }) => viewer_key)
  assert.equal(new Set(viewers).size, 2)
  // Each day has a different key, which is stored encrypted.
  const secrets = await rowsOf('post_view_secrets')
  assert.equal(new Set(secrets.map(({ secret }) => secret)).size, secrets.length)
  assert.ok(secrets.every(({ secret }) => String(secret).startsWith('1.')))

  const { views } = await stats(one)
  app.clock.advance(day)
  await cleanUp(app.ctx, blog.cleanupJobs)
  assert.ok((await rowsOf('post_view_keys')).length > 0)
  app.clock.advance(day)
  await cleanUp(app.ctx, blog.cleanupJobs)
  assert.deepEqual([await rowsOf('post_view_keys'), await rowsOf('post_view_secrets')], [[], []])
  assert.equal((await stats(one)).views, views)
  await sql`UPDATE post_view_days SET day = day - 400`.execute(app.ctx.db)
  await cleanUp(app.ctx, blog.cleanupJobs)
  assert.deepEqual(await rowsOf('post_view_days'), [])
  assert.equal((await stats(one)).views, views)
})

test('a post that is gone takes its views along, and one that goes meanwhile counts no more', async () => {
  const id = await published()
  await counted(id)
  await admin.call('DELETE', `/${id}?force=true`)
  for (const table of ['post_view_keys', 'post_view_days', 'post_view_totals'])
    assert.ok((await rowsOf(table)).every(({ post_id }) => post_id !== id))
  assertError(await view(id), 404, 'NOT_FOUND')
})

test('posts that are older than the component are in lists by views, too', async (t) => {
  const old = await startTestApp({ env: { BLOG_ENABLED: 'true' } })
  t.after(() => old.stop())
  await install(old, 'blog')
  const author = await somebody(old)
  const before = await author.write({ title: 'Before', status: 'published' })
  await install(old, 'blog', { target: 'selected', components: ['ext-views'] })
  const after = await author.write({ title: 'After', status: 'published' })
  await old.post(`${base}/${before}/view`, undefined, { headers: { 'user-agent': firefox } })
  const { json } = await old.get(`${base}?sort=views`)
  assert.deepEqual(
    json.data.map(({ id }: { id: string }) => id),
    [before, after],
  )
})
