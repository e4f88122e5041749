import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalLanguage, chooseLanguage, isCountry, isTimeZone, textDirection } from '../../src/lib/locale.ts'

const available = ['en', 'es', 'pt-br']

test('the own language comes before what the browser prefers, and that before the default', () => {
  assert.equal(chooseLanguage(available, 'es', 'en', 'en'), 'es')
  assert.equal(chooseLanguage(available, null, 'es', 'en'), 'es')
  assert.equal(chooseLanguage(available, undefined, undefined, 'es'), 'es')
  assert.equal(chooseLanguage(available, 'fr', 'de', 'es'), 'es')
  assert.equal(chooseLanguage(available, 'fr', 'de', 'it'), 'en', 'the first one there is')
  assert.equal(chooseLanguage([], null, undefined, 'it'), 'en')
})

test('a region falls back to its language, and the right region wins over it', () => {
  assert.equal(chooseLanguage(available, 'es-MX', undefined, 'en'), 'es')
  assert.equal(chooseLanguage(available, 'ES', undefined, 'en'), 'es')
  assert.equal(chooseLanguage(available, 'pt-BR', undefined, 'en'), 'pt-br')
  assert.equal(chooseLanguage(available, 'pt', undefined, 'en'), 'en')
})

test('preferences of the browser are read in their order, and nonsense among them is left out', () => {
  const choose = (header: string) => chooseLanguage(available, null, header, 'en')
  assert.equal(choose('fr, es;q=0.9, en;q=0.8'), 'es')
  assert.equal(choose('en;q=0.1, es;q=0.2'), 'es')
  assert.equal(choose('es;q=0, en;q=0.1'), 'en')
  assert.equal(choose('es;q=nonsense'), 'en')
  assert.equal(choose('*'), 'en')
  assert.equal(choose(`${'x,'.repeat(300)}es`), 'en', 'longer than any browser sends')
  fc.assert(
    fc.property(fc.string(), fc.string(), (wanted, header) =>
      assert.ok(available.includes(chooseLanguage(available, wanted, header, 'en'))),
    ),
  )
})

test('language tags are well-formed and canonical, time zones and countries exist', () => {
  assert.equal(canonicalLanguage('ES-mx'), 'es-MX')
  assert.equal(canonicalLanguage('zh-hant-tw'), 'zh-Hant-TW')
  assert.equal(canonicalLanguage('en-us-u-ca-buddhist'), 'en-US')
  for (const tag of ['', 'x', 'e', '../en', 'en_US', 'en-', 'en US', 'en\0', '<en>'])
    assert.equal(canonicalLanguage(tag), undefined, tag)
  for (const zone of ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires']) assert.ok(isTimeZone(zone), zone)
  for (const zone of ['', 'Europe/Nowhere', '+02:00', '-05', '../etc/passwd', 'Europe/Berlin\0'])
    assert.ok(!isTimeZone(zone), zone)
  for (const country of ['DE', 'US', 'MX', 'GB']) assert.ok(isCountry(country), country)
  for (const country of ['', 'D', 'DEU', 'de', 'EU', 'ZZ', 'XX', 'UN', '12', 'D\0'])
    assert.ok(!isCountry(country), country)
})

test('the direction of a text follows from its language, also where Intl has only textInfo', (t) => {
  const directions = () => ['en', 'es-MX', 'ar', 'he'].map(textDirection)
  assert.deepEqual(directions(), ['ltr', 'ltr', 'rtl', 'rtl'])
  const prototype: { getTextInfo?: () => Intl.TextInfo } = Intl.Locale.prototype
  const own = Object.getOwnPropertyDescriptors(prototype)
  t.after(() => Object.defineProperties(prototype, own))
  const textInfo = own.getTextInfo?.value
  if (!textInfo) return
  delete prototype.getTextInfo
  Object.defineProperty(prototype, 'textInfo', { configurable: true, get: textInfo })
  t.after(() => Reflect.deleteProperty(prototype, 'textInfo'))
  assert.deepEqual(directions(), ['ltr', 'ltr', 'rtl', 'rtl'])
})
