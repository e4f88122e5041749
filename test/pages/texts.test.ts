import assert from 'node:assert/strict'
import { test } from 'node:test'
import { en } from '../../src/pages/texts/en.ts'
import { pageLanguages, textsFor } from '../../src/pages/texts/index.ts'

for (const lang of pageLanguages) {
  test(`the texts in ${lang} have the same keys, placeholders and parameters as the English ones`, () => {
    assert.deepEqual(shapeOf(textsFor(lang)), shapeOf(en))
  })

  test(`no text in ${lang} is empty or has stray white space`, () => {
    for (const text of leaves(textsFor(lang))) assert.match(text, /^\S(.*\S)?$/)
  })
}

test('Spanish is translated, but for names and signs', () => {
  const english = new Set(leaves(en))
  const same = leaves(textsFor('es')).filter((text) => english.has(text))
  assert.deepEqual(new Set(same), new Set(['API', 'SMS', 'X-Session-ID', 'X-Bridge-Secret', '{count} ms', 'ltr']))
})

function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return value.match(/\{\w+\}/g)?.sort() ?? 'text'
  if (typeof value === 'function') return `function of ${value.length}`
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, shapeOf(part)]))
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return [String(value('8'))]
  return Object.values(value as object).flatMap(leaves)
}
