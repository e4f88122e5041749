import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { coreSettings } from '../../src/config/settings.ts'
import { shippedModules } from '../../src/modules/index.ts'
import { textsFor as coreTexts, type PageLanguage, pageLanguages } from '../../src/ui/texts/index.ts'

const root = join(import.meta.dirname, '../..')
const catalogues = globSync(['src/ui/console/texts/en.json', 'src/modules/*/pages/texts/en.json'], { cwd: root }).map(
  dirname,
)

/** The core's texts, and the texts of the console and of each module, by folder. */
const textsFor = (lang: PageLanguage): object => ({
  core: coreTexts(lang),
  ...Object.fromEntries(
    catalogues.map((folder) => [folder, JSON.parse(readFileSync(join(root, folder, `${lang}.json`), 'utf8'))]),
  ),
})

for (const lang of pageLanguages) {
  test(`the texts in ${lang} have the same keys and placeholders as the English ones`, () => {
    assert.deepEqual(shapeOf(textsFor(lang)), shapeOf(textsFor('en')))
  })

  test(`no text in ${lang} is empty or has stray white space`, () => {
    for (const text of leaves(textsFor(lang))) assert.match(text, /^\S(.*\S)?$/)
  })
}

test('every setting has a Spanish description in its own folder, and no other setting does', () => {
  const path = join(root, 'src/ui/console/texts/settings-es.json')
  const core: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))
  const ofModules = shippedModules.flatMap(({ settings }) => settings ?? [])
  for (const { settings, spanish } of [
    { settings: coreSettings, spanish: core },
    ...ofModules.map(({ settings, meanings }) => ({ settings, spanish: meanings?.es ?? {} })),
  ]) {
    assert.deepEqual(Object.keys(spanish).sort(), Object.keys(settings).sort())
    const same = Object.entries(settings).filter(([name, { meaning }]) => spanish[name] === meaning)
    assert.deepEqual(same, [])
    for (const text of Object.values(spanish)) assert.match(text, /^\S(.*\S)?$/)
  }
})

test('Spanish is translated, but for names and signs', () => {
  const english = new Set(leaves(textsFor('en')))
  const same = leaves(textsFor('es')).filter((text) => english.has(text))
  assert.deepEqual(
    new Set(same),
    new Set([
      'API',
      'ID',
      'JWT',
      'No',
      'OAuth',
      'Roles',
      'SMS',
      'URL',
      'Webhooks',
      'X-Session-ID',
      'X-Bridge-Secret',
      '{count} ms',
      'ltr',
    ]),
  )
})

test('Spanish articles agree with the noun for users', () => {
  const wrong = /\b(?:las?|unas?|otras?|estas?|esas?|todas) usuarios?\b|\busuarios? \w+adas?\b/i
  assert.deepEqual(
    leaves(textsFor('es')).filter((text) => wrong.test(text)),
    [],
  )
})

function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return value.match(/\{\w+\}/g)?.sort() ?? 'text'
  // Plural categories differ between languages, so only `other` is compared.
  if (isPlural(value)) return shapeOf(value.other)
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, shapeOf(part)]))
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Object.values(value as object).flatMap(leaves)
}

const categories = ['zero', 'one', 'two', 'few', 'many', 'other']

const isPlural = (value: unknown): value is { other: string } =>
  typeof value === 'object' &&
  value !== null &&
  'other' in value &&
  Object.keys(value).every((key) => categories.includes(key))

test('every language has a sentence for each of its plural categories', () => {
  for (const lang of pageLanguages) {
    // In Spanish, the category "many" applies only to millions. The counts on the pages are smaller.
    const needed = [1, 2, 3, 5, 10, 11, 21, 100].map((count) => new Intl.PluralRules(lang).select(count))
    for (const plural of plurals(textsFor(lang))) {
      const missing = needed.filter((category) => !(category in plural))
      assert.deepEqual(missing, [], JSON.stringify(plural))
    }
  }
})

function plurals(value: unknown): object[] {
  if (typeof value === 'string') return []
  return isPlural(value) ? [value] : Object.values(value as object).flatMap(plurals)
}
