import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pageLanguages } from '../../src/ui/texts/index.ts'
import { allPages, nonce, scriptOf, type Tag, tagsOf, textOf } from './all-pages.ts'

const hostile = [
  '<a href=//evil>',
  '{{7*7}}',
  '<%= 1 %>',
  '"><script>alert(1)</script>',
  "' onfocus='alert(1)",
  '</title></style><img src=x>',
  '\u202egnp.exe\u202c',
]

for (const lang of pageLanguages) {
  for (const [name, html] of Object.entries(allPages(lang, 'Wardenry'))) {
    describe(`${name} (${lang})`, () => {
      const tags = tagsOf(html)

      test('says its language, its direction and that it is not for search engines', () => {
        assert.deepEqual(tags[0], { name: 'html', attributes: { lang, dir: 'ltr' } })
        assert.ok(tags.some(({ attributes }) => attributes.name === 'robots' && attributes.content === 'noindex'))
      })

      test('runs and styles only what carries the nonce', () => {
        const active = tags.filter((tag) => tag.name === 'style' || isScript(tag))
        assert.ok(active.length > 0)
        assert.deepEqual(new Set(active.map(({ attributes }) => attributes.nonce)), new Set([nonce]))
      })

      test('has no style attribute and no event handler', () => {
        const names = tags.flatMap(({ attributes }) => Object.keys(attributes))
        assert.deepEqual(
          names.filter((attribute) => attribute === 'style' || attribute.startsWith('on')),
          [],
        )
      })

      test('loads nothing and leads nowhere outside', () => {
        const targets = tags.flatMap(({ attributes }) =>
          ['href', 'src', 'action', 'srcset', 'poster', 'data', 'formaction'].flatMap((key) => attributes[key] ?? []),
        )
        for (const target of targets)
          assert.match(target, /^(\/(?!\/)|#|data:image\/svg\+xml;base64,|otpauth:\/\/totp\/)/)
        assert.doesNotMatch(html, /url\(|@import/)
      })

      test('has unique ids, a skip link to its content, and a label for every input', () => {
        const ids = tags.flatMap(({ attributes }) => attributes.id ?? [])
        assert.equal(new Set(ids).size, ids.length)
        assert.ok(ids.includes('main'))
        const skip = tags.find(({ attributes }) => attributes.class?.startsWith('skip'))?.attributes.href ?? ''
        assert.ok(ids.includes(skip.slice(1)), skip)
        const [before = '', content = ''] = html.split(`id="${skip.slice(1)}"`)
        assert.equal(before.includes('class="menu"'), html.includes('class="menu"'), 'the navigation is skipped')
        assert.doesNotMatch(content, /class="menu"/)
        const labelled = tags.filter((tag) => tag.name === 'label').flatMap(({ attributes }) => attributes.for ?? [])
        for (const input of tags.filter(needsLabel)) assert.ok(labelled.includes(input.attributes.id ?? ''))
      })
    })
  }
}

for (const text of hostile) {
  test(`${JSON.stringify(text)} stays text on every page`, () => {
    const plain = allPages('en', 'Wardenry')
    for (const [name, html] of Object.entries(allPages('en', text))) {
      assert.deepEqual(shapeOf(tagsOf(html)), shapeOf(tagsOf(plain[name] ?? '')), name)
      assert.ok(textOf(html).includes(text), `${name} shows it`)
    }
  })
}

test('every script is one module that compiles', async () => {
  const scripts = Object.values(allPages('en', 'Wardenry')).flatMap((html) => scriptOf(html) ?? [])
  assert.ok(scripts.length >= 3)
  for (const script of scripts) {
    const module = `throw new Error('it compiles')\n${script}`
    await assert.rejects(import(`data:text/javascript,${encodeURIComponent(module)}`), /it compiles/)
  }
})

test('no script turns text into markup or code', () => {
  for (const html of Object.values(allPages('en', 'Wardenry'))) {
    assert.doesNotMatch(
      scriptOf(html) ?? '',
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(/,
    )
  }
})

const isScript = (tag: Tag): boolean => tag.name === 'script' && tag.attributes.type !== 'application/json'

/** Checkboxes and radio buttons are within their labels. */
const needsLabel = ({ name, attributes }: Tag): boolean =>
  name === 'textarea' || (name === 'input' && !['hidden', 'radio', 'checkbox'].includes(attributes.type ?? ''))

const shapeOf = (tags: Tag[]): string[] =>
  tags.map(({ name, attributes }) => `${name} ${Object.keys(attributes).join(' ')}`)
