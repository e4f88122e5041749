import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Config } from '../../src/config/load.ts'
import { AppError } from '../../src/lib/errors.ts'
import {
  birthdayField,
  canonicalEmail,
  emailField,
  freeObjectField,
  languageField,
  nameField,
  phoneField,
  timeZoneField,
  userNameField,
} from '../../src/users/fields.ts'
import { anyCharacter } from '../support/any-character.ts'

test('an address has one canonical form, which is its own canonical form', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      const canonical = canonicalEmail(address)
      if (canonical === undefined) return
      assert.equal(canonicalEmail(canonical), canonical)
      assert.equal(canonicalEmail(canonical.toUpperCase()), canonical)
      assert.match(canonical, /^[\x21-\x7e]+$/)
    }),
  )
})

test('whatever is given, an address is one plain mailbox or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
      const canonical = canonicalEmail(text)
      if (canonical !== undefined) assert.match(canonical, /^[^\s@,;<>()"\\]+@[a-z0-9.-]+\.[a-z0-9-]+$/)
    }),
  )
})

test('converts known spellings', () => {
  const cases: [string, string | undefined][] = [
    ['Ada@Example.COM', 'ada@example.com'],
    [' ada@example.com ', 'ada@example.com'],
    ['ada+tag@example.com', 'ada+tag@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@ＥＸＡＭＰＬＥ.com', 'ada@example.com'],
    ['ada@example。com', 'ada@example.com'],
    ['ada@example.com.', undefined],
    ['ada@exa\nmple.com', undefined],
    ['ada@ex%61mple.com', undefined],
    ['ada..b@example.com', undefined],
    ['.ada@example.com', undefined],
    ['A..b@docomo.ne.jp', 'a..b@docomo.ne.jp'],
    ['a.@ezweb.ne.jp', 'a.@ezweb.ne.jp'],
    ['.a@docomo.ne.jp', undefined],
    ['a..b@docomo.ne.jp.example', undefined],
    ['a..b@xdocomo.ne.jp', undefined],
    ['ada@', undefined],
    ['@example.com', undefined],
    ['ada@127.0.0.1', undefined],
    ['ada@[127.0.0.1]', undefined],
    ['ada@exa mple.com', undefined],
    ['ada\n@example.com', undefined],
    ['ada@example.com\r\nbcc: eve@example.com', undefined],
    ['ada@a@example.com', undefined],
    [`${'a'.repeat(65)}@example.com`, undefined],
    [`ada@${'a'.repeat(64)}.com`, undefined],
    ['añb@example.com', undefined],
    ['\u212Aelvin@example.com', undefined],
  ]
  for (const [given, canonical] of cases) assert.equal(canonicalEmail(given), canonical, given)
})

test('a refused address with other characters than ASCII before the @ says so', () => {
  const isAscii = (problem: unknown) =>
    /only ASCII/.test(JSON.stringify(problem instanceof AppError && problem.details))
  assert.throws(() => emailField('email', 'añb@example.com'), isAscii)
  assert.throws(
    () => emailField('email', 'ada@ñ'),
    (problem) => !isAscii(problem),
  )
})

test('phone numbers are read with full-width digits and the international prefix 00 or that of the region', () => {
  const number = (text: string, DEFAULT_PHONE_REGION?: string) =>
    phoneField('phone', text, { DEFAULT_PHONE_REGION } as Config)
  for (const text of [
    '00491701234567',
    '0049 170 1234567',
    '＋４９１７０１２３４５６７',
    '００４９１７０１２３４５６７',
    ' +49 (170) 1234567',
  ])
    for (const region of [undefined, 'DE', 'US', 'JP']) assert.equal(number(text, region), '+491701234567', text)
  assert.equal(number('０１７０ １２３４５６７', 'DE'), '+491701234567')
  for (const [region, text] of Object.entries({
    HK: '001 65 6123 4567',
    TH: '001 65 61234567',
    AU: '0011 65 6123 4567',
  }))
    assert.equal(number(text, region), '+6561234567', region)
  assert.throws(() => number('0001234567'), AppError)
})

test('time zones and languages have their canonical spelling', () => {
  const zones = { 'europe/berlin': 'Europe/Berlin', UTC: 'UTC', utc: 'UTC', 'America/New_York': 'America/New_York' }
  for (const [given, zone] of Object.entries(zones)) assert.equal(timeZoneField('tmz', given), zone)
  assert.equal(timeZoneField('tmz', 'US/Eastern'), 'US/Eastern')
  const languages = { en_US: 'en-US', 'DE-at': 'de-AT', zh_hant_tw: 'zh-Hant-TW' }
  for (const [given, tag] of Object.entries(languages)) assert.equal(languageField('lang', given), tag)
})

test('user names hold no @ and nothing that looks like another letter', () => {
  for (const name of ['ada', 'a.d-a_1', 'ADA']) assert.equal(userNameField('user_name', name), name)
  for (const name of ['ad', 'ada@example.com', 'аda', 'a da', 'x'.repeat(33), 'ada\u200b', '']) {
    assert.throws(() => userNameField('user_name', name), AppError, name)
  }
})

test('names keep their letters in one Unicode form', () => {
  assert.equal(nameField('name', ' Zoe\u0308 '), 'Zoë')
  assert.equal(nameField('name', '李 👩‍🚀'), '李 👩‍🚀')
  for (const name of ['a\0', 'a\nb', '\u202eevil', '\ud800', 'x'.repeat(101)])
    assert.throws(() => nameField('name', name), AppError)
})

test('a date of birth is an existing day in the past', () => {
  const now = Date.parse('2026-03-01T11:00:00Z')
  for (const day of ['1900-01-01', '2000-02-29', '2026-03-01', '2026-03-02'])
    assert.equal(birthdayField('dob', day, now), day)
  const wrong = [
    '2026-03-03',
    '1900-02-29',
    '2023-02-29',
    '1899-12-31',
    '1990-13-01',
    '1990-00-10',
    '19900101',
    ' 1990-01-01',
  ]
  for (const day of wrong) assert.throws(() => birthdayField('dob', day, now), AppError, day)
  fc.assert(
    fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2026-03-01'), noInvalidDate: true }), (date) => {
      const day = date.toISOString().slice(0, 10)
      assert.equal(birthdayField('dob', day, now), day)
    }),
  )
})

test('metadata is any object of limited size, but for three names', () => {
  for (const value of [{}, { a: { b: [{ c: null }] } }, { text: '水'.repeat(5_000) }])
    assert.equal(freeObjectField('metadata', value), value)
  const special = JSON.parse('{"a": [{"__proto__": 1}]}')
  for (const value of [special, { constructor: 1 }, { a: { prototype: 1 } }, { text: '水'.repeat(5_500) }])
    assert.throws(() => freeObjectField('metadata', value), AppError)
})
