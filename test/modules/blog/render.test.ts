import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../../src/lib/errors.ts'
import { createRenderer } from '../../../src/modules/blog/render.ts'
import { hostile } from './hostile-html.ts'

const render = createRenderer({ wait: 60_000 })
const formats = ['markdown', 'html', 'text'] as const

const tags =
  'a|abbr|blockquote|br|code|del|details|div|em|figure|h[1-6]|hr|img|li|ol|p|pre|q|s|section|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul'
const tag = new RegExp(`^</?(?:${tags})(?: (?:"[^"]*"|[^"<>])*)?>$`)
const attribute = / ([a-zA-Z-]+)(?:="([^"]*)")?/g
const harmless = new Set(['title', 'alt', 'class', 'id', 'align', 'open', 'lang', 'dir'])

/**
 * The parts of the HTML that could make a browser execute code. Every `<` that does not begin a tag must be an entity.
 */
function dangersOf(html: string): string[] {
  return [...html.matchAll(/<(?:"[^"]*"|[^">])*>?/g)].flatMap(([found]) => {
    if (!tag.test(found)) return [found]
    return [...found.matchAll(attribute)].flatMap(([, name = '', value = '']) => {
      if (name === 'href' && /^(https?:|mailto:|tel:|#)/.test(value)) return []
      if (name === 'src' && /^(https?:|x$|x%22)/.test(value)) return []
      if (name === 'href' && !value.includes(':')) return []
      if (name === 'src' && !value.includes(':')) return []
      if (name === 'id' && !value.startsWith('user-content-')) return [found]
      if (name === 'class' && value !== '' && !value.startsWith('language-')) return [found]
      return harmless.has(name) ? [] : [`${name}=${value} in ${found}`]
    })
  })
}

for (const format of formats) {
  test(`nothing that could run is left of hostile ${format}, nor when what is left is cleaned again`, async () => {
    for (const body of hostile) {
      const { html } = await render({ format, body })
      assert.deepEqual(dangersOf(html), [], `${body} became ${html}`)
      const again = await render({ format: 'html', body: html })
      assert.equal(again.html, html, 'what is clean stays as it is')
    }
    const together = await render({ format, body: hostile.join('\n\n') })
    assert.deepEqual(dangersOf(together.html), [])
  })
}

test('what people write stays: headings, lists, tables, code, links, pictures, notes', async () => {
  const body = [
    '# Title',
    'Some *words*, ~~gone~~ and https://example.com/x.',
    '- one\n- two',
    '| a | b |\n|---|--:|\n| 1 | 2 |',
    '```js\nif (a < b) x()\n```',
    '![alt](https://example.com/x.png "t") [mail](mailto:a@example.com)',
    'Note.[^1]\n\n[^1]: Here.',
    '<details open><summary>More</summary>text</details>',
  ].join('\n\n')
  const { html, start } = await render({ format: 'markdown', body })
  for (const part of [
    '<h1>Title</h1>',
    '<em>words</em>, <del>gone</del> and <a href="https://example.com/x">',
    '<li>one</li>',
    '<td align="right">2</td>',
    '<code class="language-js">if (a &#x3C; b) x()',
    '<img src="https://example.com/x.png" alt="alt" title="t">',
    '<a href="mailto:a@example.com">mail</a>',
    '<a href="#user-content-fn-1"',
    '<li id="user-content-fn-1">',
    '<details open><summary>More</summary>text</details>',
  ])
    assert.ok(html.includes(part), `${part} in ${html}`)
  assert.ok(start.startsWith('Title Some words, gone and https://example.com/x. one two'), start)
})

test('what a body means stays: task lists, readings, directions, numbers and telephone links', async () => {
  const { html } = await render({ format: 'markdown', body: '- [x] done\n- [ ] open' })
  assert.match(html, /<li>\u2611 done<\/li>\s*<li>\u2610 open<\/li>/)
  const kept = [
    '<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>',
    '<bdo dir="rtl">abc</bdo>',
    '<ol type="a"><li value="7">seven</li></ol>',
    '<a href="tel:+491701234567">call</a>',
  ]
  for (const body of kept) assert.equal((await render({ format: 'html', body })).html, body)
  assert.equal((await render({ format: 'html', body: kept[0] ?? '' })).start, '\u6f22')
})

test('links to a part of the body work, and no id of a body is one of the page', async () => {
  const cases: [format: 'html' | 'markdown', body: string, html: string][] = [
    [
      'html',
      '<a href="#intro">1</a><h2 id="intro">Intro</h2><p id="intro">x</p><a href="#comments">c</a>',
      '<a href="#user-content-intro">1</a><h2 id="user-content-intro">Intro</h2><p>x</p><a href="#comments">c</a>',
    ],
    [
      'html',
      '<a name="top"></a><a href="#top">up</a>',
      '<a id="user-content-top"></a><a href="#user-content-top">up</a>',
    ],
    ['html', '<h2 id="a b">x</h2><img id="cookie" name="forms">', '<h2>x</h2><img id="user-content-cookie">'],
    [
      'markdown',
      '[1](#caf%C3%A9--bar)\n\n## Caf\u00e9 & bar\n\n## Other',
      '<p><a href="#user-content-caf%C3%A9--bar">1</a></p>\n<h2 id="user-content-caf\u00e9--bar">Caf\u00e9 &#x26; bar</h2>\n<h2>Other</h2>',
    ],
  ]
  for (const [format, body, html] of cases) {
    const once = await render({ format, body })
    assert.equal(once.html, html)
    assert.equal((await render({ format: 'html', body: html })).html, html)
  }
})

test('what is removed is listed, but not what the parser added', async () => {
  const removed = async (body: string, format: 'html' | 'markdown' = 'markdown') =>
    (await render({ format, body, listsRemoved: true })).removed
  assert.deepEqual(await removed('- [x] a\n\n| a |\n|--:|\n| 1 |\n\nNote[^1].\n\n[^1]: Here.\n\n```js\n1\n```'), [])
  assert.deepEqual(await removed('<p style="x" id="a">b</p> <script>1</script>\n\n[x](javascript:1)'), [
    ...['1 p style', '1 script', '1 a href'],
  ])
  assert.deepEqual(await removed('<input name="q"><input type="checkbox" checked> x', 'html'), ['1 input'])
})

test('plain text becomes paragraphs, with everything in it as it stands', async () => {
  const { html, start } = await render({ format: 'text', body: 'a <b> & c\nd\n\n\n# e' })
  assert.equal(html, '<p>a &#x3C;b> &#x26; c<br>d</p><p># e</p>')
  assert.equal(start, 'a <b> & c d # e')
})

test('what would take for ever, or nests too deeply, is refused, and the next body is rendered all the same', async () => {
  const impatient = createRenderer({ time: 1_000, wait: 60_000 })
  const isRejection = (error: unknown) => error instanceof AppError && error.code === 'VALIDATION_ERROR'
  await assert.rejects(impatient({ format: 'html', body: '<div>'.repeat(100_000) }), isRejection)
  await assert.rejects(impatient({ format: 'markdown', body: '> '.repeat(50_000) }), isRejection)
  assert.equal((await impatient({ format: 'text', body: 'x' })).html, '<p>x</p>')
})
