import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import fc from 'fast-check'
import { xml } from '../../src/lib/xml.ts'

/** Random strings of all UTF-16 code units, including lone surrogates. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })

test('whatever is written into XML is text there, and the document stays well-formed', () => {
  const isAllowed = (character: string) => /[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(character)
  fc.assert(
    fc.property(anyText, (text) => {
      const { root } = parseXml(xml`<a b="${text}">${text}</a>`.markup) as unknown as { root: XmlElement }
      const expected = [...text].filter(isAllowed).join('')
      assert.equal(root.text, expected)
      // In attributes, parsers replace whitespace characters with spaces (XML 1.0, 3.3.3).
      assert.equal(root.attributes.b, expected.replace(/[\t\n]/g, ' '))
    }),
    { numRuns: 300 },
  )
})

test('text that looks like markup stays text', () => {
  const hostile = [
    ']]>',
    '<!--',
    '-->',
    '<![CDATA[',
    '&lt;',
    '&#0;',
    '"><script>alert(1)</script>',
    "' x='",
    '<?xml?>',
    '\r\n',
    '\0',
  ]
  for (const text of hostile) {
    const { root } = parseXml(xml`<a b="${text}"><c>${text}</c></a>`.markup) as unknown as { root: XmlElement }
    assert.equal(root.children.length, 1)
    assert.equal(root.text, text.replace('\0', ''))
  }
})

test('finished XML is written as it is, lists one after the other, and nothing as nothing', () => {
  const items = ['<', '&'].map((text) => xml`<i>${text}</i>`)
  assert.equal(xml`<a>${items}${undefined}${xml`<b/>`}${5}</a>`.markup, '<a><i>&lt;</i><i>&amp;</i><b/>5</a>')
})
