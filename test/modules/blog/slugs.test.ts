import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createRenderer } from '../../../src/modules/blog/render.ts'
import { slugOf } from '../../../src/modules/blog/slugs.ts'
import { importPosts } from '../../../src/modules/blog/transfer/import-posts.ts'
import { openSource } from '../../../src/modules/blog/transfer/open-source.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, readAsStranger, somebody, startBlog } from './support.ts'
import { item, wordpress } from './transfer-files.ts'

let app: TestApp
let writer: Author
before(async () => {
  app = await startBlog()
  writer = await somebody(app)
})
after(() => app.stop())

const form = /^[a-z0-9]+(-[a-z0-9]+)*$/
const slugs: [title: string, slug: string][] = [
  ['\u4e2d\u6587\u6807\u9898\uff1a\u4f60\u597d', 'zhong-wen-biao-ti-ni-hao'],
  ['\u3053\u3093\u306b\u3061\u306f \u30bf\u30ef\u30fc', 'konnichiha-tawa'],
  ['\ud55c\uad6d\uc5b4 \uc81c\ubaa9', 'han-gug-eo-je-mog'],
  ['\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e01', 'swasdichawolk'],
  ['\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e', 'nmste-duniya'],
  ['\u05e9\u05dc\u05d5\u05dd', 'slvm'],
  ['\u1230\u120b\u121d', 'selam'],
  ['\ud83c\udf89\ud83c\udf89', 'tada-tada'],
  ['\ud83c\udf89 Party', 'party'],
  ['\u0152uvre \u00c6ther \ufb01ne Stra\u00dfe', 'oeuvre-aether-fine-strasse'],
  ['\u041f\u0440\u0438\u0432\u0435\u0442 e\u0301te\u0301', 'privet-ete'],
  ['\u65e5\u672c New', 'ri-ben-new'],
  ['\u3002', 'post'],
]

test('a slug is made from the letters of every script', async () => {
  for (const [title, slug] of slugs) assert.equal(slugOf(title, 'en'), slug, title)
  const [[title, slug]] = slugs as [[string, string]]
  const id = await writer.write({ title, status: 'published' })
  assert.equal((await writer.read(id)).json.data.slug, slug)
  assert.equal((await readAsStranger(app, slug)).json.data.id, id)
})

test('an ampersand is a word only in English', () => {
  assert.equal(slugOf('R&D & more', 'en-GB'), 'r-and-d-and-more')
  assert.equal(slugOf('Pan & vino', 'es'), 'pan-vino')
})

test('a long slug ends after a word, and a long word is divided', () => {
  const words = slugOf('\u4f60'.repeat(150), 'zh')
  assert.match(words, /^(ni-)+ni$/)
  assert.ok(words.length <= 200 && words.length > 195)
  assert.equal(slugOf('x'.repeat(300), 'en').length, 200)
  for (const [title] of slugs) assert.match(slugOf(title.repeat(60), 'en'), form)
})

test('links to imported posts with slugs in other scripts keep working', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-slugs-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const old = '\u4e2d\u6587-\u6807\u9898'.repeat(10)
  const file = join(directory, 'export.xml')
  const items = [
    item({ id: 8001, name: encodeURIComponent(old).toLowerCase() }),
    item({ id: 8002, name: 'caf%c3%a9' }),
    item({ id: 8003, name: 'Fine_Name' }),
    item({ id: 8004, name: '..%2fadmin' }),
  ]
  await writeFile(file, wordpress(items.join('')))
  const ids: (string | undefined)[] = []
  await importPosts(
    app.ctx,
    createRenderer({ wait: 60_000 }),
    await openSource(file, { pages: false, lang: undefined, site: undefined }),
    {
      ...{ mode: 'run', fallbackUserId: writer.id, onOutcome: ({ id }) => ids.push(id) },
    },
  )
  const names = [encodeURIComponent(old), 'caf%C3%A9', 'cafe%CC%81', 'Fine_Name']
  for (const [at, name] of names.entries()) {
    const { status, json, text } = await readAsStranger(app, name)
    assert.equal(status, 200, text)
    assert.equal(json.data.id, ids[[0, 1, 1, 2][at] ?? 0])
    assert.match(json.data.slug, form)
    assert.equal(json.meta.redirected_from, decodeURIComponent(name))
    const page = await app.get(`/blog/${name}`)
    assert.equal(page.status, 301, name)
    assert.equal(String(page.headers.location).split('?')[0], `/blog/${json.data.slug}`)
  }
  assert.equal((await readAsStranger(app, '..%2fadmin')).status, 404)
})
