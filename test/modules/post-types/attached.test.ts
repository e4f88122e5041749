import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createRenderer } from '../../../src/modules/blog/render.ts'
import { exportPosts } from '../../../src/modules/blog/transfer/export-posts.ts'
import { importPosts } from '../../../src/modules/blog/transfer/import-posts.ts'
import { openSource } from '../../../src/modules/blog/transfer/open-source.ts'
import { assertError } from '../../http/support.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, somebody } from '../blog/support.ts'
import { administrator, type Editor, field, startTypes } from './support.ts'

let app: TestApp
let editor: Editor
let writer: Author
let reader: Author
before(async () => {
  app = await startTypes()
  editor = await administrator(app)
  ;[writer, reader] = (await Promise.all(['writer', 'customer'].map((role) => somebody(app, role)))) as [Author, Author]
})
after(() => app?.stop())

test('a type switches off what hangs on its posts: adding is refused, reading and taking back are not', async () => {
  await editor.define('story')
  const id = await writer.write({ post_type: 'story', status: 'published' })
  const add = [
    ['comments', { comment_body: 'x' }, 'COMMENTS_DISABLED'],
    ['reactions', { reaction: 'like' }, 'REACTIONS_DISABLED'],
    ['bookmark', {}, 'BOOKMARKS_DISABLED'],
  ] as const
  for (const [path, body] of add) assert.equal((await reader.call('POST', `/${id}/${path}`, body)).status, 200, path)
  const off = { enables_comments: false, enables_reactions: false, enables_bookmarks: false }
  assert.equal((await editor.call('PUT', '/story', { behaviors: off })).status, 200)
  for (const [path, body, code] of add) {
    const other = path === 'reactions' ? { reaction: 'wow' } : body
    assertError(await writer.call('POST', `/${id}/${path}`, other), 403, code)
  }
  assert.equal((await reader.call('GET', `/${id}/comments`)).json.data.length, 1)
  assert.equal((await reader.call('DELETE', `/${id}/reactions`)).status, 200)
  assert.equal((await reader.call('DELETE', `/${id}/bookmark`)).status, 200)
})

test('what hangs on posts of an inactive type is hidden with them', async () => {
  await editor.define('secret')
  const id = await writer.write({ post_type: 'secret', status: 'published' })
  assert.equal((await reader.call('POST', `/${id}/bookmark`)).status, 200)
  assert.equal((await reader.call('GET', '/me/bookmarks')).json.meta.total, 1)
  assert.equal((await editor.call('PUT', '/secret', { is_active: false })).status, 200)
  for (const path of ['comments', 'reactions', 'translations'])
    assertError(await reader.call('GET', `/${id}/${path}`), 404, 'NOT_FOUND')
  assertError(await reader.call('POST', `/${id}/comments`, { comment_body: 'x' }), 404, 'NOT_FOUND')
  assert.equal((await reader.call('GET', '/me/bookmarks')).json.meta.total, 0)
})

test('posts leave with their type, fields and seo, and come back with them', async () => {
  const behaviors = { enables_seo: true }
  await editor.define('recipe', { field_schema: [field('text'), field('number')], behaviors })
  const fields = { a_text: 'Soup', a_number: 4 }
  const seo = { seo_title: 'Soup for four', noindex: true }
  const id = await writer.write({ post_type: 'recipe', fields, seo, title: 'Soup', status: 'published' })
  let text = ''
  await exportPosts(app.ctx, async (part) => {
    text += part
  })
  const before = (await writer.read(id)).json.data
  await app.ctx.db.deleteFrom('posts').where('id', '=', id).execute()
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-typed-'))
  try {
    const file = join(directory, 'blog.json')
    await writeFile(file, text)
    const source = await openSource(file, { pages: false, site: undefined, lang: undefined })
    const options = { mode: 'run', fallbackUserId: undefined } as const
    const report = await importPosts(app.ctx, createRenderer(), source, options)
    assert.deepEqual([report.taken, report.skipped], [1, 0])
    assert.deepEqual((await writer.read(id)).json.data, before)
    assert.equal((await editor.call('DELETE', '/recipe?force=true')).status < 500, true)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
